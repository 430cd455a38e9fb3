/** Box that redeems a code, and where to get one. */
import ExternalLink from 'lucide/dist/esm/icons/external-link.mjs'
import TicketCheck from 'lucide/dist/esm/icons/ticket-check.mjs'
import { ErrorText, TextField } from '../../client/components/field.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form, PageLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { Section } from '../me/section.tsx'
import { walletAction, walletAt } from './view.ts'

export interface RedeemProps {
  /** Recognised in the address, or typed before. */
  code: string
  isRecognised: boolean
  errors: Record<string, string>
  /** Where codes are sold; empty for nowhere. */
  link: string
  /** The visitor has asked for a code. */
  asked: boolean
}

export function Redeem({ code, isRecognised, errors, link, asked }: RedeemProps) {
  const { t } = usePageContext()
  return (
    <Section title={t('payment.redeem')} help={t('payment.redeem_help')}>
      {asked && !link && (
        <div role="alert">
          <ErrorText>{t('payment.no_link')}</ErrorText>
        </div>
      )}
      <Form action={walletAction('redeem')} values={{ key: code }} errors={errors} className="grid gap-3">
        {isRecognised ? <Recognised code={code} /> : <CodeField />}
        <span className="flex flex-wrap gap-2">
          <button type="submit" className="btn btn-primary">
            {t('payment.redeem_do')}
          </button>
          <GetCode link={link} />
        </span>
      </Form>
    </Section>
  )
}

function CodeField() {
  const { t } = usePageContext()
  return (
    <TextField
      name="key"
      label={t('payment.code')}
      mono
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

function Recognised({ code }: { code: string }) {
  const { t } = usePageContext()
  return (
    <div className="note ok">
      <input type="hidden" name="key" value={code} />
      <Icon of={TicketCheck} />
      <span className="flex-1 min-w-0">
        <span className="block">{t('payment.code_recognised')}</span>
        <b className="mono wrap-anywhere">{code}</b>
      </span>
      <PageLink href={walletAt()} className="text underline">
        {t('payment.code_change')}
      </PageLink>
    </div>
  )
}

function GetCode({ link }: { link: string }) {
  const { t } = usePageContext()
  const content = (
    <>
      <Icon of={ExternalLink} />
      {t('payment.get_code')}
    </>
  )
  return link ? (
    <a className="btn" href={link} target="_blank" rel="noopener">
      {content}
    </a>
  ) : (
    <PageLink className="btn" href={walletAt({}, 'get-code')}>
      {content}
    </PageLink>
  )
}
