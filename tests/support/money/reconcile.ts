/** Reconciles ledger, bills and balances, read past the program, with the operations that were done. */
import { expect } from 'bun:test'
import { calls, credits } from './operations.ts'
import { costOf, inviter, members, place, REBATE, RICH, sent } from './server.ts'

/** Entries of one kind in the ledger of a user. */
interface Sum {
  user_id: number
  kind: string
  entries: number
  quota: number
}

/** Every column but `kind` is a number. */
async function read<Row extends object>(query: string): Promise<Row[]> {
  const rows = (await place.read(query)) as Record<string, unknown>[]
  const entries = (row: Record<string, unknown>) =>
    Object.entries(row).map(([name, value]) => [name, name === 'kind' ? value : Number(value)])
  return rows.map(row => Object.fromEntries(entries(row)) as Row)
}

const readSums = () =>
  read<Sum>(`select user_id, kind, count(*) as entries, sum(delta) as quota from ledger
    where kind in ('redeem', 'topup', 'transfer', 'check_in', 'rebate') group by user_id, kind order by user_id, kind`)

/** Sums that the ledger must have after these operations; a paid order has a rebate. */
function sumsOf(done: typeof credits): Sum[] {
  const sums = new Map<string, Sum>()
  const add = (user_id: number, kind: string, quota: number) => {
    const key = `${user_id} ${kind}`
    const sum = sums.get(key) ?? { user_id, kind, entries: 0, quota: 0 }
    sums.set(key, { ...sum, entries: sum.entries + 1, quota: sum.quota + quota })
  }
  for (const { kind, member, quota } of done) {
    add(member.id, kind, quota)
    if (kind === 'topup' && member !== inviter) add(inviter.id, 'rebate', REBATE)
  }
  return [...sums.values()].sort((a, b) => a.user_id - b.user_id || (a.kind < b.kind ? -1 : 1))
}

/**
 * Compares the ledger before anything is repeated: every acknowledged credit is there, and none without its cause.
 * @returns the number of credits that were not acknowledged and are there
 */
export async function checkAcknowledged(): Promise<number> {
  const sums = await readSums()
  const entriesOf = ({ user_id, kind }: Sum) =>
    sums.find(sum => sum.user_id === user_id && sum.kind === kind)?.entries ?? 0
  const acknowledged = sumsOf(credits.filter(({ isAcknowledged }) => isAcknowledged))
  expect(acknowledged.filter(sum => entriesOf(sum) < sum.entries)).toEqual([])
  const [rows] = await read(`select
    (select count(*) from ledger where kind = 'redeem') - (select count(*) from redemption_uses) as redeem,
    (select count(*) from ledger where kind = 'topup') - (select count(*) from orders where status = 'paid') as topup,
    (select count(*) from ledger where kind = 'rebate') - (select count(*) from rebates) as rebate,
    (select count(*) from ledger where kind = 'transfer') - (select count(*) from transfers) as transfer,
    (select count(*) from ledger where kind = 'check_in') - (select count(*) from check_ins) as check_in`)
  expect(rows).toEqual({ redeem: 0, topup: 0, rebate: 0, transfer: 0, check_in: 0 })
  const total = (list: Sum[]) => list.reduce((sum, { entries }) => sum + entries, 0)
  return total(sums) - total(acknowledged)
}

/** Compares them after all is acknowledged: each credit once, each whole answer billed once to its caller. */
export async function reconcile() {
  const sums = sumsOf(credits)
  expect(await readSums()).toEqual(sums)
  const bills = await read<{ id: number; user_id: number }>(
    'select prompt_tokens as id, user_id from logs where type = 2 order by id',
  )
  const billed = new Set(bills.map(({ id }) => id))
  expect(bills).toHaveLength(billed.size)
  expect(bills.filter(({ id, user_id }) => !sent.has(id) || calls[id]!.caller.id !== user_id)).toEqual([])
  expect(calls.flatMap(({ isWhole }, id) => (isWhole && !billed.has(id) ? [id] : []))).toEqual([])
  const balances = members.map(({ id }) => {
    const credited = sums.reduce((sum, { user_id, quota }) => sum + (user_id === id ? quota : 0), RICH)
    return { id, quota: bills.reduce((rest, bill) => rest - (bill.user_id === id ? costOf(bill.id) : 0), credited) }
  })
  expect(await read("select id, quota from users where username like 'member%' order by id")).toEqual(balances)
  expect(await place.read('select * from reservations')).toEqual([])
}

export async function statusOf(trade_no: string): Promise<unknown> {
  const [order] = await place.read(`select status from orders where trade_no = '${trade_no}'`)
  return (order as { status: unknown }).status
}
