/** The receipt: the same printed slip for every bill. Its lines add up to what is printed; the total alone is rounded. */
import Decimal from 'decimal.js-light'
import Printer from 'lucide-react/icons/printer'
import type { ReactNode } from 'react'
import { grouped, groupDigits } from '../../src/pure/number.ts'
import { type Currency, quotaText } from '../../src/pure/quota.ts'
import { exact } from '../../src/pure/time.ts'
import { Copy } from './copy.tsx'
import { Icon, Mark } from './icon.tsx'
import { useReader } from './reader.tsx'

export interface SlipLine {
  /** What was counted, in words. */
  bucket: string
  count: number
  /** USD, as the column's head says; none for a part of the bucket above. */
  unit_price?: number
  /** Exact, in quota, before the group's ratio; none for a part of the bucket above. */
  amount?: string
}

export interface Slip {
  /** What was bought: the model. */
  title: string
  who?: ReactNode
  lines: SlipLine[]
  group?: { name: string; ratio: number }
  /** The bill. */
  quota: number
  request_id?: string
  at: number
  /** Head of the price column where it is not × $/1M. */
  per?: string
}

const DECIMALS = 6
const DECIMALS_MAX = 10

export function Receipt({ title, who, lines, group, quota, request_id, at, per }: Slip) {
  const { t, currency, zone } = useReader()
  const places = Math.max(DECIMALS, ...lines.map(line => decimalsOf(inUnit(line.amount ?? '0', currency))))
  const print = (amount: string) => groupDigits(inUnit(amount, currency).toFixed(currency.display_in_currency ? places : decimalsNeeded(lines)))
  const subtotal = lines.reduce((sum, line) => sum.plus(line.amount ?? 0), new Decimal(0)).toString()
  const total = quotaText(quota, currency, DECIMALS)
  const time = exact(at, zone)
  const sums: [string, string][] = group ? [[t('part.subtotal'), print(subtotal)], [t('part.group', { name: group.name }), `× ${group.ratio}`]] : []
  const text = plainText([title, ...lines.map(line => [line.bucket, grouped(line.count), line.unit_price ?? '', line.amount ? print(line.amount) : ''].join('\t')), ...sums.map(sum => sum.join('\t')), `${t('part.total')}\t${total}`, request_id, time])
  return (
    <div className="slip">
      <article className="receipt" aria-label={t('part.receipt')}>
        <header>
          <Mark />
          <b>{title}</b>
        </header>
        {who && <div className="who">{who}</div>}
        <table>
          <thead>
            <tr>
              {[t('part.bucket'), t('part.count'), per ?? t('part.unit_price'), t('part.amount')].map(head => (
                <th key={head} scope="col">{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(line => (
              <tr key={line.bucket} className={line.amount === undefined ? 'of' : undefined}>
                <td>{line.amount === undefined ? `└ ${line.bucket}` : line.bucket}</td>
                <td>{grouped(line.count)}</td>
                <td>{line.unit_price === undefined ? '' : unitPrice(line.unit_price)}</td>
                <td>{line.amount === undefined ? '' : print(line.amount)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {sums.map(([label, value]) => (
              <tr key={label}>
                <td colSpan={3}>{label}</td>
                <td>{value}</td>
              </tr>
            ))}
            <tr className="total">
              <td colSpan={2}>{t('part.total')}</td>
              <td colSpan={2}><span>{total}</span></td>
            </tr>
            {currency.display_in_currency && (
              <tr className="quota">
                <td colSpan={4}>{t('part.quota', { count: grouped(quota) })}</td>
              </tr>
            )}
          </tfoot>
        </table>
        <dl>
          {request_id && <><dt>{t('part.request')}</dt><dd>{request_id}</dd></>}
          <dt>{t('part.time')}</dt>
          <dd><time dateTime={new Date(at * 1000).toISOString()}>{time}</time></dd>
        </dl>
        <div className="do">
          <Copy text={text} className="btn btn-ghost btn-sm">{t('part.copy')}</Copy>
          <button type="button" className="btn btn-ghost btn-sm" data-print>
            <Icon of={Printer} />
            {t('part.print')}
          </button>
        </div>
      </article>
    </div>
  )
}

/** From quota to what this installation shows. */
const inUnit = (amount: string, { display_in_currency, quota_per_unit }: Currency) =>
  display_in_currency ? new Decimal(amount).dividedBy(quota_per_unit) : new Decimal(amount)

const decimalsOf = (value: Decimal) => Math.min(value.decimalPlaces(), DECIMALS_MAX)

const decimalsNeeded = (lines: SlipLine[]) => Math.max(0, ...lines.map(line => decimalsOf(new Decimal(line.amount ?? 0))))

/** 3.00 · 0.075 */
const unitPrice = (price: number) => groupDigits(price.toFixed(DECIMALS).replace(/0{1,4}$/, ''))

const plainText = (rows: (string | undefined)[]) => rows.filter(Boolean).join('\n')
