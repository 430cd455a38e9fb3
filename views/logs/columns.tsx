/** Columns of the usage log, and those that a reader can hide. */
import { optionalColumns } from '../../client/components/column-choice.tsx'
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import type { Column } from '../../client/components/table.tsx'
import { LogType } from '../../src/contracts/log.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { durationPace, firstTokenPace } from '../../src/pure/severity.ts'
import {
  ChannelCell,
  CostCell,
  Duration,
  ErrorCell,
  ErrorText,
  GroupCell,
  TokenCell,
  truncated,
  UserCell,
} from './cells.tsx'
import { durationOf, isConsumption, isError, type LogEntryView, nameOf } from './entry.ts'
import { type LogsView, logsAt } from './view.ts'

/** From 77rem on, names give up their slack so that every column has room. */
const hiddenBelowRoom = 'max-[77rem]:hidden'
const inRoom = 'min-[77rem]:hidden'

export const logColumns = optionalColumns(
  'log-columns',
  {
    user: 'log.user',
    token: 'log.token',
    group: 'log.group',
    channel: 'log.channel',
    retry: 'log.retry',
    counts: 'log.counts',
    first: 'log.first',
    took: 'log.took',
  },
  { group: inRoom, channel: inRoom, first: inRoom },
)

type OptionalColumn = (typeof logColumns.ids)[number]

/** Columns for administrators. */
const operatorsOnly: OptionalColumn[] = ['user', 'channel', 'retry']

export const columnChoices = (t: Translate, isOperator: boolean) =>
  logColumns.choices(t).filter(({ id }) => isOperator || !operatorsOnly.includes(id))

interface ColumnContext {
  t: Translate
  view: LogsView
  isOperator: boolean
  hidden: string[]
  /** Id of the open entry. */
  open: number | undefined
  /** Id of the reader. */
  reader: number
}

export function columnsOf({ t, view, isOperator, hidden, open, reader }: ColumnContext): Column<LogEntryView>[] {
  const shown = columnChoices(t, isOperator).filter(({ id }) => !hidden.includes(id))
  const shares = isOperator ? operatorWidths : userWidths
  const showRetries = shown.some(({ id }) => id === 'retry')
  const cells = { ...cellsOf({ t, view, shares, showRetries, reader }), ...(view.type === LogType.error && errorCells) }
  return [
    {
      id: 'time',
      head: t('log.time'),
      phone: 'side',
      className: 'ink-2',
      cell: entry => <At at={entry.created_at} show="clock" />,
    },
    {
      id: 'model',
      head: t('log.model'),
      phone: 'title',
      className: shares.model,
      cell: entry => (
        <PageLink className={truncated} href={logsAt(view, entry.id === open ? undefined : { open: entry.id })}>
          {nameOf(entry, t)}
        </PageLink>
      ),
    },
    ...shown.flatMap(({ id, label }) => cells[id].map(cell => ({ id, head: label, ...cell }))),
    ...(view.type === LogType.error ? [errorColumn(t)] : []),
    { id: 'cost', head: t('log.cost'), phone: 'figure', number: true, cell: CostCell },
  ]
}

/** In the errors view: its text has the place of the figures, which failed calls do not have. */
const errorCells = { counts: [], first: [], took: [] }

const errorColumn = (t: Translate): Column<LogEntryView> => ({
  id: 'error',
  head: t('log.error'),
  className: 'min-[75rem]:max-w-0 min-[75rem]:w-[28%]',
  cell: ErrorText,
})

/** From 75rem on, name columns have a share of the width and are truncated; figure columns are not. */
const operatorWidths = {
  model: 'min-[75rem]:max-w-0 min-[75rem]:w-[14.5%]',
  user: 'min-[75rem]:max-w-0 min-[75rem]:w-[7.5%]',
  token: 'min-[75rem]:max-w-0 min-[75rem]:w-[15%]',
  group: 'min-[75rem]:max-w-0 min-[75rem]:w-[11.5%]',
  channel: 'min-[75rem]:max-w-0 min-[75rem]:w-[11.5%]',
}
const userWidths: typeof operatorWidths = {
  ...operatorWidths,
  model: 'min-[75rem]:max-w-0 min-[75rem]:w-[24%]',
  token: 'min-[75rem]:max-w-0 min-[75rem]:w-[20%]',
}

interface CellContext {
  t: Translate
  view: LogsView
  shares: typeof operatorWidths
  showRetries: boolean
  reader: number
}

/** The column `retry` is a flag in the token column. */
function cellsOf({
  t,
  view,
  shares,
  showRetries,
  reader,
}: CellContext): Record<OptionalColumn, (Pick<Column<LogEntryView>, 'cell'> & Partial<Column<LogEntryView>>)[]> {
  return {
    user: [
      {
        optional: true,
        className: shares.user,
        cell: entry => <UserCell {...entry} href={logsAt(view, { user: entry.user_id })} />,
      },
    ],
    token: [
      {
        phone: 'detail',
        className: shares.token,
        cell: entry => <TokenCell entry={entry} showRetries={showRetries} reader={reader} />,
      },
    ],
    group: [{ optional: true, className: `${hiddenBelowRoom} ${shares.group}`, cell: GroupCell }],
    channel: [{ optional: true, className: `ink-2 ${hiddenBelowRoom} ${shares.channel}`, cell: ChannelCell }],
    retry: [],
    counts: [
      {
        id: 'input',
        head: t('log.input'),
        number: true,
        span: entry => (isError(entry) ? 2 : 1),
        cell: entry =>
          isError(entry) ? <ErrorCell {...entry} /> : isConsumption(entry) && grouped(entry.prompt_tokens),
      },
      {
        id: 'output',
        head: t('log.output'),
        number: true,
        cell: entry => isConsumption(entry) && grouped(entry.completion_tokens),
      },
    ],
    first: [
      {
        number: true,
        optional: true,
        className: hiddenBelowRoom,
        cell: entry => isConsumption(entry) && <Duration ms={entry.details.frt} paceOf={firstTokenPace} />,
      },
    ],
    took: [
      {
        number: true,
        optional: true,
        cell: entry => isConsumption(entry) && <Duration ms={durationOf(entry)} paceOf={durationPace} />,
      },
    ],
  }
}
