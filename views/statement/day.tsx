/** Drawer with the usage of a day: its models and API keys, and the way to its calls. */
import { Drawer } from '../../client/components/drawer.tsx'
import { Quota } from '../../client/components/money.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type Column, Table } from '../../client/components/table.tsx'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { typed } from '../../src/pure/time.ts'
import { logsAt } from '../logs/view.ts'

/** A model or API key with its part of the day. */
export interface DayShare {
  /** Name of the model, id of the key; 0 for the playground. */
  key: string
  /** Absent for a deleted key. */
  name?: string
  calls: number
  /** Charged. */
  quota: number
}

export interface DayView {
  /** UTC, as `2026-11-22`. */
  day: string
  /** Unix seconds. */
  start: number
  models: DayShare[]
  keys: DayShare[]
  /** Whose calls the log is to show, for administrators. */
  username?: string
}

interface DayDrawerProps {
  of: DayView
  close: string
}

const LAST_SECOND = 86_399

export function DayDrawer({ of: { day, start, models, keys, username }, close }: DayDrawerProps) {
  const { t, zone } = usePageContext()
  const span = { range: 'custom', from: typed(start, zone), to: typed(start + LAST_SECOND, zone) } as const
  const calls = (
    <a className="btn" href={logsAt({ ...span, username })}>
      {t('statement.show_calls')}
    </a>
  )
  return (
    <Drawer title={t('statement.day_title', { day })} close={close} footer={calls}>
      <Shares label={t('log.model')} rows={models} nameOf={({ key }) => key} />
      <Shares label={t('log.token')} rows={keys} nameOf={share => keyName(share, t)} />
    </Drawer>
  )
}

const keyName = ({ key, name }: DayShare, t: Translate) =>
  name ?? (key === '0' ? t('playground.title') : t('statement.deleted_key', { id: key }))

function Shares({ label, rows, nameOf }: { label: string; rows: DayShare[]; nameOf: (share: DayShare) => string }) {
  const { t } = usePageContext()
  const columns: Column<DayShare>[] = [
    { id: 'name', head: label, phone: 'title', cell: nameOf, className: 'wrap-anywhere' },
    {
      id: 'calls',
      head: t('log.calls'),
      phone: 'side',
      number: true,
      cell: ({ calls }) => (
        <>
          <span className="wide-only">{grouped(calls)}</span>
          <span className="sm:hidden">{t('statement.calls_made', { count: calls, calls: grouped(calls) })}</span>
        </>
      ),
    },
    {
      id: 'cost',
      head: t('log.cost'),
      phone: 'figure',
      number: true,
      cell: ({ quota }) => <Quota of={quota} decimals={6} />,
    },
  ]
  return (
    <div className="statement mb-6">
      <Table label={label} columns={columns} rows={rows} keyOf={({ key }) => `${label}-${key}`} nameOf={nameOf} dense />
    </div>
  )
}
