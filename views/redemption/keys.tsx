/** Drawer that shows codes to copy or download, after they were created or on request. */
import Download from 'lucide/dist/esm/icons/download.mjs'
import { Copy } from '../../client/components/copy.tsx'
import { Drawer, Fields } from '../../client/components/drawer.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Redemption } from '../../src/contracts/redemption.ts'
import { type CodesView, codesAddress, codesAt } from './view.ts'

interface KeysProps {
  view: CodesView
  codes: Redemption[]
  /** The codes were created just now. */
  created: boolean
}

const ROWS_MAX = 16

export function Keys({ view, codes, created }: KeysProps) {
  const { t } = usePageContext()
  const { name } = codes[0]!
  const count = codes.length
  const one = created ? t('redemption.created', { name }) : t('redemption.code_of', { name })
  const several = created ? t('redemption.created_many', { count }) : t('redemption.codes_of', { count })
  const close = codesAt(view)
  const keys = codes.map(code => code.key).join('\n')
  const done = (
    <PageLink href={close} className="btn btn-primary" data-close autoFocus>
      {t('token.done')}
    </PageLink>
  )
  return (
    <Drawer title={count === 1 ? one : several} close={close} footer={done}>
      <Fields title={count === 1 ? t('redemption.code') : t('redemption.codes')}>
        <textarea
          className="textarea mono"
          rows={Math.min(count, ROWS_MAX)}
          readOnly
          value={keys}
          aria-label={t('redemption.codes')}
          wrap="off"
        />
        <span className="flex flex-wrap gap-2">
          <Copy text={keys} className="btn">
            {count === 1 ? t('ui.copy') : t('redemption.copy_codes')}
          </Copy>
          <a className="btn" href={codesAddress.csv({}, { codes: codes.map(code => code.id) })} download>
            <Icon of={Download} />
            {t('redemption.export')}
          </a>
        </span>
        <p className="help m-0">{t('redemption.codes_help')}</p>
      </Fields>
      <Worth codes={codes} />
    </Drawer>
  )
}

/** What the codes give, together when none of them is a gift. */
function Worth({ codes }: { codes: Redemption[] }) {
  const { t } = usePageContext()
  const [{ quota }] = codes as [Redemption]
  const isSame = codes.every(code => code.quota === quota)
  return (
    <div className="facts mt-4">
      {isSame && <Fact label={t('redemption.each')} quota={quota} />}
      {codes.length > 1 && codes.every(code => !code.is_gift) && (
        <Fact label={t('ui.total')} quota={codes.reduce((sum, code) => sum + code.quota, 0)} />
      )}
    </div>
  )
}

const Fact = ({ label, quota }: { label: string; quota: number }) => (
  <>
    <span className="ink-3">{label}</span>
    <span className="number">
      <Quota of={quota} />
    </span>
  </>
)
