/**
 * INV-1 to INV-9: what holds of the books of a site after any fault, computed from its rows past the program, and then by
 * `tollgate audit --bills`. INV-4 (each bill is that of its call) and the sums of INV-8 that a test knows are for the test.
 */
import { expect } from 'bun:test'
import type { Installation } from '../app/installation.ts'
import { run } from '../app/server.ts'
import { type Member, sendWell } from '../people/member.ts'
import { until } from '../until.ts'

const sumOf = (column: string, rows: string) => `coalesce((select sum(${column}) from ${rows}), 0)`
const BILLS = 'logs where type = 2'

/** Each finds the rows that break it. */
const broken: Record<string, string> = {
  'INV-1 a balance is its credits less its bills': `select id, quota from users where quota <>
    ${sumOf('delta', 'ledger where user_id = users.id')} - ${sumOf('quota', `${BILLS} and user_id = users.id`)}`,
  'INV-2 the bills of a user are those of its keys and of the playground': `select id, used_quota from users
    where used_quota <> ${sumOf('used_quota', 'tokens where user_id = users.id')} +
    ${sumOf('quota', `${BILLS} and user_id = users.id and token_id = 0`)}`,
  'INV-3 the usage of a channel is its bills': `select id, used_quota from channels
    where used_quota <> ${sumOf('quota', `${BILLS} and channel = channels.id`)}`,
  'INV-5 nothing is held': 'select * from reservations',
  'INV-6 no balance is negative': 'select id, quota from users where quota < 0',
  'INV-7 a call has one bill': `select request_id from ${BILLS} group by request_id having count(*) > 1`,
  'INV-7 a bill has its settlement': `select request_id from ${BILLS}
    and request_id not in (select request_id from settlements)`,
  'INV-7 a user uses a code once': `select user_id from redemption_uses group by redemption_id, user_id
    having count(*) > 1`,
  'INV-7 a user checks in once a day': 'select user_id from check_ins group by user_id, day having count(*) > 1',
  'INV-7 an order has its number alone': 'select trade_no from orders group by trade_no having count(*) > 1',
  'INV-7 a credit has its cause alone': `select user_id, kind, reference from ledger where reference <> ''
    group by user_id, kind, reference having count(*) > 1`,
  'INV-8 credits are what codes, orders, days, transfers and rebates are worth': Object.entries({
    redeem: 'redemption_uses',
    topup: `orders where status = 'paid'`,
    check_in: 'check_ins',
    transfer: 'transfers',
    rebate: 'rebates',
  })
    .map(([kind, rows]) => [kind, sumOf('delta', `ledger where kind = '${kind}'`), sumOf('quota', rows)])
    .map(([kind, credited, caused]) => `select '${kind}' as kind where ${credited} <> ${caused}`)
    .join(' union all '),
}

/** Once calls have ended: waits for the bills that are on their way. */
export async function checkInvariants(place: Installation) {
  await checkRows(place)
  await checkAudit(place)
}

/** Without `tollgate audit`, which a release refuses on a newer schema. */
export async function checkRows(place: Pick<Installation, 'read'>) {
  await until(async () => (await place.read('select request_id from reservations')).length === 0, 'nothing is held')
  const rows = await Promise.all(Object.entries(broken).map(async ([name, query]) => [name, await place.read(query)]))
  expect(rows.filter(([, found]) => found!.length)).toEqual([])
}

async function checkAudit(place: Installation) {
  const clean = { code: 0, out: expect.stringContaining('audit: clean') }
  expect(await run(['audit', '--bills'], place)).toMatchObject(clean)
}

/**
 * Looks at the least balance of the site again and again: INV-6 holds at every moment.
 * @returns ends it, and has the least that was seen
 */
export function watchBalances(place: Installation): () => Promise<number> {
  let least = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const [row] = (await place.read('select min(quota) as least from users').catch(() => [])) as { least: unknown }[]
      least = Math.min(least, Number(row?.least ?? 0))
      await Bun.sleep(20)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return least
  }
}

const booksOf = async (place: Installation) => ({
  users: await place.read('select id, quota, used_quota, request_count from users order by id'),
  tokens: await place.read('select id, remain_quota, used_quota from tokens order by id'),
  channels: await place.read('select id, used_quota from channels order by id'),
  ledger: await place.read('select id, user_id, delta, balance_after from ledger order by id'),
})

/** INV-9: the books of a site are the same without its usage log. After it the log is empty. @param url of a node */
export async function checkWithoutLogs(place: Installation, url: string, root: Pick<Member, 'headers'>) {
  const before = await booksOf(place)
  const target_timestamp = Math.floor(Date.now() / 1000) + 60
  await sendWell(url, root, `/api/log/?target_timestamp=${target_timestamp}`, { method: 'DELETE', body: undefined })
  await until(async () => (await place.read(`select id from ${BILLS} limit 1`)).length === 0, 'the log is empty')
  expect(await booksOf(place)).toEqual(before)
  await checkAudit(place)
}
