// @engine both
/** Lists and totals of a log with 20,000 generated entries: right under every filter, and led by an index. */
import { beforeAll, expect, test } from 'bun:test'
import { desc } from 'drizzle-orm'
import { type LogEntry, type LogStat, LogType } from '../../src/contracts/log.ts'
import { db, sqlite } from '../../src/db/database.ts'
import { conditionOf, type LogRow, type LogScope, matchesModel } from '../../src/domain/logs/index.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { now } from '../../src/process/clock.ts'
import { CHANNELS, FIRST_ID, generateCalls, modelName } from '../support/people/many-calls.ts'
import { type Person, setUp } from '../support/people/person.ts'

const until = now()
const HOUR = 3600
const common = modelName(0)
const served = FIRST_ID + 1
const unserved = FIRST_ID + (CHANNELS >> 1)
const lastDay = { start_timestamp: until - 24 * HOUR, end_timestamp: until + HOUR }

const filters: Record<string, Partial<LogScope> & { username?: string }> = {
  all: {},
  'last day': lastDay,
  user: { username: 'person-0' },
  errors: { type: LogType.error },
  'errors of a user': { type: LogType.error, username: 'person-0' },
  consumption: { type: LogType.consume, ...lastDay },
  model: { model_name: common },
  pattern: { model_name: 'vendor-3*' },
  token: { token_name: 'key-7' },
  group: { group: 'svip' },
  channel: { channel: served },
  'model and channel': { model_name: common, channel: served },
  'model and channel without an entry': { model_name: common, channel: unserved },
  'pattern and channel': { model_name: '*model-1*', channel: served, ...lastDay },
  'group and channel': { group: 'vip', channel: served },
  'token and model': { token_name: 'key-7', model_name: modelName(31) },
  'group and model of a user': { username: 'person-0', group: 'default', model_name: common },
}

let root: Person
let entries: LogRow[]

beforeAll(async () => {
  root = await setUp()
  await generateCalls({ rows: 20_000, days: 3, until })
  entries = await db.select().from(logs).orderBy(desc(logs.created_at), desc(logs.id))
})

const queryOf = (filter: object) =>
  new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)] as [string, string]))

function matches(row: LogRow, filter: (typeof filters)[string]): boolean {
  const { start_timestamp = 0, end_timestamp = Number.POSITIVE_INFINITY, model_name, ...exact } = filter
  return (
    row.created_at >= start_timestamp &&
    row.created_at <= end_timestamp &&
    (model_name === undefined || matchesModel(row.model_name, model_name)) &&
    Object.entries(exact).every(([name, value]) => row[name as keyof LogRow] === value)
  )
}

test.each(Object.entries(filters))(
  'the filter %s lists and adds up what a look at every entry finds',
  async (_, filter) => {
    const found = entries.filter(row => matches(row, filter))
    const { data } = await root.get(`/api/log/?page_size=20&p=2&${queryOf(filter)}`)
    expect(data.items.map((entry: LogEntry) => entry.id)).toEqual(found.slice(20, 40).map(row => row.id))
    expect(data.total).toBe(Math.min(found.length, 10_000))
    const type = filter.type ?? LogType.consume
    const counted = entries.filter(row => matches(row, { ...filter, type }))
    const sum = (name: 'quota' | 'prompt_tokens') => counted.reduce((total, row) => total + row[name], 0)
    const stat = (await root.get(`/api/log/stat?${queryOf(filter)}`)).data as LogStat
    const isCall = type === LogType.consume
    expect([stat.quota, isCall && stat.prompt_tokens]).toEqual([sum('quota'), isCall && sum('prompt_tokens')])
  },
)

test('a list walks one index and sorts no more than the entries of a second', async () => {
  if (!sqlite) return
  const calls: typeof filters = {
    calls: { calls_only: true },
    'calls of a user': { calls_only: true, username: 'person-0' },
    'all consumption': { type: LogType.consume },
  }
  const cases = Object.entries({ ...filters, ...calls }).flatMap(one => [1, 20].map(size => [...one, size] as const))
  for (const [name, { username, ...rest }, size] of cases) {
    const scope = username ? { ...rest, user_id: FIRST_ID } : rest
    const { sql, params } = db
      .select()
      .from(logs)
      .where(await conditionOf(scope))
      .orderBy(desc(logs.created_at), desc(logs.id))
      .limit(size)
      .toSQL()
    const plan = sqlite.query<{ detail: string }, never[]>(`explain query plan ${sql}`).all(...(params as never[]))
    const steps = plan.map(step => step.detail).join('; ')
    expect([name, steps]).toEqual([name, expect.stringMatching(/^(SEARCH|SCAN) logs USING INDEX logs_/)])
    // Only entries of the same second are sorted; a pattern of models is the only filter with several values.
    const sorts = steps.includes('TEMP B-TREE FOR ORDER BY')
    if (!name.startsWith('pattern')) expect([name, sorts]).toEqual([name, false])
  }
})

test('generated calls agree with their balances and totals', async () => {
  expect((await auditWallets()).difference).toBeUndefined()
})
