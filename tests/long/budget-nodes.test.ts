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
import { holding } from '../support/postgres/locks.ts'
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

test('a budget for seven calls of each key of a channel: fourteen of a hundred pass over two nodes', async () => {
  const [channel] = (await place.read('select id from channels')) as { id: unknown }[]
  const id = Number(channel!.id)
  upstream.keys.add('sk-second')
  await sendWell(first.url, root, '/api/channel/', { method: 'PUT', body: { id, key: 'sk-upstream\nsk-second' } })
  const body = { owner: 'channel', owner_id: id, name: 'of keys', unit: 'calls', amount: FITTING, per_key: true }
  const { data } = await sendWell(first.url, root, '/api/budget/', { body: { ...body, window: 'all' } })
  const one = await limitedCaller(site, 'keys', {})
  expect(await callMany(byTurns(one), CALLS, CALLS)).toEqual({ 200: 2 * FITTING, 429: CALLS - 2 * FITTING })
  await sendWell(first.url, root, `/api/budget/${data.id}`, { method: 'DELETE' })
  await sendWell(first.url, root, '/api/channel/', { method: 'PUT', body: { id, key: 'sk-upstream' } })
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

const NOTICED = 20

/** Percents of the notices of a budget that someone has, in their order. */
async function percentsOf(user_id: number, budget: string): Promise<number[]> {
  const rows = (await place.read(`select title from messages join message_recipients on message_id = messages.id
    where user_id = ${user_id} and title like '%${budget}%' order by messages.id`)) as { title: string }[]
  return rows.map(({ title }) => Number(/(\d+) ?%/.exec(title)![1]))
}

test.each([
  ['user', 1],
  ['token', 1],
  ['token', 8],
  ['channel', 1],
] as const)('a budget of a %s notifies once at 50, 80 and 100 %% over two nodes (%p at once)', async (owner, many) => {
  const names = Array.from({ length: many }, (_, index) => `noticed${owner}${many}${'abcdefgh'[index]}`)
  await Promise.all(names.map(name => noticedOnce(owner, name)))
  await checkInvariants(place)
})

/** A budget and a caller of it, with the user who reads its notices. */
async function noticed(owner: 'user' | 'token' | 'channel', name: string) {
  if (owner !== 'channel') {
    const { one, id } = await budgeted(name, owner, { amount: NOTICED })
    return { one, id, reader: one.id }
  }
  const [found] = (await place.read(`select id as channel, (select min(id) from users) as root from channels`)) as {
    channel: unknown
    root: unknown
  }[]
  const body = { owner, owner_id: Number(found!.channel), name, unit: 'calls', amount: NOTICED, window: 'all' }
  const { data } = await sendWell(first.url, root, '/api/budget/', { body })
  return { one: await limitedCaller(site, name, {}), id: data.id as number, reader: Number(found!.root) }
}

async function noticedOnce(owner: 'user' | 'token' | 'channel', name: string) {
  const { one, id, reader } = await noticed(owner, name)
  const passing = async (count: number, calls: number, ...percents: number[]) => {
    const statuses = await callMany(byTurns(one), calls, calls)
    expect(statuses[200]).toBe(count)
    await until(async () => (await percentsOf(reader, name)).length >= percents.length, `notices at ${percents}`)
    await Bun.sleep(500)
    expect(await percentsOf(reader, name)).toEqual(percents)
  }
  await passing(9, 9)
  await passing(1, 1, 50)
  await passing(6, 6, 50, 80)
  await passing(4, 40, 50, 80, 100)
  if (owner === 'channel') await sendWell(first.url, root, `/api/budget/${id}`, { method: 'DELETE' })
}

/** Budgets of its user, key and channel, which calls do not use up. */
async function withThree(name: string) {
  const { one } = await budgeted(name, 'user', { amount: 1_000_000 })
  const owners = (await place.read(`select 'token' as owner, id from tokens where user_id = ${one.id}
    union all select 'channel', id from channels`)) as { owner: string; id: unknown }[]
  const made: { owner: string; owner_id: number; id: number }[] = []
  for (const { owner, id } of owners) {
    const body = { owner, owner_id: Number(id), name: `${name} ${owner}`, unit: 'quota', amount: 1_000_000_000 }
    const { data } = await sendWell(first.url, root, '/api/budget/', {
      body: { ...body, window: 'rolling', seconds: 600 },
    })
    made.push({ owner, owner_id: Number(id), id: data.id })
  }
  const channel = made.find(({ owner }) => owner === 'channel')!
  const remove = () => sendWell(first.url, root, `/api/budget/${channel.id}`, { method: 'DELETE' })
  return { one, made, channel, remove }
}

const MANY = 300

test('calls with three budgets each share transactions, and all are booked', async () => {
  const { one, made, remove } = await withThree('shared')
  // What a session has committed is counted when it is idle for a while.
  const commits = async () => {
    await Bun.sleep(1200)
    const query = 'select xact_commit as used, 0 as start from pg_stat_database where datname = current_database()'
    return (await rowsOf(query))[0]!.used
  }
  const before = await commits()
  expect(await callMany(() => callAt(first.url, one), MANY, CALLS)).toEqual({ 200: MANY })
  expect((await commits()) - before).toBeLessThan(MANY / 2)
  const [bills] = await rowsOf(`select 0 as start, sum(quota) as used from logs where type = 2 and user_id = ${one.id}`)
  for (const { id } of made) expect(await windowsOf(id)).toMatchObject([{ used: bills!.used }])
  await remove()
  await checkInvariants(place)
})

test('a call waits for the turn of its channel, which something else has', async () => {
  const { one, channel, remove } = await withThree('turn')
  const other = await holding(`select pg_advisory_xact_lock(2, ${channel.owner_id})`, place.env.DATABASE_URL)
  const calls = nodes.map(({ url }) => callAt(url, one))
  await other.waiting(nodes.length)
  await Bun.sleep(500)
  expect(await holdsOf(channel.id)).toEqual([])
  await other.release()
  expect(await Promise.all(calls)).toEqual([200, 200])
  await remove()
  await checkInvariants(place)
})

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
