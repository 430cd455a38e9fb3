/** One key or several, large and ready to be copied: after they were made, and whenever their owner asks. */
import { Copy } from '../../client/parts/copy.tsx'
import { Drawer, Fields } from '../../client/parts/drawer.tsx'
import { Go } from '../../client/parts/link.tsx'
import { useReader } from '../../client/parts/reader.tsx'
import { KEY_PREFIX, type Token } from '../../src/contracts/token.ts'
import { firstCall } from './first-call.ts'
import { type TokensView, tokensAt } from './view.ts'

interface KeysProps {
  view: TokensView
  tokens: Token[]
  /** Where clients call. */
  base: string
  /** Just now, not some time ago. */
  created: boolean
}

export function Keys({ view, tokens, base, created }: KeysProps) {
  const { t } = useReader()
  const token = tokens[0]!
  const count = tokens.length
  const title = created
    ? t('token.created', { count, name: token.name })
    : t('token.keys_of', { count, name: token.name })
  const close = tokensAt(view)
  const done = (
    <Go href={close} className="btn btn-primary" data-close>
      {t('token.done')}
    </Go>
  )
  return (
    <Drawer title={title} close={close} footer={done}>
      {count === 1 ? <OneKey token={token} base={base} /> : <ManyKeys tokens={tokens} />}
    </Drawer>
  )
}

function OneKey({ token, base }: { token: Token; base: string }) {
  const { t } = useReader()
  const key = KEY_PREFIX + token.key
  const call = firstCall({ base, key })
  return (
    <>
      <Fields title={t('token.key')}>
        <Copyable text={key} label={t('token.copy_key_of', { name: token.name })} />
        <p className="help m-0">{t('token.key_help')}</p>
      </Fields>
      <Fields title={t('token.base_url')}>
        <Copyable text={`${base}/v1`} label={t('token.copy_base_url')} />
      </Fields>
      <Fields title={t('token.try_it')}>
        <div className="code">
          <pre>{call}</pre>
        </div>
        <span>
          <Copy text={call} className="btn">
            {t('token.copy_curl')}
          </Copy>
        </span>
      </Fields>
    </>
  )
}

const Copyable = ({ text, label }: { text: string; label: string }) => {
  const { t } = useReader()
  return (
    <div className="base">
      <span title={text}>{text}</span>
      <Copy text={text} label={label} className="shrink-0">
        <span>{t('part.copy')}</span>
      </Copy>
    </div>
  )
}

function ManyKeys({ tokens }: { tokens: Token[] }) {
  const { t } = useReader()
  const keys = tokens.map(token => KEY_PREFIX + token.key).join('\n')
  return (
    <Fields title={t('token.keys')}>
      <textarea
        className="textarea mono"
        rows={Math.min(tokens.length, 16)}
        readOnly
        value={keys}
        aria-label={t('token.keys')}
        wrap="off"
      />
      <span>
        <Copy text={keys} className="btn">
          {t('token.copy_keys')}
        </Copy>
      </span>
      <p className="help m-0">{t('token.key_help')}</p>
    </Fields>
  )
}
