// @engine postgres
// @waits
/** Budgets over two nodes on PostgreSQL and Redis: exact under parallel calls, at the edges of windows, and when a node dies. */
import { expect, test } from 'bun:test'
import { checkInvariants } from '../support/cluster/invariants.ts'
import {
  callAt,
  callMany,
  type LimitedCaller,
  limitedCaller,
  limitedNodes,
  MODEL,
} from '../support/cluster/limited-nodes.ts'
import { OVERDUE } from '../support/cluster/overdue.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat, hangs } from '../support/upstream/chat-scripts.ts'

const [FITTING, CALLS] = [7, 100]
const site = await limitedNodes()
const { first, nodes, place, root, second, upstream } = site

interface Row {
  start: number
  used: number
}

async function rowsOf(query: string): Promise<Row[]> {
  const rows = (await place.read(query)) as Record<keyof Row, unknown>[]
  return rows.map(({ start, used }) => ({ start: Number(start), used: Number(used) }))
}

const windowsOf = (id: number) =>
  rowsOf(`select start, used from budget_windows where budget_id = ${id} and used > 0 order by start`)
const holdsOf = (id: number) => rowsOf(`select start, amount as used from budget_holds where budget_id = ${id}`)

/** A user with a key and a budget of one of them. */
async function budgeted(name: string, owner: 'user' | 'token', fields: object) {
  const one = await limitedCaller(site, name, {})
  const [key] = (await place.read(`select id from tokens where user_id = ${one.id}`)) as { id: unknown }[]
  const owner_id = owner === 'user' ? one.id : Number(key!.id)
  const body = { owner, owner_id, name, unit: 'calls', amount: FITTING, window: 'all', ...fields }
  const { data } = await sendWell(first.url, root, '/api/budget/', { body })
  return { one, id: data.id as number }
}

let turn = 0
const byTurns = (one: LimitedCaller) => () => callAt(nodes[turn++ % nodes.length]!.url, one)

const windows = [
  ['all time', { window: 'all' }],
  ['a rolling window', { window: 'rolling', seconds: 18_000 }],
  ['a fixed window', { window: 'fixed', seconds: 315_576_000 }],
  ['a day', { window: 'day', zone: 'Asia/Shanghai' }],
  ['a week', { window: 'week', zone: 'America/New_York' }],
  ['a month', { window: 'month', zone: 'UTC' }],
] as const

test.each(
  (['user', 'token'] as const).flatMap(owner => windows.map(([name, fields]) => [owner, name, fields] as const)),
)('a budget of a %s for seven calls in %s: seven of a hundred pass over two nodes', async (owner, name, fields) => {
  const { one, id } = await budgeted(`${owner}${name.replaceAll(' ', '')}`, owner, fields)
  expect(await callMany(byTurns(one), CALLS, CALLS)).toEqual({ 200: FITTING, 429: CALLS - FITTING })
  expect(await windowsOf(id)).toMatchObject([{ used: FITTING }])
  expect(await holdsOf(id)).toEqual([])
  await checkInvariants(place)
})

test('a budget of a channel for seven calls: seven of a hundred pass over two nodes', async () => {
  const [channel] = (await place.read('select id from channels')) as { id: unknown }[]
  const body = { owner: 'channel', owner_id: Number(channel!.id), name: 'of channel', unit: 'calls', amount: FITTING }
  const { data } = await sendWell(first.url, root, '/api/budget/', { body: { ...body, window: 'all' } })
  const one = await limitedCaller(site, 'channel', {})
  expect(await callMany(byTurns(one), CALLS, CALLS)).toEqual({ 200: FITTING, 429: CALLS - FITTING })
  expect(await windowsOf(data.id)).toMatchObject([{ used: FITTING }])
  await sendWell(first.url, root, `/api/budget/${data.id}`, { method: 'DELETE' })
  await until(async () => (await Promise.all(nodes.map(({ url }) => callAt(url, one)))).every(one => one === 200))
  await checkInvariants(place)
})

const SECONDS = 3

test.each([
  ['fixed', { window: 'fixed', seconds: SECONDS }],
  ['rolling', { window: 'rolling', seconds: SECONDS }],
  ['fixed, of a second', { window: 'fixed', seconds: 1 }],
] as const)(
  'over the edges of %s windows no window has more than seven, and all that passed is in one',
  async (name, fields) => {
    const { one, id } = await budgeted(`edge${name.replaceAll(/\W/g, '')}`, 'token', fields)
    const statuses: number[] = []
    let isOver = false
    const caller = async (_: unknown, index: number) => {
      while (!isOver) statuses.push(await callAt(nodes[index % 2]!.url, one))
    }
    const calling = Promise.all(Array.from({ length: 12 }, caller))
    await until(async () => (await windowsOf(id)).length >= 5, 'five windows')
    isOver = true
    await calling
    const found = await windowsOf(id)
    expect([...new Set(statuses)].sort()).toEqual([200, 429])
    expect(found.reduce((sum, { used }) => sum + used, 0)).toBe(statuses.filter(status => status === 200).length)
    // The first and the last window may have begun before the callers or end after them.
    expect(found.slice(1, -1).map(({ used }) => used)).toEqual(found.slice(1, -1).map(() => FITTING))
    expect(Math.max(...found.map(({ used }) => used))).toBe(FITTING)
    await checkInvariants(place)
  },
)

test('a killed node frees what it held of a budget for the other one', async () => {
  const { one, id } = await budgeted('killed', 'token', {})
  upstream.scripts(MODEL, hangs())
  const lost = Array.from({ length: FITTING }, () => callAt(second.url, one).catch(() => 0))
  await until(async () => (await holdsOf(id)).length === FITTING, 'all is held')
  expect(await callAt(first.url, one)).toBe(429)
  await second.stop('SIGKILL')
  expect(await Promise.all(lost)).toEqual(lost.map(() => 0))
  upstream.scripts(MODEL, chat())
  await place.change(OVERDUE)
  await until(async () => (await holdsOf(id)).length === 0, 'nothing is held')
  expect(await callMany(() => callAt(first.url, one), CALLS, CALLS)).toEqual({ 200: FITTING, 429: CALLS - FITTING })
  await checkInvariants(place)
})
