/** Counts what a response used: by the upstream's report where it is plausible, else by our own count. */

import { quotaOf } from '../../billing/bill.ts'
import { promptTokens, type Tariffs, usageOf } from '../../billing/usage.ts'
import type { EndReason } from '../../contracts/relay.ts'
import type { RoutedChannel } from '../../domain/routing/index.ts'
import type { LocalCounts, MeteredUsage, ResponseFacts } from '../../formats/format.ts'
import type { UpstreamApi } from '../../providers/index.ts'
import type { BillableCall, Call } from '../call.ts'
import { countTokens } from '../counting/count-tokens.ts'
import { answeredPrice } from './answered-price.ts'
import { expectedOutput } from './estimate.ts'
import { withTariffs } from './tariffs.ts'
import type { UnseenOutput } from './unseen-output.ts'

interface MeteredResponse {
  api: UpstreamApi
  channel: RoutedChannel
  /** The upstream's name for the model. */
  model: string
  facts: ResponseFacts
  thinking?: UnseenOutput
  tariffs?: Tariffs
}

/** What a tokenizer, or the quick estimate, counts of a prompt and an output. */
interface TokenCounts {
  prompt: number
  output: number
}

/** @returns at once what the upstream reported; what it did not is counted first */
export function meter(
  billable: BillableCall,
  response: MeteredResponse,
  reason: EndReason,
): MeteredUsage | Promise<MeteredUsage> {
  if (reason === 'broken' && hasNoContent(response.facts)) return nothing
  const { call, price } = billable
  const estimates = new Estimates(call, response.facts)
  const metered = meteredBy(estimates, billable, response, reason)
  if (!estimates.wereUsed || price.mode === 'call') return metered
  return counted(estimates, call, response).then(counts => meteredBy(counts, billable, response, reason))
}

const nothing: MeteredUsage = { usage: usageOf({}), by: 'gateway', doubts: [] }

/** Anthropic opens a stream with the count of the prompt and a few tokens of an output that has not begun. */
const OPENING_OUTPUT_MAX = 16

/** A report of hidden thinking is content, whatever becomes of the response. */
const hasNoContent = ({ output_estimate, reported_output = 0 }: ResponseFacts): boolean =>
  !output_estimate && reported_output <= OPENING_OUTPUT_MAX

function meteredBy(
  counts: TokenCounts,
  { call, price }: BillableCall,
  { api, channel, facts, thinking, tariffs }: MeteredResponse,
  reason: EndReason,
): MeteredUsage {
  const unseen = thinking && wasCutShort(reason) ? thinking.unseen(facts) : 0
  let reasoning = 0
  const local: LocalCounts = {
    get prompt() {
      return counts.prompt
    },
    get output() {
      reasoning = unseen
      return counts.output + unseen
    },
    request: call.billed_body ?? call.body,
    by_call: price.mode === 'call',
  }
  const metered = api.format.meter(facts.usage_report, local)
  if (reasoning) metered.usage.reasoning = reasoning
  const usage = withTariffs(metered.usage, call, price, { api, channel, tariffs })
  // The upstream has read the prompt of a client that disconnects early.
  if (reason === 'abandoned' && !promptTokens(usage)) return { ...metered, usage: { ...usage, input: counts.prompt } }
  return usage === metered.usage ? metered : { ...metered, usage }
}

/** An upstream that ends its response itself reports all that it thought, or has failed. */
const wasCutShort = (reason: EndReason) => reason !== 'finished' && reason !== 'broken'

/** The quick estimates. They notice whether the bill needs them. */
class Estimates implements TokenCounts {
  wereUsed = false

  constructor(
    private readonly call: Call,
    private readonly facts: ResponseFacts,
  ) {}

  get prompt(): number {
    this.wereUsed = true
    return this.call.prompt_tokens
  }

  get output(): number {
    this.wereUsed = true
    return this.facts.output_estimate
  }
}

async function counted(estimates: TokenCounts, call: Call, { facts, model }: MeteredResponse): Promise<TokenCounts> {
  const { prompt, output } = estimates
  const { countable_output } = facts
  const [counted_prompt, counted_output] = await Promise.all([
    countPrompt(call, model),
    countable_output && output ? countTokens(countable_output, model) : undefined,
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
export async function meterUnanswered({ call, price }: BillableCall): Promise<MeteredUsage> {
  const { facts, departure, billed_body, body } = call
  const { unseen, format, cancels } = departure.attempt!
  const prompt = (await countPrompt(call, facts.model)) ?? call.prompt_tokens
  if (facts.calls && !cancels) {
    const local = { prompt, output: facts.calls, request: billed_body ?? body, by_call: price.mode === 'call' }
    return format.meter(undefined, local)
  }
  const output = Math.min(unseen?.tokens ?? 0, expectedOutput(call))
  const reasoning = unseen?.is_thinking ? output : 0
  return { usage: usageOf({ input: prompt, output, reasoning }), by: 'gateway', doubts: [] }
}

/** @returns the quota of a running response by its report; undefined when that leaves something to count */
export function quotaSoFar(billable: BillableCall, response: MeteredResponse): number | undefined {
  const estimates = new Estimates(billable.call, response.facts)
  const { usage } = meteredBy(estimates, billable, response, 'finished')
  if (estimates.wereUsed && billable.price.mode !== 'call') return undefined
  return quotaOf(usage, answeredPrice(billable, response, usage)?.price ?? billable.price)
}
