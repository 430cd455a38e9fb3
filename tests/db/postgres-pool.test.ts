// @engine postgres
// @waits
/** Connections to PostgreSQL behind a proxy: how long work waits for one, and for a server that is gone or silent. */
import { afterAll, expect, test } from 'bun:test'
import { PostgresPool } from '../../src/db/postgres-pool.ts'
import { isTransientError } from '../../src/db/transient-error.ts'
import { env } from '../../src/env.ts'
import { TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { until } from '../support/until.ts'

const SIZE = 3
const proxy = await TcpProxy.before(env.DATABASE_URL)
const pool = new PostgresPool(proxy.through(), { size: SIZE, prepare: true })
await pool.connect('select 1')
afterAll(() => pool.close())

const one = async () => (await pool.unsafe('select 1 as one'))[0].one as number

/** What becomes of work, and after how many milliseconds. */
async function timed(work: () => PromiseLike<unknown>) {
  const start = performance.now()
  const outcome = await work().then(
    value => value,
    error => (isTransientError(error) ? 'unavailable' : error),
  )
  return { outcome, ms: performance.now() - start }
}

const within = (least: number, most: number, ms: number) =>
  expect([ms >= least, ms <= most, ms]).toEqual([true, true, ms])

/** The next statement finds a broken connection, and the one after it none. */
async function noticed() {
  expect((await timed(one)).outcome).toBe('unavailable')
  await Bun.sleep(100)
}

const healed = async () => {
  await proxy.heal()
  await until(() =>
    one().then(
      value => value === 1,
      () => false,
    ),
  )
}

test('work waits for a connection for two seconds, in order, and fails then', async () => {
  const busy = Array.from({ length: SIZE }, () => pool.unsafe('select pg_sleep(2.5)').then(() => 'done'))
  const { outcome, ms } = await timed(one)
  expect(outcome).toBe('unavailable')
  within(1900, 2400, ms)
  const waiting = await timed(one)
  expect(waiting.outcome).toBe(1)
  expect(await Promise.all(busy)).toEqual(Array(SIZE).fill('done'))
})

test('a statement that takes long is waited for', async () => {
  const { outcome, ms } = await timed(() => pool.unsafe('select pg_sleep(4.5)').then(() => 'done'))
  expect(outcome).toBe('done')
  within(4400, 6000, ms)
})

test('a host that goes silent amid a statement and a transaction is given up within four seconds', async () => {
  const statement = timed(() => pool.unsafe('select pg_sleep(60)'))
  const transaction = timed(() => pool.begin(async tx => void (await tx`select pg_sleep(60)`)))
  await Bun.sleep(100)
  proxy.silence()
  for (const { outcome, ms } of await Promise.all([statement, transaction])) {
    expect(outcome).toBe('unavailable')
    within(1000, 4500, ms)
  }
  // From then on nothing waits.
  await Bun.sleep(2000)
  const { outcome, ms } = await timed(one)
  expect(outcome).toBe('unavailable')
  within(0, 300, ms)
  await healed()
})

test('a server that is gone for less than two seconds is waited for, one that is gone for longer is not', async () => {
  await proxy.refuse()
  await noticed()
  const waiting = timed(one)
  await Bun.sleep(700)
  await proxy.heal()
  expect((await waiting).outcome).toBe(1)

  await proxy.refuse()
  await noticed()
  const first = await timed(one)
  expect(first.outcome).toBe('unavailable')
  within(1000, 2500, first.ms)
  const second = await timed(one)
  expect(second.outcome).toBe('unavailable')
  within(0, 300, second.ms)
  await healed()
})

test('connections that break leave no place behind', async () => {
  for (let round = 0; round < 5; round++) {
    const busy = Array.from({ length: SIZE + 2 }, () => timed(() => pool.unsafe('select pg_sleep(60)')))
    let isOver = false
    const ended = Promise.all(busy).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await Bun.sleep(50)
      proxy.cut()
    }
    for (const { outcome } of await ended) expect(outcome).toBe('unavailable')
  }
  await healed()
  expect(await Promise.all(Array.from({ length: SIZE * 3 }, one))).toEqual(Array(SIZE * 3).fill(1))
})

test('a transaction whose process pauses is ended by the server, with its locks', async () => {
  const [row] = await pool.unsafe(`select setting from pg_settings where name = 'idle_in_transaction_session_timeout'`)
  expect(row.setting).toBe('10000')
})
