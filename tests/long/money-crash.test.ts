/**
 * kill -9 amid calls, codes, callbacks, transfers and check-ins, and on PostgreSQL lost connections too: what was
 * acknowledged is in the books once, and so is the rest once it is repeated.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { dialect } from '../../src/db/dialect.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import {
  addTopUp,
  callBack,
  calls,
  credits,
  orderTopUp,
  repeat,
  startOperations,
  stock,
} from '../support/money/operations.ts'
import { checkAcknowledged, reconcile, statusOf } from '../support/money/reconcile.ts'
import { crash, members, place, shop, urlNow } from '../support/money/server.ts'
import type { Member } from '../support/people/member.ts'
import { holding } from '../support/postgres/locks.ts'
import { seededRandom } from '../support/random.ts'
import { until } from '../support/until.ts'

const onPostgres = dialect === 'postgres'
/** `MONEY_KILLS=200 MONEY_CUTS=500` for the whole measure. A start takes three times as long on PostgreSQL. */
const KILLS = Number(process.env.MONEY_KILLS ?? (onPostgres ? 6 : 30))
/** Moments at which every connection to the database is broken. SQLite has none. */
const CUTS = onPostgres ? Number(process.env.MONEY_CUTS ?? 30) : 0
/** Kills amid callbacks alone, and the callbacks of each. `callback-cuts.test.ts` cuts their transactions one by one. */
const CALLBACK_KILLS = Math.ceil(KILLS / 6)
const CALLBACKS = 24
/** Each group of crashes has as long as any test. */
const AT_A_TIME = 10
/** A crash comes after fewer credits than this, and then within some milliseconds. */
const CREDITS_MAX = 20
const PAUSE_MS_MAX = 30
const random = seededRandom(Number(process.env.MONEY_SEED ?? 1))
const member = members.at(-1) as Member

const figures = { kills: 0, cuts: 0, unheard: 0 }
const report = () => ({ ...figures, credits: credits.length, calls: calls.length - 1 })
afterAll(() => process.env.MONEY_KILLS && process.stderr.write(`${JSON.stringify(report())}\n`))
afterEach(() => checkInvariants(place))

const firsts = (count: number) => Array.from({ length: Math.ceil(count / AT_A_TIME) }, (_, group) => group * AT_A_TIME)

const acknowledged = () => credits.filter(({ isAcknowledged }) => isAcknowledged).length

/** Any moment of the work, however fast it goes. */
async function moment() {
  const goal = acknowledged() + random(CREDITS_MAX)
  await until(() => acknowledged() >= goal)
  await Bun.sleep(random(PAUSE_MS_MAX))
}

async function killAtWork() {
  await stock()
  const end = startOperations(random)
  await moment()
  await crash(end)
  figures.kills++
}

async function compare() {
  figures.unheard += await checkAcknowledged()
  await repeat()
  await reconcile()
}

test.each(firsts(KILLS))('kill %i and those after it lose no credit and no bill and double none', async first => {
  for (let kill = first; kill < Math.min(KILLS, first + AT_A_TIME); kill++) {
    await killAtWork()
    await compare()
  }
})

test(`${CALLBACK_KILLS} kills amid ${CALLBACKS} callbacks each leave an order paid and credited, or neither`, async () => {
  for (let kill = 0; kill < CALLBACK_KILLS; kill++) {
    const crowd = await Promise.all(
      Array.from({ length: CALLBACKS }, (_, index) => orderTopUp(members[index % members.length]!)),
    )
    const goal = acknowledged() + random(CALLBACKS)
    const answers = crowd.map(async credit => {
      credit.isAcknowledged = await credit.send().catch(() => false)
    })
    await until(() => acknowledged() >= goal)
    await crash(() => Promise.all(answers))
    figures.kills++
    await compare()
  }
})

test('a callback whose reply is lost with the process is credited once, and success when repeated', async () => {
  for (let round = 0; round < 3; round++) {
    const payment = await shop.order(urlNow(), member, 1)
    const { hostname, port } = new URL(urlNow())
    const gateway = connect(Number(port), hostname)
    gateway.on('error', () => {}).write(`GET ${shop.callbackOf(payment)} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    await until(async () => (await statusOf(payment.form.out_trade_no!)) === 'paid')
    await crash()
    gateway.destroy()
    for (let repeats = 0; repeats < 3; repeats++) expect(await callBack(payment)).toBe('success')
    addTopUp(member)
    await reconcile()
  }
})

if (onPostgres)
  test('a process killed between the payment of an order and its credit leaves neither', async () => {
    const payment = await shop.order(urlNow(), member, 1)
    const lock = `select 1 from users where id = ${member.id} for no key update`
    const other = await holding(lock, place.env.DATABASE_URL)
    const answer = callBack(payment).catch(() => 'lost')
    await other.waiting(1)
    await crash(other.release)
    expect([await answer, await statusOf(payment.form.out_trade_no!)]).toEqual(['lost', 'pending'])
    await reconcile()
    expect(await callBack(payment)).toBe('success')
    addTopUp(member)
    await reconcile()
  })

/** Breaks every connection of the server to its database. */
const cut = () =>
  place.read(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)

test.each(firsts(CUTS))(
  'lost connection %i and those after it lose no credit and no bill and double none',
  async () => {
    await stock()
    const end = startOperations(random)
    for (let round = 0; round < AT_A_TIME; round++) {
      await moment()
      await cut()
      figures.cuts++
    }
    await end()
    await compare()
  },
)
