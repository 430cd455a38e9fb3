/** The statement page: a month with its opening balance, its rows and its closing balance; also printed. */
import ChevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs'
import ChevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import Download from 'lucide/dist/esm/icons/download.mjs'
import Printer from 'lucide/dist/esm/icons/printer.mjs'
import { Chip, Chips } from '../../client/components/badge.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { StatementMonth, StatementRow } from '../../src/contracts/statement.ts'
import type { Translate } from '../../src/locales/index.ts'
import { monthAfter } from '../../src/pure/month.ts'
import { grouped } from '../../src/pure/number.ts'
import { exact } from '../../src/pure/time.ts'
import { ordersAt } from '../payments/view.ts'
import { codesAt } from '../redemption/view.ts'
import { walletAt } from '../wallet/view.ts'
import { DayDrawer, type DayView } from './day.tsx'
import { StatementFilters } from './filters.tsx'
import { exportAt, exportYearAt, type StatementView, statementAt } from './view.ts'
import { kindName, monthName, referenceText } from './words.ts'

export interface StatementProps {
  /** Of the page: one's own statement, or that of a user. */
  path: string
  view: StatementView
  /** The present month. */
  present: string
  /** The user, for administrators. */
  name?: string
  /** Whose statement is printed. */
  holder: string
  site: string
  sums: StatementMonth
  /** Newest first. */
  rows: StatementRow[]
  opened?: DayView
}

export function StatementPage(props: StatementProps) {
  const { path, view, name, holder, site, sums, rows, opened } = props
  const { t, language } = usePageContext()
  const title = name === undefined ? t('statement.title') : t('statement.title_of', { name })
  return (
    <>
      <PageHead title={title} small={monthName(view.month, language)}>
        <button type="button" className="btn script-only max-sm:!px-3" data-print aria-label={t('ui.print')}>
          <Icon of={Printer} />
          <span className="wide-only">{t('ui.print')}</span>
        </button>
        <ExportLink href={exportYearAt(path, view)} label={t('statement.export_year')} wide />
        <ExportLink href={exportAt(path, view)} label={t('statement.export')} />
      </PageHead>
      <p className="print-only mb-3">{t('statement.printed', { site, name: holder })}</p>
      <Sums of={sums} />
      <div className="flex flex-wrap items-start gap-2">
        <div className="flex-1 min-w-0">
          <StatementFilters {...props} />
        </div>
        <MonthSteps {...props} />
      </div>
      <div className="statement">
        <Table
          label={t('statement.title')}
          columns={columnsOf(t, row => hrefOf(row, path, view, name !== undefined))}
          rows={withBalances(sums, rows)}
          keyOf={row => row.key}
          nameOf={row => row.day}
          classOf={({ row }) => (row ? undefined : 'end font-semibold')}
          dense
        />
      </div>
      <p className="help mt-3">{t('statement.help')}</p>
      {opened && <DayDrawer of={opened} close={statementAt(path, view)} />}
    </>
  )
}

const ExportLink = ({ href, label, wide }: { href: string; label: string; wide?: boolean }) => (
  <a className={wide ? 'btn wide-only' : 'btn max-sm:!px-3'} href={href} aria-label={label} download>
    <Icon of={Download} />
    <span className="wide-only">{label}</span>
  </a>
)

function Sums({ of: { opening, credited, used, closing } }: { of: StatementMonth }) {
  const { t } = usePageContext()
  return (
    <Chips>
      <Chip label={t('statement.opening')} value={<Quota of={opening} />} />
      <Chip label={t('statement.credited')} value={<Quota of={credited} />} />
      <Chip label={t('statement.usage')} value={<Quota of={-used} />} />
      <Chip label={t('statement.closing')} value={<Quota of={closing} />} />
    </Chips>
  )
}

function MonthSteps({ path, view, present }: StatementProps) {
  const { t, language } = usePageContext()
  const steps = [
    { month: monthAfter(view.month, -1), icon: ChevronLeft },
    { month: monthAfter(view.month), icon: ChevronRight },
  ]
  return (
    <nav className="join month-steps" aria-label={t('statement.months')}>
      {steps.map(({ month, icon }) =>
        month > present ? (
          <button key={month} type="button" className="btn join-item" disabled aria-label={monthName(month, language)}>
            <Icon of={icon} />
          </button>
        ) : (
          <PageLink
            key={month}
            className="btn join-item"
            href={statementAt(path, { ...view, month })}
            aria-label={monthName(month, language)}
          >
            <Icon of={icon} />
          </PageLink>
        ),
      )}
    </nav>
  )
}

/** A row of the table; without `row` the balance at an end of the month. */
interface Line {
  key: string
  day: string
  words?: 'statement.opening' | 'statement.closing'
  row?: StatementRow
  balance: number
}

function withBalances({ opening, closing }: StatementMonth, rows: StatementRow[]): Line[] {
  const lines = rows.map(
    (row, index): Line => ({ key: `${row.day}-${rows.length - index}`, day: row.day, row, balance: row.balance_after }),
  )
  return [
    { key: 'closing', day: '', words: 'statement.closing', balance: closing },
    ...lines,
    { key: 'opening', day: '', words: 'statement.opening', balance: opening },
  ]
}

/** Where a row leads: the day of its usage, its order, or for administrators its code. */
function hrefOf({ kind, day, reference }: StatementRow, path: string, view: StatementView, isOperator: boolean) {
  const id = Number(reference)
  if (kind === 'usage') return statementAt(path, { ...view, day })
  if (kind === 'topup' && id) return isOperator ? ordersAt({}, id) : walletAt({}, { order: id })
  return kind === 'redeem' && id && isOperator ? codesAt({}, { edit: id }) : undefined
}

/** @param hrefOf where a row leads */
const columnsOf = (t: Translate, hrefOf: (row: StatementRow) => string | undefined): Column<Line>[] => [
  {
    id: 'day',
    head: t('statement.day'),
    phone: 'detail',
    className: 'ink-2',
    cell: ({ day, row }) => (
      <>
        {day}{' '}
        {row && row.kind !== 'usage' && <span className="ink-3">{exact(row.created_time, 'UTC').slice(11, 16)}</span>}
      </>
    ),
  },
  {
    id: 'what',
    head: t('statement.what'),
    phone: 'title',
    cell: ({ row, words }) => (row ? <What row={row} href={hrefOf(row)} /> : words && t(words)),
  },
  {
    id: 'change',
    head: t('statement.change'),
    phone: 'figure',
    number: true,
    cell: ({ row }) => row && <Change of={row.delta} />,
  },
  {
    id: 'balance',
    head: t('statement.balance'),
    phone: 'side',
    number: true,
    cell: ({ balance }) => <Quota of={balance} decimals={6} />,
  },
]

/** The kind, and in grey its calls or its reference, remark and author. */
function What({ row, href }: { row: StatementRow; href: string | undefined }) {
  const { t } = usePageContext()
  const { kind, calls, remark, actor } = row
  const details =
    kind === 'usage'
      ? [t('statement.calls_made', { count: calls, calls: grouped(calls) })]
      : [referenceText(row), remark, actor && t('user.ledger_by', { name: actor })]
  const more = details.filter(Boolean).join(' · ')
  return (
    <>
      {href ? (
        <PageLink href={href} className="hover:underline">
          {kindName(kind, t)}
        </PageLink>
      ) : (
        kindName(kind, t)
      )}{' '}
      {more && <span className="more font-normal wrap-anywhere">{more}</span>}
    </>
  )
}

const Change = ({ of }: { of: number }) => (
  <>
    {of > 0 && '+'}
    <Quota of={of} decimals={6} />
  </>
)
