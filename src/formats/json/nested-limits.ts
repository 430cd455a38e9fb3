/**
 * Limits that do not stand where the format has them: inside `extra_body`, which gateways merge into the request, among
 * the options of a server, or under the name of another API. They only raise what a call may cost, since the upstream
 * may know one of them alone, and are lowered with the format's own limit.
 * https://docs.litellm.ai/docs/providers/openai_compatible and https://docs.vllm.ai/en/latest/serving/openai_compatible_server
 * (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { RequestFacts } from '../format.ts'
import { CHOICES_LIMIT, type Flaw, isObject, TOKENS_LIMIT } from './checks.ts'

const camelised = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const spelled = (...names: string[]) => new Set(names.flatMap(name => [name, camelised(name)]))

const outputs = spelled(
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'max_tokens_to_sample'],
  ...['max_gen_tokens', 'max_length', 'num_predict', 'n_predict'],
)
const counts = spelled('n', 'best_of', 'candidate_count', 'num_return_sequences', 'num_generations')
/** Fields of a request that may hold such a name. */
const places = new Set([
  ...['extra_body', 'options', 'generationConfig', 'generation_config', 'parameters', 'inferenceConfig'],
  ...['model_kwargs', 'sampling_params'],
])
const DEPTH_MAX = 4

/** Raises the limits of a request to those that stand elsewhere in it. */
export function withNestedLimits(facts: RequestFacts | Flaw, body: Json): RequestFacts | Flaw {
  if ('code' in facts || !mayHaveOthers(body)) return facts
  let { max_output, choices } = facts
  eachLimit(body, (kind, value) => {
    if (kind === 'count') choices = Math.max(choices, Math.min(value, CHOICES_LIMIT))
    else if (max_output !== undefined) max_output = Math.max(max_output, Math.min(value, TOKENS_LIMIT))
  })
  return { ...facts, max_output, choices }
}

/** @returns the same body where no such limit is higher */
export function withNestedLowered(body: Json, limit: number): Json {
  return mayHaveOthers(body) ? lowered(body, limit, 0) : body
}

/** Every format has one of these. */
const usual = ['max_tokens', 'max_completion_tokens', 'n']
const others = new Set([...places, ...outputs, ...counts].filter(name => !usual.includes(name)))

function mayHaveOthers(body: Json): boolean {
  for (const name in body) if (others.has(name)) return true
  return false
}

function eachLimit(object: Json, found: (kind: 'output' | 'count', value: number) => void, depth = 0) {
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value) && !isRawJSON(value)) {
      if (depth < DEPTH_MAX && (depth > 0 || places.has(name))) eachLimit(value, found, depth + 1)
    } else if (outputs.has(name)) found('output', limitOf(value))
    else if (counts.has(name)) found('count', limitOf(value))
  }
}

function lowered(object: Json, limit: number, depth: number): Json {
  const edited = Object.entries(object).map(([name, value]) => {
    if (isObject(value) && !isRawJSON(value) && depth < DEPTH_MAX && (depth > 0 || places.has(name)))
      return [name, lowered(value, limit, depth + 1)]
    return [name, outputs.has(name) && limitOf(value) > limit ? limit : value]
  })
  return Object.fromEntries(edited)
}

/** Tells a whole number beyond 2^53, which is kept as it was written. */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): value is { rawJSON: string } }

/** @returns 0 for what is no limit */
function limitOf(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : isRawJSON(value) ? Number(value.rawJSON) : value
  return typeof number === 'number' && number > 0 ? number : 0
}
