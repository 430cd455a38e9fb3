/** Decides what a call holds, by what is free. */
import type { Price } from '../../billing/price.ts'
import { option } from '../../domain/options/index.ts'
import { type Candidate, upstreamModel } from '../../domain/routing/index.ts'
import { inputMaxOf } from '../../models/input-max.ts'
import { USES, useLimits } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'
import type { ChosenField } from '../request/chosen-fields.ts'
import { isAllowed, ruleFor } from '../request/field-rules.ts'
import { affordableOutput } from './affordable-output.ts'
import { estimate } from './estimate.ts'
import { carryingLimits, outputMaxFor } from './output-max.ts'

/** @returns the quota to hold, which is more than what is free where the call cannot be paid */
export const holdFor = (call: Call, price: Price, candidates: readonly Candidate[]): ((free: number) => number) =>
  call.runs_tools ? holdForTools(call, price, candidates) : holdForOutput(call, price, candidates)

/**
 * Without a limit, the most that a model can produce is held. Where that is not free, the call goes to upstreams alone
 * that are sent a limit.
 */
function holdForOutput(call: Call, price: Price, candidates: readonly Candidate[]) {
  const most = outputMaxFor(call, candidates)
  const limitable = carryingLimits(candidates, call)
  return (free: number) => {
    const quotaFor = estimates(call, price)
    call.paid_output = most
    call.is_limited = false
    const isWhole = limitable.length < candidates.length && quotaFor(most) <= free
    call.sends_limit = price.mode === 'tokens' && limitable.length > 0 && !isWhole
    if (call.sends_limit) limitOutput(call, outputMaxFor(call, limitable), quotaFor, free)
    return quotaFor(call.paid_output)
  }
}

/** Remembers the last estimate, which is mostly asked for twice. */
function estimates(call: Call, price: Price): (output: number) => number {
  let [last_output, quota] = [-1, 0]
  return output => {
    if (output !== last_output) [last_output, quota] = [output, estimate(call, price, output)]
    return quota
  }
}

function limitOutput(call: Call, wanted: number, quotaFor: (output: number) => number, free: number) {
  const is_named = call.facts.max_output !== undefined
  call.paid_output = affordableOutput({ wanted, is_named, least: option('MinAffordableOutput'), quotaFor }, free)
  call.is_limited = call.paid_output < wanted
}

/**
 * Tools of the upstream may fill the model's context: that is held beside the output. Where it is not free, all that is
 * free is held, so that no other call of the user begins meanwhile.
 */
function holdForTools(call: Call, price: Price, candidates: readonly Candidate[]) {
  const hold = holdForOutput(call, price, candidates)
  const context = Math.max(call.prompt_tokens, ...candidates.map(candidate => contextOf(candidate, call)))
  return (free: number) => {
    call.held_prompt = undefined
    call.tool_uses = toolUses(call, candidates, () => 1)
    const isPaid = hold(free) <= free
    call.held_prompt = context
    call.tool_uses = toolUses(call, candidates, usesOf)
    const whole = estimate(call, price)
    return isPaid ? Math.min(whole, free) : whole
  }
}

/** Tokens that a model of unknown length reads at most. */
const CONTEXT = 262_144

const contextOf = ({ channel }: Candidate, { facts }: Call): number =>
  inputMaxOf(upstreamModel(channel, facts.model)) ?? inputMaxOf(facts.model) ?? CONTEXT

/** Uses of the tools that have a price, by tool of the price table. */
function toolUses(call: Call, candidates: readonly Candidate[], usesOf: (field: ChosenField, body: Json) => number) {
  const uses: Record<string, number> = {}
  for (const field of call.chosen_fields ?? []) {
    for (const candidate of candidates) {
      const rule = ruleFor(field, candidate, call)
      if (!rule?.tool || isAllowed(field.name, candidate)) continue
      uses[rule.tool] = Math.max(uses[rule.tool] ?? 0, rule.one_call ? 1 : usesOf(field, call.body))
    }
  }
  return uses
}

/** As the tool or the request limits them. */
function usesOf({ value }: ChosenField, body: Json): number {
  const limits = [value, body].flatMap(object => useLimits.map(name => Number((object as Json)?.[name])))
  return Math.max(1, limits.find(limit => limit > 0) ?? USES)
}
