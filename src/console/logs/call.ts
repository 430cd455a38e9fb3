/** A recorded call as its page shows it: with its entry, names of channels, and its choice made again. */
import type { CallView } from '../../../views/logs/call-view.ts'
import { entryView, isConsumption } from '../../../views/logs/entry.ts'
import type { CallRecord, MetLimit, RecordedAttempt } from '../../contracts/call-record.ts'
import { type Attempt, detailsOf } from '../../contracts/log.ts'
import { budgetNames } from '../../domain/budgets/index.ts'
import { channelNames } from '../../domain/channels/index.ts'
import { entriesOfRecord, type LogRow, type StoredCallRecord } from '../../domain/logs/index.ts'
import { replay } from '../../domain/routing/index.ts'
import type { Language } from '../../locales/languages.ts'
import { entriesOf } from './entries.ts'

export async function callView(stored: StoredCallRecord, isOperator: boolean, language: Language): Promise<CallView> {
  const { request_id, created_at: at, record } = stored
  const rows = await entriesOfRecord(stored)
  const row = rows.find(isConsumed) ?? rows.at(-1)
  const [entry] = row ? await entriesOf([row], isOperator, language) : []
  const shown = { request_id, at, entry: entry && entryView(entry) }
  if (!isOperator) {
    const own = withoutChannels(record)
    return { ...shown, budgets: await budgetNames(budgetsIn(own)), record: own }
  }
  const ids = new Set([...record.candidates, ...record.attempts.map(({ channel: id }) => ({ id }))].map(({ id }) => id))
  const names = new Map((await channelNames([...ids].filter(id => id > 0))).map(({ id, name }) => [id, name]))
  return {
    ...shown,
    budgets: await budgetNames(budgetsIn(record)),
    record: { ...record, attempts: withReasons(record.attempts, row) },
    selection: { group: row?.group ?? '', names, replayed: replay(record) },
  }
}

/** Limits whose value is the id of a budget. */
const ofChannels: readonly MetLimit[] = ['budget', 'budget_ended']
const ofBudgets: readonly MetLimit[] = [...ofChannels, 'own_budget', 'own_budget_ended']

const budgetsIn = ({ limits }: CallRecord): number[] =>
  limits.filter(({ limit }) => ofBudgets.includes(limit)).map(({ value }) => value)

const isConsumed = (row: LogRow) => isConsumption({ ...row, channel_name: '' })

/** A user does not see which channels there are, nor what they say. */
const withoutChannels = (record: CallRecord): CallRecord => ({
  ...record,
  attempts: record.attempts.map(one => ({ ...one, channel: 0, reason: '' })),
  candidates: [],
  candidates_left_out: 0,
  picks: [],
  limits: record.limits.filter(({ limit }) => !ofChannels.includes(limit)),
})

/** The entry has reasons in full, while it is kept. */
function withReasons(attempts: RecordedAttempt[], row: LogRow | undefined): RecordedAttempt[] {
  const logged: readonly Attempt[] = (row && detailsOf(row).admin_info?.attempts) || []
  return attempts.map((attempt, at) => {
    const full = logged[at]
    return full?.channel === attempt.channel && full.reason ? { ...attempt, reason: full.reason } : attempt
  })
}
