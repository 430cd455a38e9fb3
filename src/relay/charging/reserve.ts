/** Sets quota aside for the whole prompt and the requested output. */

import { quotaOf } from '../../billing/bill.ts'
import { type Price, priceAt } from '../../billing/price.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import { OUTPUT_STEP } from '../../contracts/relay.ts'
import { upstreamModel } from '../../domain/channels/index.ts'
import { option } from '../../domain/options/index.ts'
import { extend, type Reservation, release, reserve as setAside, settle } from '../../domain/wallet/index.ts'
import { outputMaxOf } from '../../models/output-max.ts'
import type { ApiCaller, BillableCall, Call, Candidate } from '../call.ts'
import { affordableOutput } from './affordable-output.ts'
import { cacheWriteOf } from './cache-writes.ts'

/** The reserved quota of one call. It is settled, or released when it is disposed. */
export class CallReservation implements AsyncDisposable {
  #settled = false

  constructor(
    private readonly reservation: Reservation,
    /** Output tokens of all choices that the quota pays for; infinite where the price or the output has other units. */
    public output: number,
  ) {}

  get quota(): number {
    return this.reservation.quota
  }

  /**
   * @param output tokens that `more` quota pays for
   * @throws Refusal 403 when the balance does not pay for `more`
   */
  async extend(more: number, output = 0): Promise<void> {
    await extend(this.reservation, more)
    this.output += output
  }

  /** Resolves when the bill is durable. */
  settle(bill: Parameters<typeof settle>[1]): Promise<void> {
    this.#settled = true
    return settle(this.reservation, bill)
  }

  async [Symbol.asyncDispose]() {
    if (!this.#settled) await release(this.reservation)
  }
}

/**
 * Reserves for the prompt and for all output that the call can produce. Where that is more than a fair part of what is
 * free, the call's output is limited to what can be paid. @throws Refusal 403 when even little output cannot be paid
 */
export async function reserve(
  call: Call,
  { token, user }: ApiCaller,
  price: Price,
  candidates: readonly Candidate[],
): Promise<CallReservation> {
  call.cache_write = cacheWriteOf(call, candidates)
  const wanted = outputMaxFor(call, candidates)
  call.paid_output = wanted
  const reservation = await setAside(
    { request_id: call.request_id, user_id: user.id, token_id: token.id, unlimited: token.unlimited_quota, quota: 0 },
    free => {
      const quotaFor = estimates(call, price)
      if (price.mode === 'tokens' && canLimit(call)) limitOutput(call, wanted, quotaFor, free)
      return quotaFor(call.paid_output)
    },
  )
  const isFixed = price.mode === 'call' || call.facts.max_output === 0
  return new CallReservation(reservation, isFixed ? Number.POSITIVE_INFINITY : expectedOutput(call))
}

/** Output tokens of one choice: as the caller names them, else the most that a model of the candidates can produce. */
export function outputMaxFor({ facts, endpoint }: Call, candidates: readonly Candidate[]): number {
  if (facts.max_output !== undefined) return facts.max_output
  if (endpoint.operation === 'realtime') return OUTPUT_STEP // Every turn extends the reservation.
  let most = 0
  for (const { channel, api } of candidates) {
    const model = upstreamModel(channel, facts.model)
    const max = outputMaxOf(model) ?? outputMaxOf(facts.model)
    most = Math.max(most, max ?? option('DefaultMaxOutput'), api.format.name === 'anthropic' ? defaultOutput(model) : 0)
  }
  return most
}

/** The operator's limit for calls without one, where it may be above the model's own. */
function defaultOutput(model: string): number {
  const limits = option('claude.default_max_tokens')
  return limits[model] ?? (outputMaxOf(model) === undefined ? limits.default : undefined) ?? 0
}

/** Only text can be cut short: other operations have no limit that an upstream takes. */
const canLimit = ({ endpoint }: Call) =>
  ['chat', 'responses', 'completions'].includes(endpoint.operation) && endpoint.below === undefined

/** Remembers the last estimate, which is mostly asked for twice. */
function estimates(call: Call, price: Price): (output: number) => number {
  let [last_output, quota] = [-1, 0]
  return output => {
    if (output !== last_output) [last_output, quota] = [output, estimate(call, price, output)]
    return quota
  }
}

function limitOutput(call: Call, wanted: number, quotaFor: (output: number) => number, free: number) {
  call.paid_output = affordableOutput(
    {
      wanted,
      is_named: call.facts.max_output !== undefined,
      least: option('MinAffordableOutput'),
      quotaFor,
    },
    free,
  )
  call.is_limited = call.paid_output < wanted
}

/** Output tokens of all choices that the reservation covers from the start. */
export const expectedOutput = ({ facts, paid_output }: Call): number => paid_output * facts.choices

/** Quota that the call may cost. @param paid_output tokens of each choice */
export function estimate(call: Call, price: Price, paid_output = call.paid_output): number {
  const output = paid_output * call.facts.choices
  const missing = Math.max(0, option('PreConsumedQuota') - call.prompt_tokens - output)
  const input = call.prompt_tokens + missing
  const quotaAt = (price: Price) => {
    const produced = expected(output, priceAt(price, input))
    const quotaBy = (prompt: Partial<Usage>) =>
      quotaOf({ ...usageOf({ ...prompt, calls: call.facts.calls }), ...produced }, price)
    if (!call.cache_write) return quotaBy({ input })
    return Math.max(quotaBy({ input }), quotaBy({ [`cache_write_${call.cache_write}`]: input }))
  }
  return mostOf(call, price, quotaAt)
}

/** Any of the models that the request lists may answer. */
const mostOf = ({ other_models }: Pick<Call, 'other_models'>, price: Price, quotaAt: (price: Price) => number) =>
  other_models ? Math.max(...[price, ...Object.values(other_models)].map(quotaAt)) : quotaAt(price)

/** Quota that further output may cost after a prompt of this length. */
export function outputQuota(output: number, prompt: number, { call, price }: Pick<BillableCall, 'call' | 'price'>) {
  return mostOf(call, price, own => {
    const pinned = priceAt(own, prompt)
    return quotaOf(usageOf(expected(output, pinned)), pinned)
  })
}

/** All output may be reasoning, where that is dearer. */
const expected = (output: number, { reasoning_ratio = 0, completion_ratio }: Price) => ({
  output,
  reasoning: reasoning_ratio > completion_ratio ? output : 0,
})
