/**
 * Reads and forwards the body of POST /v1/completions.
 * https://platform.openai.com/docs/api-reference/completions (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { inputsIn, isInput } from '../embedding-input.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  CHOICES_LIMIT,
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isAbsent,
  isObject,
  modelFlaw,
  modelIn,
  required,
  TOKENS_LIMIT,
  wrong,
} from '../json/checks.ts'

export function readFacts(body: Json): RequestFacts | Flaw {
  const flaw = firstOf(
    modelFlaw(body),
    promptFlaw(body),
    flagFlaw(body, 'stream'),
    isAbsent(body.stream_options) || isObject(body.stream_options) ? undefined : wrong('stream_options'),
    countFlaw(body, 'n', 1, CHOICES_LIMIT),
    countFlaw(body, 'best_of', 1, CHOICES_LIMIT),
    countFlaw(body, 'max_tokens', 0, TOKENS_LIMIT),
  )
  if (flaw) return flaw
  return {
    model: modelIn(body),
    stream: body.stream === true,
    max_output: countIn(body, 'max_tokens'),
    // Every prompt has its own choices, and all `best_of` candidates are billed.
    choices: Math.max(countIn(body, 'n') ?? 1, countIn(body, 'best_of') ?? 1) * inputsIn(body.prompt),
    wants_usage: (body.stream_options as Json | null | undefined)?.include_usage === true,
  }
}

function promptFlaw({ prompt }: Json): Flaw | undefined {
  if (isAbsent(prompt) || prompt === '') return required('prompt')
  if (!isInput(prompt)) return wrong('prompt')
}

/**
 * Copies the body with the upstream's model name. `stream_options.include_usage` is set when the upstream supports it.
 */
export function forward(body: Json, { model, stream_usage }: ForwardOptions): Json {
  const edited: Json = { ...body, model }
  if (body.stream !== true || !stream_usage) delete edited.stream_options
  else edited.stream_options = { ...(body.stream_options as Json | null), include_usage: true }
  return edited
}
