/** The usage log page: figures, filters, entries. */
import type { ReactNode } from 'react'
import { Chip, Chips } from '../../client/components/badge.tsx'
import { ColumnChoice } from '../../client/components/column-choice.tsx'
import { ExportLink } from '../../client/components/export-link.tsx'
import { Day } from '../../client/components/moment.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { PageHead } from '../../client/components/page-head.tsx'
import { Pager } from '../../client/components/pager.tsx'
import { Table } from '../../client/components/table.tsx'
import { balanceText } from '../../src/billing/quota.ts'
import {
  LOGS_PATH,
  type LogClearing,
  type LogFailures,
  type LogListing,
  type LogStat,
  type PulseBar,
  type SavedFilter,
} from '../../src/contracts/log.ts'
import { percent, short } from '../../src/pure/number.ts'
import { clock, day } from '../../src/pure/time.ts'
import type { LogFiltersProps } from './choices.ts'
import { Clearing } from './clearing.tsx'
import { columnChoices, columnsOf } from './columns.tsx'
import { Detail } from './detail.tsx'
import { entryView, type LogEntryView, nameOf, type OpenedCall } from './entry.ts'
import { Failures } from './failures.tsx'
import { LogFilters } from './filters.tsx'
import { LiveSwitch, NewEntries } from './live.tsx'
import { NoEntries } from './no-entries.tsx'
import { Pulse } from './pulse.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { exportAt, logsAt } from './view.ts'

export interface LogsProps extends LogFiltersProps {
  list: LogListing
  /** Id of the reader. */
  reader: number
  stat: LogStat
  /** Ids of hidden columns. */
  hidden: string[]
  /** The open entry. */
  opened?: OpenedCall
  /** The switch for new entries is on. */
  live: boolean
  /** Id of the newest entry, where new ones are announced. */
  newest?: number
  /** Unix seconds of the newest entry that matches in any range, when this range has none. */
  last?: number
  /** Totals of the errors view, of all reasons. */
  failures?: LogFailures & { calls: number }
  /** Whether failed calls are recorded. */
  records_errors: boolean
  pulse: PulseBar[]
  saved: SavedFilter[]
  /** Progress of a clearing. */
  clearing?: LogClearing
  /** Dialog over the list. */
  overlay?: ReactNode
}

export function Logs(props: LogsProps) {
  const { list, hidden, opened, reader, live, newest, last, clearing, overlay } = props
  const { stat, failures, records_errors, pulse, saved, ...filtering } = props
  const { t } = usePageContext()
  const { view, isOperator } = filtering
  return (
    <>
      <PageHead title={t('log.title')}>
        <LiveSwitch isOn={live} view={view} />
        <ColumnChoice
          action={`${LOGS_PATH}/columns`}
          choices={columnChoices(t, isOperator)}
          hidden={hidden}
          returnTo={logsAt(view)}
        />
        <ExportLink href={exportAt(view)} />
      </PageHead>
      {clearing && <Clearing clearing={clearing} />}
      {failures ? <Failures failures={failures} stat={stat} view={view} /> : <Figures stat={stat} />}
      <LogFilters {...filtering} />
      <SavedFilters filters={saved} view={view} />
      {pulse.some(({ calls, failed }) => calls || failed) && <Pulse bars={pulse} view={view} />}
      {list.items.length ? (
        <Entries list={list} isOperator={isOperator} hidden={hidden} opened={opened} view={view} reader={reader} />
      ) : (
        <NoEntries
          view={view}
          last={last}
          isOperator={isOperator}
          isUnrecorded={failures !== undefined && !records_errors}
        />
      )}
      {newest !== undefined && <NewEntries view={view} newest={newest} />}
      {overlay}
    </>
  )
}

function Figures({ stat: { quota, prompt_tokens, completion_tokens, rpm, tpm } }: { stat: LogStat }) {
  const { t, currency } = usePageContext()
  const tokens = prompt_tokens + completion_tokens
  return (
    <Chips>
      <Chip label={t('log.quota')} value={balanceText(quota, currency)} />
      <Chip label={t('log.tokens')} value={short(tokens)} />
      <Chip label={t('log.input')} value={short(prompt_tokens)} small={percent(prompt_tokens, tokens)} />
      <Chip label={t('log.output')} value={short(completion_tokens)} small={percent(completion_tokens, tokens)} />
      <Chip label={t('log.rpm')} value={short(rpm)} />
      <Chip label={t('log.tpm')} value={short(tpm)} />
    </Chips>
  )
}

type EntriesProps = Pick<LogsProps, 'list' | 'hidden' | 'view' | 'opened' | 'reader'> & { isOperator: boolean }

function Entries({ list, isOperator, hidden, view, opened, reader }: EntriesProps) {
  const { t, zone } = usePageContext()
  const open = opened?.id
  const isOpen = ({ id }: LogEntryView) => id === open
  const dayOf = ({ created_at }: LogEntryView) => day(created_at, zone)
  return (
    <>
      <Table
        label={t('log.title')}
        dense
        columns={columnsOf({ t, view, isOperator, hidden, open, reader })}
        rows={list.items.map(entryView)}
        headingOf={(entry, above) =>
          above && dayOf(above) === dayOf(entry) ? undefined : <Day at={entry.created_at} />
        }
        keyOf={entry => entry.id}
        nameOf={entry => t('log.receipt_of', { model: nameOf(entry, t), time: clock(entry.created_at, zone) })}
        fold={{
          isOpen,
          hrefOf: entry => logsAt(view, isOpen(entry) ? undefined : { open: entry.id }),
          inside: entry => <Detail entry={entry} opened={opened} view={view} isOperator={isOperator} reader={reader} />,
        }}
      />
      <Pager
        page={list.page}
        size={list.page_size}
        total={list.total}
        capped={list.capped}
        hrefOf={page => logsAt({ ...view, page })}
      />
    </>
  )
}
