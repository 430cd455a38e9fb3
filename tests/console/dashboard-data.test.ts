/** The API of the dashboard: rows by model and hour, of one user and of all. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import type { DataRow } from '../../src/contracts/dashboard.ts'
import type { LogEntry } from '../../src/contracts/log.ts'
import { rollUpUsage } from '../../src/domain/usage/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { spend } from '../support/people/usage-log.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const MONTH = 2_592_000
const QUOTA = 1_000_000_000

let root: Person
let ann: Person
let bob: Person
/** The hour of the last call. */
let last: number
let end: number

beforeAll(async () => {
  holdClock(true)
  root = await setUp()
  ann = await visitor(Role.user, QUOTA)
  bob = await visitor(Role.user, QUOTA)
  end = now()
  last = end - (end % HOUR)
  for (let call = 0; call < 60; call++) {
    const model = `model-${call % 3}`
    const at = end - Math.floor(((59 - call) * 3 * DAY) / 60)
    const spending = { model, at, quota: 1000 + call, input: 100 + call, output: 7 }
    await spend(call % 2 ? ann : bob, spending)
  }
  shiftClock(end - now())
})

const self = async (person: Person, query = ''): Promise<DataRow[]> =>
  (await person.get(`/api/data/self?${query}`)).data
const all = async (query = ''): Promise<DataRow[]> => (await root.get(`/api/data/?${query}`)).data

const sumOf = (rows: DataRow[]) => ({
  quota: rows.reduce((sum, row) => sum + row.quota, 0),
  tokens: rows.reduce((sum, row) => sum + row.token_used, 0),
  calls: rows.reduce((sum, row) => sum + row.count, 0),
})

/** Sums of the usage log of the same hours. */
async function logged(person: Person | undefined, from = 0, until = end) {
  const query = `p=1&page_size=100&type=2&start_timestamp=${from}&end_timestamp=${until}`
  const { data } = await (person ? person.get(`/api/log/self?${query}`) : root.get(`/api/log/?${query}`))
  const items: LogEntry[] = data.items
  return {
    quota: items.reduce((sum, entry) => sum + entry.quota, 0),
    tokens: items.reduce((sum, entry) => sum + entry.prompt_tokens + entry.completion_tokens, 0),
    calls: items.length,
  }
}

test('own rows have the fields of the API and add up to the log', async () => {
  const rows = await self(ann)
  expect(Object.keys(rows[0]!).sort()).toEqual(
    ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota'].sort(),
  )
  expect(
    rows.every(row => row.user_id === ann.id && row.username === ann.username && row.created_at % HOUR === 0),
  ).toBe(true)
  expect(new Set(rows.map(row => row.id)).size).toBe(rows.length)
  const hours = rows.map(row => row.created_at)
  expect(hours).toEqual([...hours].sort((one, other) => one - other))
  expect(sumOf(rows)).toEqual(await logged(ann))
  expect(await self(await visitor())).toEqual([])
})

test('rows of all users are summed by model and hour, before and after their hours are rolled up', async () => {
  const before = await all()
  expect(sumOf(before)).toEqual(await logged(undefined))
  expect(before.every(row => row.id === 0 && row.user_id === 0 && row.username === '')).toBe(true)
  const keys = before.map(row => `${row.created_at} ${row.model_name}`)
  expect(new Set(keys).size).toBe(keys.length)
  await rollUpUsage()
  expect(await all()).toEqual(before)
})

test('rows of a username are that user as it would see itself', async () => {
  expect(await all(`username=${bob.username}`)).toEqual(await self(bob))
  expect(await all('username=unknown')).toEqual([])
})

test('a range takes the hours that start in it', async () => {
  const span = (from: number, until: number) => `start_timestamp=${from}&end_timestamp=${until}`
  const from = last - DAY
  expect(sumOf(await all(span(from, last)))).toEqual(await logged(undefined, from, last + HOUR - 1))
  expect(sumOf(await all(span(from + 1, last - 1)))).toEqual(await logged(undefined, from + HOUR, last - 1))
  expect(await all(span(last + HOUR, last + DAY))).toEqual([])
  expect(await all(span(last, from))).toEqual([])
})

test('own rows of more than a month are refused in both languages', async () => {
  const query = (seconds: number) => `/api/data/self/?start_timestamp=${end - seconds}&end_timestamp=${end}`
  expect((await ann.get(query(MONTH))).success).toBe(true)
  expect(await ann.get(query(MONTH + 1))).toMatchObject({
    success: false,
    code: 'dashboard.range_too_long',
    message: 'The range must not exceed one month',
  })
  expect((await ann.get(query(MONTH + 1), { language: 'zh' })).message).toBe('时间跨度不能超过 1 个月')
  expect((await ann.get(`/api/data/self?start_timestamp=1`)).code).toBe('dashboard.range_too_long')
  expect((await root.get(`/api/data/?start_timestamp=${end - 100 * DAY}&end_timestamp=${end}`)).success).toBe(true)
  expect((await ann.get('/api/data/self?start_timestamp=soon')).status).toBe(400)
  expect((await ann.get('/api/data/self?start_timestamp=-1')).status).toBe(400)
})

test('rows of all users are refused to users', async () => {
  expect((await ann.get('/api/data/')).status).toBe(403)
  expect((await ann.get(`/api/data/?username=${ann.username}`)).status).toBe(403)
  expect((await (await visitor(Role.admin)).get('/api/data/')).success).toBe(true)
})
