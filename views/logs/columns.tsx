/** What the list says of an entry, and which of it the reader wants to see. */
import { PageLink } from '../../client/components/link.tsx'
import { At } from '../../client/components/moment.tsx'
import type { Column } from '../../client/components/table.tsx'
import type { MessageKey, Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { durationPace, firstTokenPace } from '../../src/pure/severity.ts'
import { ChannelCell, Cost, clipped, FailedCell, GroupCell, Paced, TokenCell, UserCell } from './cells.tsx'
import { durationOf, isConsumption, isError, nameOf, type Told } from './entry.ts'
import { type LogsView, logsAt } from './view.ts'

/** Columns that can be put away, in their order, with what they are called. */
const choices = {
  user: 'log.user',
  token: 'log.token',
  group: 'log.group',
  channel: 'log.channel',
  retry: 'log.retry',
  counts: 'log.counts',
  first: 'log.first',
  took: 'log.took',
} as const satisfies Record<string, MessageKey>

type Choice = keyof typeof choices
const choiceIds = Object.keys(choices) as Choice[]

/** What only those see who see everyone's calls. */
const operators: Choice[] = ['user', 'channel', 'retry']

export const columnChoices = (t: Translate, whole: boolean) =>
  choiceIds.filter(id => whole || !operators.includes(id)).map(id => ({ id, label: t(choices[id]) }))

export const logColumns = { cookie: 'log-columns', ids: choiceIds }

interface Showing {
  t: Translate
  view: LogsView
  whole: boolean
  hidden: string[]
  /** The entry that is open. */
  open: number | undefined
}

export function columnsOf({ t, view, whole, hidden, open }: Showing): Column<Told>[] {
  const wanted = columnChoices(t, whole).filter(({ id }) => !hidden.includes(id))
  const shares = whole ? sharesOfMany : sharesOfFew
  const showRetries = wanted.some(({ id }) => id === 'retry')
  const cells = cellsOf({ t, view, shares, showRetries })
  return [
    {
      id: 'time',
      head: t('log.time'),
      phone: 'side',
      className: 'ink-2',
      cell: entry => <At at={entry.created_at} show="near" />,
    },
    {
      id: 'model',
      head: t('log.model'),
      phone: 'main',
      className: shares.model,
      cell: entry => (
        <PageLink className={clipped} href={logsAt(view, entry.id === open ? undefined : { open: entry.id })}>
          {nameOf(entry, t)}
        </PageLink>
      ),
    },
    ...wanted.flatMap(({ id, label }) => cells[id].map(cell => ({ id, head: label, ...cell }))),
    { id: 'cost', head: t('log.cost'), phone: 'fig', num: true, cell: Cost },
  ]
}

/** On wide screens names have a share of the width and are cut there; figures never give way. */
const sharesOfMany = {
  model: 'min-[75rem]:max-w-0 min-[75rem]:w-[14.5%]',
  user: 'min-[75rem]:max-w-0 min-[75rem]:w-[7.5%]',
  token: 'min-[75rem]:max-w-0 min-[75rem]:w-[15%]',
  group: 'min-[75rem]:max-w-0 min-[75rem]:w-[11.5%]',
  channel: 'min-[75rem]:max-w-0 min-[75rem]:w-[11.5%]',
}
const sharesOfFew: typeof sharesOfMany = {
  ...sharesOfMany,
  model: 'min-[75rem]:max-w-0 min-[75rem]:w-[24%]',
  token: 'min-[75rem]:max-w-0 min-[75rem]:w-[20%]',
}

interface Cells {
  t: Translate
  view: LogsView
  shares: typeof sharesOfMany
  showRetries: boolean
}

/** `retry` is a flag at the token. */
function cellsOf({
  t,
  view,
  shares,
  showRetries,
}: Cells): Record<Choice, (Pick<Column<Told>, 'cell'> & Partial<Column<Told>>)[]> {
  return {
    user: [
      {
        opt: true,
        className: shares.user,
        cell: entry => <UserCell {...entry} href={logsAt(view, { user: entry.user_id })} />,
      },
    ],
    token: [
      { phone: 'sub', className: shares.token, cell: entry => <TokenCell entry={entry} showRetries={showRetries} /> },
    ],
    group: [{ opt: true, className: `max-[78rem]:hidden ${shares.group}`, cell: GroupCell }],
    channel: [{ opt: true, className: `ink-2 max-[87rem]:hidden ${shares.channel}`, cell: ChannelCell }],
    retry: [],
    counts: [
      {
        id: 'input',
        head: t('log.input'),
        num: true,
        span: entry => (isError(entry) ? 2 : 1),
        cell: entry =>
          isError(entry) ? <FailedCell {...entry} /> : isConsumption(entry) && grouped(entry.prompt_tokens),
      },
      {
        id: 'output',
        head: t('log.output'),
        num: true,
        cell: entry => isConsumption(entry) && grouped(entry.completion_tokens),
      },
    ],
    first: [
      {
        num: true,
        opt: true,
        className: 'max-[85rem]:hidden',
        cell: entry => isConsumption(entry) && <Paced ms={entry.details.frt} paceOf={firstTokenPace} />,
      },
    ],
    took: [
      {
        num: true,
        opt: true,
        cell: entry => isConsumption(entry) && <Paced ms={durationOf(entry)} paceOf={durationPace} decimals={1} />,
      },
    ],
  }
}
