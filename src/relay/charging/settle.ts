/** Bills a call and writes its usage log, in one durable commit. */

import { bill } from '../../billing/bill.ts'
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { type LogDetails, LogType } from '../../contracts/log.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { Tx } from '../../db/database.ts'
import type { NewLog } from '../../domain/logs/index.ts'
import { option } from '../../domain/options/index.ts'
import { listedName } from '../../domain/routing/index.ts'
import { countAffinity, countFirstToken } from '../../domain/usage/index.ts'
import type { Settlement } from '../../domain/wallet/index.ts'
import type { MeteredUsage, ResponseFacts } from '../../formats/format.ts'
import { requestedEffort } from '../../formats/requested-effort.ts'
import { log } from '../../process/log.ts'
import { mark } from '../../process/marks.ts'
import { assign } from '../../pure/assign.ts'
import type { BillableCall, Call } from '../call.ts'
import type { UpstreamResponse } from '../upstream/upstream-response.ts'
import { answeredPrice } from './answered-price.ts'
import { checkedBill, checkedUsage } from './checked-bill.ts'
import { detailsOf, logColumns, mappingDetails } from './log-details.ts'
import { loggedContent } from './logged-content.ts'
import { meterUnanswered } from './meter.ts'
import { promptCost } from './prompt-cost.ts'
import { storedBy } from './stored-objects.ts'

const MS_PER_SECOND = 1000

export interface BilledUsage extends MeteredUsage {
  /** Billed. */
  quota: number
}

export type BilledResponse = Pick<UpstreamResponse, 'channel' | 'model' | 'first_ms'> &
  Partial<Pick<UpstreamResponse, 'key' | 'api'>> & {
    facts: Pick<ResponseFacts, 'text' | 'model' | 'id' | 'made'>
  }

/** Runs before the bill in its transaction: where it returns false, nothing is billed. @param quota of the bill */
export type BillCondition = (tx: Tx, at: number, quota: number) => ReturnType<NonNullable<Settlement['condition']>>

/** Resolves when bill and log are durable. */
export async function settle(
  billable: BillableCall,
  response: BilledResponse,
  counted: MeteredUsage,
  reason: EndReason,
  condition?: BillCondition,
): Promise<BilledUsage> {
  const { call } = billable
  const metered = withCheckedUsage(counted, call)
  const { channel, model } = response
  if (metered.doubts.length) {
    const doubts = metered.doubts.join('; ')
    log.warn('usage report not believed', { request_id: call.request_id, channel: channel.id, doubts })
  }
  const answered = answeredPrice(billable, response, metered.usage)
  const billed = answered ? { ...billable, price: answered.price } : billable
  const details = detailsOf(billed, metered, reason)
  details.answered_by = answered?.answered_by
  assign(details, mappingDetails(call, model))
  details.frt = Math.round(response.first_ms)
  details.reasoning_effort = requestedEffort(call.billed_body ?? call.body, model)
  assign(details, loggedContent(call, response.facts))
  const stored = storedBy(call, response, metered)
  const quota = await commit(billed, metered, { channel_id: channel.id, stored }, details, condition)
  const { affinity } = call.attempts
  if (affinity) countAffinity(affinity, promptCost(metered.usage, billed.price))
  if (call.facts.stream) countFirstToken(listedName(call.facts.model), response.first_ms)
  return { ...metered, quota }
}

/** Bills a call whose client disconnected before any response. */
export async function settleUnanswered(billable: BillableCall): Promise<BilledUsage> {
  const metered = withCheckedUsage(await meterUnanswered(billable), billable.call)
  const { channel } = billable.call.attempts.last!
  const details = detailsOf(billable, metered, 'abandoned')
  return { ...metered, quota: await commit(billable, metered, { channel_id: channel }, details) }
}

const withCheckedUsage = (metered: MeteredUsage, { request_id }: Call): MeteredUsage => {
  const usage = checkedUsage(metered.usage, request_id)
  return usage === metered.usage ? metered : { ...metered, usage }
}

async function commit(
  { call, caller, price, reservation }: BillableCall,
  { usage }: MeteredUsage,
  { channel_id, stored }: Pick<Settlement, 'channel_id' | 'stored'>,
  details: LogDetails,
  condition?: BillCondition,
): Promise<number> {
  const { quota, lines } = checkedBill(bill(usage, price), price, call.request_id)
  const { model } = call.facts
  const entry: NewLog | undefined = option('LogConsumeEnabled')
    ? {
        ...logColumns(call, caller),
        type: LogType.consume,
        channel: channel_id,
        use_time: Math.round(call.elapsed() / MS_PER_SECOND),
        prompt_tokens: promptTokens(usage),
        completion_tokens: completionTokens(usage),
        quota,
        other: JSON.stringify(assign(details, { lines })),
      }
    : undefined
  mark('bill')
  await reservation.settle({
    quota,
    usage,
    model: listedName(model),
    group: caller.group,
    channel_id,
    log: entry,
    stored,
    condition: condition && ((tx, at) => condition(tx, at, quota)),
  })
  mark('commit')
  return quota
}
