// @engine sqlite
/** The receipt: printed lines add up to the printed subtotal. */
import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { PageContextProvider } from '../../client/components/page-context.tsx'
import { Receipt, type Slip } from '../../client/components/receipt.tsx'
import { translator } from '../../src/locales/index.ts'

const at = Date.UTC(2026, 10, 20, 14, 32, 7) / 1000

function rowsOf(slip: Omit<Slip, 'title' | 'at'>, { display_in_currency = true } = {}) {
  const reader = {
    language: 'en',
    t: translator('en'),
    zone: 'UTC',
    now: at,
    csrf: '',
    currency: { quota_per_unit: 500_000, display_in_currency },
  } as const
  const html = renderToStaticMarkup(
    <PageContextProvider value={reader}>
      <Receipt title="claude-sonnet-4-5" at={at} {...slip} />
    </PageContextProvider>,
  )
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(row =>
    [...row[1]!.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(cell => cell[1]!.replace(/<[^>]+>/g, '')),
  )
  const rounding = /<span title="([^"]*)"/.exec(html)?.[1]
  return { rows, rounding, copied: /data-copy="([^"]*)"/.exec(html)![1]! }
}

test('a receipt lists buckets, subtotal, group, total and quota', () => {
  const { rows, copied } = rowsOf({
    lines: [
      { bucket: 'Input', count: 2140, unit_price: 3, amount: '3210' },
      { bucket: 'Cache read', count: 18_430, unit_price: 0.3, amount: '2764.5' },
      { bucket: 'Output', count: 1286, unit_price: 15, amount: '9645' },
      { bucket: 'reasoning', count: 412 },
    ],
    group: { name: 'vip', ratio: 0.8 },
    quota: 12_496,
    request_id: 'req_1',
  })
  expect(rows).toEqual([
    ['Item', 'Count', '× $/1M', 'Amount'],
    ['Input', '2,140', '3.00', '0.006420'],
    ['Cache read', '18,430', '0.30', '0.005529'],
    ['Output', '1,286', '15.00', '0.019290'],
    ['└ reasoning', '412', '', ''],
    ['Subtotal', '0.031239'],
    ['Group vip', '× 0.8'],
    ['Total', '$0.024992'],
    ['12,496 quota'],
  ])
  expect(copied).toContain('Cache read\t18,430\t0.30\t0.005529')
  expect(copied).toEndWith('Total\t$0.024992\nreq_1\n2026-11-20 14:32:07')
})

test('a receipt of a credit shows cents, and every decimal of a sum that has more', () => {
  const receipt = (quota: number) =>
    rowsOf({ lines: [{ bucket: 'Code', count: 1, amount: String(quota) }], quota, decimals: 2 }).rows
  expect(receipt(5_000_000).slice(1, 3)).toEqual([
    ['Code', '1', '', '10.00'],
    ['Total', '$10.00'],
  ])
  expect(receipt(1).slice(1, 3)).toEqual([
    ['Code', '1', '', '0.000002'],
    ['Total', '$0.000002'],
  ])
})

test('all lines show more than six decimals when one needs them', () => {
  const lines = [
    { bucket: 'Input', count: 7, unit_price: 0.15, amount: '0.525' },
    { bucket: 'Output', count: 3, unit_price: 0.6, amount: '0.9' },
  ]
  const { rows } = rowsOf({ lines, group: { name: 'default', ratio: 1 }, quota: 1 })
  expect(rows.map(row => row.at(-1))).toEqual([
    'Amount',
    '0.00000105',
    '0.00000180',
    '0.00000285',
    '× 1',
    '$0.000002',
    '1 quota',
  ])
})

test('a receipt counts in quota when currency is off', () => {
  const lines = [{ bucket: 'Input', count: 1500, unit_price: 0.5, amount: '375.5' }]
  const { rows } = rowsOf({ lines, quota: 376 }, { display_in_currency: false })
  expect(rows.slice(1)).toEqual([
    ['Input', '1,500', '0.50', '375.5'],
    ['Total', '376'],
  ])
})

test('a total that is not the exact sum says on hover how it was rounded', () => {
  const roundingOf = (amount: string, quota: number, ratio = 1) =>
    rowsOf({ lines: [{ bucket: 'Input', count: 1, unit_price: 1, amount }], group: { name: 'vip', ratio }, quota })
      .rounding
  expect(roundingOf('131.625', 105, 0.8)).toBe('Rounded down to whole quota')
  expect(roundingOf('0.25', 1)).toBe('Rounded up to whole quota')
  expect(roundingOf('15619.5', 15_620)).toBe('Rounded up to whole quota')
  expect([roundingOf('3', 3), roundingOf('30', 3, 0.1), roundingOf('0', 0)]).toEqual([undefined, undefined, undefined])
})
