/** The orders page: its totals, which filter the list, its range and its CSV. */
import { beforeAll, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { orders } from '../../src/domain/payments/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { setUp, visitor } from '../support/people/person.ts'

const DAY = 86_400
const NOON = Date.UTC(2031, 4, 20, 12) / 1000
holdClock(true)
shiftClock(NOON - now())

await setUp()
const admin = await visitor(Role.admin)
const ann = await visitor()

const order = (trade_no: string, created_time: number, money_cents: number, paid_time = 0) => ({
  ...{
    user_id: ann.id,
    trade_no,
    method: 'alipay' as const,
    pid: '1',
    amount: 1,
    created_time,
    money_cents,
    paid_time,
  },
  ...{ quota: money_cents * 1000, status: paid_time ? ('paid' as const) : ('pending' as const) },
})

beforeAll(async () => {
  await db.insert(orders).values([
    order('paid-today', NOON - 100, 7300, NOON - 50),
    // Ordered yesterday, paid today.
    order('paid-late', NOON - DAY, 100_050, NOON - 10),
    order('paid-monday', NOON - 2 * DAY, 200, NOON - 2 * DAY),
    order('paid-april', NOON - 25 * DAY, 400, NOON - 25 * DAY),
    order('waits', NOON - 60, 3650),
  ])
})

const text = async (query: string, zone = 'UTC') => {
  const headers = { cookie: `${admin.cookie}; zone=${encodeURIComponent(zone)}` }
  const html = await (await admin.page(`/admin/orders${query}`, { headers })).text()
  return html.replaceAll('<!-- -->', '')
}
const NUMBERS = ['paid-today', 'paid-late', 'paid-monday', 'paid-april', 'waits']
const shown = async (query: string, zone?: string) => {
  const html = await text(query, zone)
  return NUMBERS.filter(number => html.includes(`>${number}<`))
}
const plain = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

test('totals have number, sum and quota, and each leads to the orders that it counts', async () => {
  const html = await text('')
  const chips = [...html.matchAll(/<div class="chip">.*?<\/div>/gs)].map(([chip]) => chip)
  expect(chips.map(plain).map(words => words.trim())).toEqual([
    'Paid today ¥1,073.50 2 orders · $214.70',
    'Paid this month ¥1,075.50 3 orders · $215.10',
    'Waiting ¥36.50 1 order · $7.30',
  ])
  const [today, month, waiting] = chips.map(chip =>
    /href="\/admin\/orders([^"]*)"/.exec(chip)![1]!.replace('&amp;', '&'),
  )
  expect(await shown(today!)).toEqual(['paid-today', 'paid-late'])
  expect(await shown(month!)).toEqual(['paid-today', 'paid-late', 'paid-monday'])
  expect(await shown(waiting!)).toEqual(['waits'])
  const chosen = /<a href="([^"]*)"[^>]* aria-current="true">Paid today</.exec(await text(today!))
  expect(chosen?.[1]).toBe('/admin/orders')
})

test('ranges are days of the reader, and moments where they are typed', async () => {
  expect(await shown('?range=today')).toEqual(['paid-today', 'waits'])
  expect(await shown('?range=yesterday')).toEqual(['paid-late'])
  // In Auckland the next day has just begun.
  expect(await shown('?range=today', 'Pacific/Auckland')).toEqual([])
  expect(await shown('?range=yesterday', 'Pacific/Auckland')).toEqual(['paid-today', 'paid-late', 'waits'])
  expect(await shown('?range=custom&from=2031-05-18T11:00&to=2031-05-19T12:00')).toEqual(['paid-late', 'paid-monday'])
  const typed = await text('?range=custom&from=2031-05-18T11:00')
  expect(typed.includes('type="datetime-local"')).toBe(true)
})

test('CSV has the orders of the filter with both times and both sums', async () => {
  const response = await admin.page('/admin/orders/export.csv?status=paid&range=today')
  expect(response.headers.get('content-type')).toContain('text/csv')
  const [head, ...rows] = (await response.text()).replace('\uFEFF', '').trim().split(/\r?\n/)
  expect(head).toBe('Order number,Gateway number,User,State,Payment method,Ordered,Paid,Amount,Sum (CNY)')
  expect(rows.map(row => row.split(',')[0])).toEqual(['paid-late', 'paid-today'])
  expect(rows[1]).toBe(`paid-today,,${ann.username},Paid,Alipay,2031-05-20 11:58:20,2031-05-20 11:59:10,14.6,73.00`)
  expect((await ann.page('/admin/orders/export.csv')).status).toBe(303)
})
