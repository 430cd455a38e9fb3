/** Decides what a call holds, by what is free. */
import type { Price } from '../../billing/price.ts'
import { option } from '../../domain/options/index.ts'
import { type Candidate, upstreamModel } from '../../domain/routing/index.ts'
import { inputMaxOf } from '../../models/input-max.ts'
import { USES, useLimits } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Hold, PlannedCall } from '../call.ts'
import type { ChosenField } from '../request/chosen-field.ts'
import { isAllowed, ruleFor } from '../request/field-rules.ts'
import { affordableOutput } from './affordable-output.ts'
import { cacheWriteOf } from './cache-writes.ts'
import { estimate } from './estimate.ts'
import { carryingLimits, outputMaxFor } from './output-max.ts'

/** @param free quota. @param free_tokens what budgets of tokens have left */
type Decide = (free: number, free_tokens: number) => number

/** What is held, as far as it is decided. */
type Draft = { -readonly [Field in keyof Hold]: Hold[Field] }

/** @returns what is held, once `decide` has been asked: it returns more than what is free where the call cannot be paid */
export function holdFor(
  call: PlannedCall,
  price: Price,
  candidates: readonly Candidate[],
): { hold: Hold; decide: Decide } {
  const hold: Draft = {
    paid_output: 0,
    is_limited: false,
    sends_limit: false,
    cache_write: cacheWriteOf(call, candidates),
    prompt: undefined,
    tool_uses: undefined,
  }
  const reserved = { call, hold, price, candidates }
  return { hold, decide: call.runs_tools ? holdForTools(reserved) : holdForOutput(reserved) }
}

interface HoldContext {
  call: PlannedCall
  hold: Draft
  price: Price
  candidates: readonly Candidate[]
}

/**
 * Without a limit, the most that a model can produce is held. Where that is not free, the call goes to upstreams alone
 * that are sent a limit.
 */
function holdForOutput({ call, hold, price, candidates }: HoldContext): Decide {
  const most = outputMaxFor(call, candidates)
  const limitable = carryingLimits(candidates, call)
  const tokensFor = (output: number) => call.prompt_tokens + output * call.facts.choices
  return (free, free_tokens) => {
    const quotaFor = estimates(call, hold, price)
    hold.paid_output = most
    hold.is_limited = false
    const isWhole = limitable.length < candidates.length && quotaFor(most) <= free && tokensFor(most) <= free_tokens
    hold.sends_limit = price.mode === 'tokens' && limitable.length > 0 && !isWhole
    if (hold.sends_limit) {
      const wanted = outputMaxFor(call, limitable)
      hold.paid_output = limitedOutput(call, wanted, quotaFor, free)
      if (tokensFor(hold.paid_output) > free_tokens)
        hold.paid_output = limitedOutput(call, hold.paid_output, tokensFor, free_tokens)
      hold.is_limited = hold.paid_output < wanted
    }
    return quotaFor(hold.paid_output)
  }
}

/** Tokens that a decided call may take. What tools of the upstream may add is held as far as it is free. */
export function tokensHeld({ prompt_tokens, facts }: PlannedCall, { paid_output, prompt = 0 }: Hold, free: number) {
  const output = paid_output * facts.choices
  const tokens = prompt_tokens + output
  return tokens <= free ? Math.min(Math.max(prompt_tokens, prompt) + output, free) : tokens
}

/** Remembers the last estimate, which is mostly asked for twice. */
function estimates(call: PlannedCall, hold: Hold, price: Price): (output: number) => number {
  let [last_output, quota] = [-1, 0]
  return output => {
    if (output !== last_output) [last_output, quota] = [output, estimate(call, hold, price, output)]
    return quota
  }
}

function limitedOutput(call: PlannedCall, wanted: number, quotaFor: (output: number) => number, free: number): number {
  const is_named = call.facts.max_output !== undefined
  return affordableOutput({ wanted, is_named, least: option('MinAffordableOutput'), quotaFor }, free)
}

/**
 * Tools of the upstream may fill the model's context: that is held beside the output. Where it is not free, all that is
 * free is held, so that no other call of the user begins meanwhile.
 */
function holdForTools(reserved: HoldContext): Decide {
  const { call, hold, price, candidates } = reserved
  const decide = holdForOutput(reserved)
  const context = Math.max(call.prompt_tokens, ...candidates.map(candidate => contextOf(candidate, call)))
  return (free, free_tokens) => {
    hold.prompt = undefined
    hold.tool_uses = toolUses(call, candidates, () => 1)
    const isPaid = decide(free, free_tokens) <= free
    hold.prompt = context
    hold.tool_uses = toolUses(call, candidates, usesOf)
    const whole = estimate(call, hold, price)
    return isPaid ? Math.min(whole, free) : whole
  }
}

/** Tokens that a model of unknown length reads at most. */
const CONTEXT = 262_144

const contextOf = ({ channel }: Candidate, { facts }: PlannedCall): number =>
  inputMaxOf(upstreamModel(channel, facts.model)) ?? inputMaxOf(facts.model) ?? CONTEXT

/** Uses of the tools that have a price, by tool of the price table. */
function toolUses(
  call: PlannedCall,
  candidates: readonly Candidate[],
  usesOf: (field: ChosenField, body: Json) => number,
) {
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
