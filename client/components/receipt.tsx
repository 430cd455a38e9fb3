/** Receipt of a bill. Printed lines add up to the printed subtotal; only the total is rounded. */
import Printer from 'lucide/dist/esm/icons/printer.mjs'
import type { ReactNode } from 'react'
import { type Currency, type Decimals, moneyText, quotaText } from '../../src/billing/quota.ts'
import type { MessageKey } from '../../src/locales/index.ts'
import { groupDigits, grouped } from '../../src/pure/number.ts'
import { exact } from '../../src/pure/time.ts'
import { Copy } from './copy.tsx'
import { Icon, Mark } from './icon.tsx'
import { type PageContext, usePageContext } from './page-context.tsx'

export interface SlipLine {
  /** Name of the bucket. */
  bucket: string
  count: number
  /** USD per unit of the column's heading; absent for a part of the line above. */
  unit_price?: number
  /** Exact, in quota, before the group ratio; absent for a part of the line above. */
  amount?: string
}

export interface Slip {
  /** Model. */
  title: string
  who?: ReactNode
  lines: SlipLine[]
  group?: { name: string; ratio: number }
  /** Amount of the bill, in quota. */
  quota: number
  request_id?: string
  at: number
  /** Least decimals of money; default 6, as in the log. */
  decimals?: Decimals
  /** Heading of the price column; default × $/1M. */
  per?: string
  /** What else is printed below the sum. */
  facts?: { label: string; value: string }[]
}

export function Receipt(slip: Slip) {
  const context = usePageContext()
  const { t } = context
  const figures = printSlip(slip, context)
  return (
    <div className="slip">
      <article className="receipt" aria-label={t('ui.receipt')}>
        <header>
          <Mark />
          <b>{slip.title}</b>
        </header>
        {slip.who && <div className="subtitle">{slip.who}</div>}
        <table>
          <thead>
            <tr>
              {figures.heads.map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.lines.map(({ isPart, cells }) => (
              <tr key={cells[0]} className={isPart ? 'part' : undefined}>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line has four cells, for ever
                  <td key={column}>{column === 0 && isPart ? `└ ${cell}` : cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
          <Sums {...figures} quota={slip.quota} />
        </table>
        <dl>
          {slip.facts?.map(({ label, value }) => (
            <div key={`${label} ${value}`}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {slip.request_id && (
            <div>
              <dt>{t('ui.request')}</dt>
              <dd>{slip.request_id}</dd>
            </div>
          )}
          <div>
            <dt>{t('ui.time')}</dt>
            <dd>
              <time dateTime={new Date(slip.at * 1000).toISOString()}>{figures.time}</time>
            </dd>
          </div>
        </dl>
        <div className="buttons">
          <Copy text={asText(slip, figures, t('ui.total'))} className="btn btn-ghost btn-sm">
            {t('ui.copy')}
          </Copy>
          <button type="button" className="btn btn-ghost btn-sm" data-print>
            <Icon of={Printer} />
            {t('ui.print')}
          </button>
        </div>
      </article>
    </div>
  )
}

function Sums({ sums, total, rounding, quota }: PrintedSlip & { quota: number }) {
  const { t, currency } = usePageContext()
  return (
    <tfoot>
      {sums.map(([label, value]) => (
        <tr key={label}>
          <td colSpan={3}>{label}</td>
          <td>{value}</td>
        </tr>
      ))}
      <tr className="total">
        <td colSpan={2}>{t('ui.total')}</td>
        <td colSpan={2}>
          <span title={rounding && t(rounding)}>{total}</span>
        </td>
      </tr>
      {currency.display_in_currency && (
        <tr className="quota">
          <td colSpan={4} className="!text-right">
            {t('ui.quota', { count: grouped(quota) })}
          </td>
        </tr>
      )}
    </tfoot>
  )
}

type PrintedSlip = ReturnType<typeof printSlip>

/** Formats every figure. */
function printSlip({ lines, group, quota, at, per, decimals = DECIMALS }: Slip, { t, currency, zone }: PageContext) {
  const amounts = lines.map(line => Number(line.amount ?? 0) / unitOf(currency))
  const places = Math.max(currency.display_in_currency ? decimals : 0, ...amounts.map(placesOf))
  const amountText = (amount: number) => groupDigits(amount.toFixed(places))
  const subtotal = amountText(amounts.reduce((sum, amount) => sum + amount, 0))
  return {
    heads: [t('ui.bucket'), t('ui.count'), per ?? t('ui.unit_price'), t('ui.amount')],
    lines: lines.map(({ bucket, count, unit_price, amount }, index) => ({
      isPart: amount === undefined,
      cells: [
        bucket,
        grouped(count),
        unit_price === undefined ? '' : moneyText(unit_price, 2, DECIMALS).slice(1),
        amount === undefined ? '' : amountText(amounts[index]!),
      ],
    })),
    sums: group
      ? [
          [t('ui.subtotal'), subtotal],
          [t('ui.group', { name: group.name }), `× ${group.ratio}`],
        ]
      : [],
    rounding: roundingOf(lines, group?.ratio ?? 1, quota),
    total: quotaText(quota, currency, places > decimals ? DECIMALS : decimals),
    time: exact(at, zone),
  }
}

/** Where the lines add up to a fraction of quota; a difference in the tenth digit comes from adding in floating point. */
function roundingOf(lines: SlipLine[], ratio: number, quota: number): MessageKey | undefined {
  const exact = lines.reduce((sum, { amount }) => sum + Number(amount ?? 0), 0) * ratio
  if (Math.abs(exact - quota) < Math.max(1, quota) / 1e10) return undefined
  return exact > quota ? 'ui.rounded_down' : 'ui.rounded_up'
}

const DECIMALS = 6
const DECIMALS_MAX = 10

const unitOf = ({ display_in_currency, quota_per_unit }: Currency) => (display_in_currency ? quota_per_unit : 1)

/** Number of decimals, at most 10. */
const placesOf = (amount: number) => (/\.(\d*?)0*$/.exec(amount.toFixed(DECIMALS_MAX))?.[1] ?? '').length

const asText = (
  { title, facts = [], request_id }: Slip,
  { lines, sums, total, time }: PrintedSlip,
  totalWord: string,
) =>
  [
    title,
    ...[...lines.map(line => line.cells), ...sums, [totalWord, total]].map(row => row.join('\t')),
    ...facts.map(({ label, value }) => `${label}\t${value}`),
    request_id,
    time,
  ]
    .filter(Boolean)
    .join('\n')
