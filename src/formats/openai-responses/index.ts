/** OpenAI's Responses, as callers and as upstreams speak them. */

import type { Json } from '../../pure/json.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  isObject,
  modelFlaw,
  modelIn,
  TOKENS_LIMIT,
} from '../json/checks.ts'
import { passthrough } from '../translate/passthrough.ts'
import { writeStreamFailure } from './api-error.ts'
import { openAiResponsesDialect } from './dialect.ts'
import { applyModelSettings } from './model-settings.ts'

export const openAiResponses = passthrough(openAiResponsesDialect, {
  readFacts,
  forward,
  applyModelSettings,
  writeErrorFrame: failure =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', ...writeStreamFailure(failure) })}\n\n`,
})

function readFacts(body: Json): RequestFacts | Flaw {
  const flaw = firstOf(
    modelFlaw(body),
    flagFlaw(body, 'stream'),
    flagFlaw(body, 'background'),
    // Nobody would be there when it is ready, to read what was used.
    body.background ? { code: 'format.no_background', param: 'background' } : undefined,
    countFlaw(body, 'max_output_tokens', 0, TOKENS_LIMIT),
  )
  return (
    flaw ?? {
      model: modelIn(body),
      stream: body.stream === true,
      max_output: countIn(body, 'max_output_tokens') || undefined,
      choices: 1,
      wants_usage: true,
    }
  )
}

function forward(body: Json, { model, system_prompt, replace_system }: ForwardOptions): Json {
  if (!system_prompt) return { ...body, model }
  if (!replace_system) {
    return { ...body, model, instructions: [system_prompt, body.instructions].filter(Boolean).join('\n\n') }
  }
  const input = Array.isArray(body.input) ? body.input.filter(isOther) : body.input
  return { ...body, model, instructions: system_prompt, input }
}

const isOther = (item: unknown) => !isObject(item) || (item.role !== 'system' && item.role !== 'developer')
