/** Counts what a response used: by the upstream's report where it is plausible, else by our own count. */

import { quotaOf } from '../../billing/bill.ts'
import { promptTokens, type Tariffs, usageOf } from '../../billing/usage.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import type { MeteredUsage, ReportedUsage, ResponseFacts, UsageSide } from '../../formats/format.ts'
import type { PassedApi } from '../../providers/index.ts'
import type { Call, PricedCall } from '../call.ts'
import { countTokens } from '../counting/count-tokens.ts'
import { answeredPrice } from './answered-price.ts'
import { expectedOutput } from './estimate.ts'
import { withTariffs } from './tariffs.ts'
import type { UnseenOutput } from './unseen-output.ts'
import { type TokenCounts, withCounts } from './with-counts.ts'

interface MeteredResponse {
  api: PassedApi
  channel: RoutedChannel
  /** The upstream's name for the model. */
  model: string
  facts: ResponseFacts
  thinking?: UnseenOutput
  tariffs?: Tariffs
}

/** @returns at once what the upstream reported; what it did not is counted first */
export function meter(
  billable: PricedCall,
  response: MeteredResponse,
  reason: EndReason,
): MeteredUsage | Promise<MeteredUsage> {
  if (reason === 'broken' && hasNoContent(response.facts)) return nothing
  const report = reportOf(billable, response)
  const sides = sidesToCount(report, reason)
  const { call, price } = billable
  if (!sides.length || price.mode === 'call')
    return completed(report, estimated(sides, call, response.facts), { billable, response, reason })
  return counted(sides, call, response).then(counts => completed(report, counts, { billable, response, reason }))
}

const nothing: MeteredUsage = { usage: usageOf({}), by: 'gateway', doubts: [] }

/** Anthropic opens a stream with the count of the prompt and a few tokens of an output that has not begun. */
const OPENING_OUTPUT_MAX = 16

/** A report of hidden thinking is content, whatever becomes of the response. */
const hasNoContent = ({ output_estimate, reported_output = 0 }: ResponseFacts): boolean =>
  !output_estimate && reported_output <= OPENING_OUTPUT_MAX

const reportOf = (
  { call, price }: PricedCall,
  { api, facts }: { api: Pick<PassedApi, 'format'>; facts: ResponseFacts },
): ReportedUsage => api.format.meter(facts, { request: call.billed_body ?? call.body, by_call: price.mode === 'call' })

/** The upstream has read the prompt of a client that disconnects early, whatever it reports. */
const sidesToCount = ({ usage, missing }: ReportedUsage, reason: EndReason): readonly UsageSide[] =>
  reason === 'abandoned' && !promptTokens(usage) && !missing.includes('input') ? [...missing, 'input'] : missing

interface MeteredCall {
  billable: PricedCall
  response: MeteredResponse
  reason: EndReason
}

function completed(
  report: ReportedUsage,
  counts: TokenCounts,
  { billable, response, reason }: MeteredCall,
): MeteredUsage {
  const { thinking, facts } = response
  const unseen = thinking && wasCutShort(reason) ? thinking.unseen(facts) : 0
  const metered = withCounts(report, counts, unseen)
  const usage = withTariffs(metered.usage, billable.call, billable.price, response)
  if (reason === 'abandoned' && !promptTokens(usage)) return { ...metered, usage: { ...usage, input: counts.prompt } }
  return usage === metered.usage ? metered : { ...metered, usage }
}

/** An upstream that ends its response itself reports all that it thought, or has failed. */
const wasCutShort = (reason: EndReason) => reason !== 'finished' && reason !== 'broken'

/** Estimating an output takes as long as all other metering: it is done for a side that is missing alone. */
const estimated = (sides: readonly UsageSide[], { prompt_tokens }: Call, facts: ResponseFacts): TokenCounts => ({
  prompt: prompt_tokens,
  output: sides.includes('output') ? facts.output_estimate : 0,
})

/** By a tokenizer, as far as that can count. */
async function counted(
  sides: readonly UsageSide[],
  call: Call,
  { facts, model }: MeteredResponse,
): Promise<TokenCounts> {
  const { prompt, output } = estimated(sides, call, facts)
  const countable_output = output ? facts.countable_output : undefined
  const [counted_prompt, counted_output] = await Promise.all([
    sides.includes('input') ? countPrompt(call, model) : undefined,
    countable_output && countTokens(countable_output, model),
  ])
  return {
    prompt: counted_prompt ?? prompt,
    // An output without tokens, such as a blank, is still an output.
    output: counted_output === undefined ? output : Math.max(1, counted_output),
  }
}

async function countPrompt({ endpoint, billed_body, body }: Call, model: string): Promise<number | undefined> {
  const countable = endpoint.format.countablePrompt?.(billed_body ?? body, model)
  return countable && countTokens(countable, model)
}

/**
 * For a client that disconnects before any response: the prompt, and what was produced unseen; of what is priced by the
 * unit, such as images, all that is in the making.
 */
export async function meterUnanswered(billable: PricedCall): Promise<MeteredUsage> {
  const { call } = billable
  const { facts, departure } = call
  const { unseen, format, cancels } = departure.attempt!
  const prompt = (await countPrompt(call, facts.model)) ?? call.prompt_tokens
  if (facts.calls && !cancels) {
    const made = { usage_report: undefined, output_estimate: facts.calls, text: '' }
    return withCounts(reportOf(billable, { api: { format }, facts: made }), { prompt, output: facts.calls })
  }
  const output = Math.min(unseen?.tokens ?? 0, expectedOutput(call))
  const reasoning = unseen?.is_thinking ? output : 0
  return { usage: usageOf({ input: prompt, output, reasoning }), by: 'gateway', doubts: [] }
}

/** @returns the quota of a running response by its report; undefined when that leaves something to count */
export function quotaSoFar(billable: PricedCall, response: MeteredResponse): number | undefined {
  const report = reportOf(billable, response)
  if (report.missing.length && billable.price.mode !== 'call') return undefined
  const counts = estimated(report.missing, billable.call, response.facts)
  const { usage } = completed(report, counts, { billable, response, reason: 'finished' })
  return quotaOf(usage, answeredPrice(billable, response, usage)?.price ?? billable.price)
}
