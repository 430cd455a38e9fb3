/** Receipt of a logged call. */
import { type PageContext, usePageContext } from '../../client/components/page-context.tsx'
import { Receipt, type Slip } from '../../client/components/receipt.tsx'
import { type BillLine, type Charge, isPartOfOutput } from '../../src/billing/bill-line.ts'
import { quotaText } from '../../src/billing/quota.ts'
import type { CallRefunds } from '../../src/contracts/call-refund.ts'
import type { Translate } from '../../src/locales/index.ts'
import { grouped } from '../../src/pure/number.ts'
import { exact } from '../../src/pure/time.ts'
import { type LogEntryView, nameOf } from './entry.ts'

export function Bill({ entry, refunds }: { entry: LogEntryView; refunds?: CallRefunds }) {
  const context = usePageContext()
  return <Receipt {...slipOf(entry, context.t)} facts={refunds && refundFacts(refunds, context)} />
}

/** Each refund of an administrator with its moment, then what the end of a task has given back. */
function refundFacts({ refunded, refunds }: CallRefunds, { t, currency, zone }: PageContext) {
  const ofTask = refunds.reduce((rest, { delta }) => rest - delta, refunded)
  const amount = (quota: number) => quotaText(quota, currency, 6)
  return [
    ...refunds.map(({ delta, created_time }) => `${amount(delta)} · ${exact(created_time, zone)}`),
    ...(ofTask > 0 ? [amount(ofTask)] : []),
  ].map(value => ({ label: t('log.refunded'), value }))
}

/** What the receipt of an entry prints. */
export function slipOf(entry: LogEntryView, t: Translate): Slip {
  const { details, token_name, is_stream } = entry
  const lines = details.lines ?? []
  const byCall = lines.some(line => line.bucket === 'call')
  const who = [
    token_name && t('log.token_named', { name: token_name }),
    t(is_stream ? 'log.stream' : 'log.no_stream'),
    details.partial && t('log.partial'),
  ]
  return {
    title: nameOf(entry, t),
    who: who.filter(Boolean).join(' · '),
    lines: lines.map(line => slipLineOf(line, byCall ? 1 : MILLION, t)),
    per: byCall ? t('log.per_each') : undefined,
    group: details.group_ratio === undefined ? undefined : { name: entry.group, ratio: details.group_ratio },
    quota: entry.quota,
    request_id: entry.request_id,
    at: entry.created_at,
  }
}

const MILLION = 1_000_000

/** A part of the output line above has no price and no amount. */
export function slipLineOf(line: BillLine, unit: number, t: Translate) {
  const { count, unit_price, per, amount } = line
  const priced = isPartOfOutput(line) ? {} : { unit_price: (unit_price / per) * unit, amount }
  return { bucket: lineName(line, t), count, ...priced }
}

function lineName({ bucket, tier }: BillLine, t: Translate) {
  const name = bucketName(bucket, t)
  return tier === undefined ? name : t('bill.in_tier', { name, from: grouped(tier) })
}

const TOOL = 'tool:'
const isTool = (bucket: Charge): bucket is `tool:${string}` => bucket.startsWith(TOOL)

const ADDED = 'add:'
const isAdded = (bucket: Charge): bucket is `add:${string}` => bucket.startsWith(ADDED)

function bucketName(bucket: Charge, t: Translate) {
  if (isTool(bucket)) return t('bill.tool', { name: bucket.slice(TOOL.length) })
  return isAdded(bucket) ? t('bill.added', { name: bucket.slice(ADDED.length) }) : t(`bill.${bucket}`)
}
