/** Columns of the redemption codes, and those that a reader can hide. */
import { Flag } from '../../client/components/badge.tsx'
import { ColumnChoice, optionalColumns } from '../../client/components/column-choice.tsx'
import { Copy } from '../../client/components/copy.tsx'
import { OverlayLink } from '../../client/components/link.tsx'
import { Ago, At } from '../../client/components/moment.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import type { Column } from '../../client/components/table.tsx'
import { CODES_PATH, type Redemption, RedemptionStatus } from '../../src/contracts/redemption.ts'
import type { Translate } from '../../src/locales/index.ts'
import { CodeState, usesText } from './state.tsx'
import { type CodesView, codesAt } from './view.ts'

export const codeColumns = optionalColumns('code-columns', {
  key: 'redemption.code',
  state: 'redemption.state',
  quota: 'redemption.quota',
  uses: 'redemption.uses',
  used_by: 'redemption.used_by',
  valid: 'redemption.valid',
  created: 'redemption.created_time',
})

/** Hidden where the sidebar leaves too little width. */
const hiddenOnNarrowDesktop = 'sm:max-[77rem]:hidden'
const hiddenBelowWideDesktop = 'sm:max-[89rem]:hidden'

interface ColumnContext {
  t: Translate
  view: CodesView
  hidden: string[]
}

export function columnsOf({ t, view, hidden }: ColumnContext): Column<Redemption>[] {
  const cells: Record<(typeof codeColumns.ids)[number], Omit<Column<Redemption>, 'id' | 'head'>> = {
    key: { cell: code => <Key code={code} /> },
    state: { phone: 'detail', cell: code => <CodeState code={code} /> },
    quota: { phone: 'figure', number: true, cell: code => <Quota of={code.quota} /> },
    uses: { number: true, cell: code => <Uses code={code} view={view} /> },
    used_by: {
      phone: 'side',
      optional: true,
      className: 'truncate sm:max-w-40',
      cell: code => <LastUse code={code} />,
    },
    valid: { optional: true, className: `ink-2 ${hiddenOnNarrowDesktop}`, cell: code => <Period code={code} /> },
    created: {
      optional: true,
      className: `ink-2 ${hiddenBelowWideDesktop}`,
      cell: code => <Ago at={code.created_time} />,
    },
  }
  const name: Column<Redemption> = {
    id: 'name',
    head: t('redemption.name'),
    phone: 'title',
    className: 'truncate sm:max-w-48',
    cell: code => <Name code={code} view={view} />,
  }
  const shown = codeColumns.choices(t).filter(({ id }) => !hidden.includes(id))
  return [name, ...shown.map(({ id, label }) => ({ id, head: label, ...cells[id] }))]
}

export function CodeColumns({ hidden, returnTo }: { hidden: string[]; returnTo: string }) {
  const { t } = usePageContext()
  return (
    <ColumnChoice
      action={`${CODES_PATH}/columns`}
      choices={codeColumns.choices(t)}
      hidden={hidden}
      returnTo={returnTo}
    />
  )
}

/** Leads to the editor of an unused code, else to its uses. */
function Name({ code: { id, name, status, is_gift }, view }: { code: Redemption; view: CodesView }) {
  const { t } = usePageContext()
  const overlay = status === RedemptionStatus.unused ? { edit: id } : { uses: id }
  return (
    <>
      <OverlayLink href={codesAt(view, overlay)} title={name}>
        {name}
      </OverlayLink>{' '}
      {is_gift && <Flag>{t('redemption.gift')}</Flag>}
    </>
  )
}

const SHORT_MAX = 12
const SHOWN = 4

/** A long code is shortened; the button copies it whole. */
function Key({ code: { key, name } }: { code: Redemption }) {
  const { t } = usePageContext()
  const characters = [...key]
  const short =
    characters.length <= SHORT_MAX ? key : `${characters.slice(0, SHOWN).join('')}…${characters.slice(-SHOWN).join('')}`
  return (
    <span className="mono inline-flex items-center gap-1">
      {short}
      <Copy text={key} label={t('redemption.copy_code_of', { name })} />
    </span>
  )
}

function Uses({ code, view }: { code: Redemption; view: CodesView }) {
  const { t } = usePageContext()
  if (!code.used_count) return usesText(code)
  return (
    <OverlayLink href={codesAt(view, { uses: code.id })}>
      {usesText(code)}
      <span className="sr-only"> {t('redemption.uses_of', { name: code.name })}</span>
    </OverlayLink>
  )
}

const LastUse = ({ code: { used_username, redeemed_time } }: { code: Redemption }) =>
  redeemed_time > 0 && (
    <>
      <span title={used_username}>{used_username}</span>{' '}
      <span className="ink-3">
        <Ago at={redeemed_time} />
      </span>
    </>
  )

function Period({ code: { valid_from, valid_until } }: { code: Redemption }) {
  const { t } = usePageContext()
  if (!valid_from && !valid_until) return t('redemption.always')
  return (
    <>
      {valid_from > 0 && <At at={valid_from} show="day" />} – {valid_until > 0 && <At at={valid_until} show="day" />}
    </>
  )
}
