/** OpenAI Responses. https://platform.openai.com/docs/api-reference/responses (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { BackgroundRequest, ChatFormat, ForwardOptions, RequestFacts } from '../format.ts'
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
import { objectsOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'
import { writeError } from '../openai-chat/api-error.ts'
import { passthrough } from '../translate/passthrough.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { applyModelSettings } from './model-settings.ts'
import { readRequest } from './read-request.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { unstartedResponse } from './response.ts'
import { madeIn, storedIn } from './stored-places.ts'
import { writeFailure } from './write-failure.ts'
import { writeRequest } from './write-request.ts'
import { writeResponse } from './write-response.ts'
import { writeStream } from './write-stream.ts'

export const openAiResponses = passthrough({
  name: 'openai-responses',
  limits,
  readFacts,
  forward,
  applyModelSettings,
  limitOutput: (body, limit) => ({ ...body, max_output_tokens: lowered(body.max_output_tokens, limit) }),
  readRequest,
  writeRequest,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
  madeIn: ({ output }, is_stored) => madeIn(objectsOf(output), is_stored),
  // OpenAI begins the stream before it counts the prompt, and Codex knows a full context by `response.failed` alone.
  failsInStream: ({ code }) => code === 'context_length_exceeded',
  writeErrorFrame: (error, call) => writeFailure(unstartedResponse(call), error, 0),
})

/** The same conversation, made shorter. https://platform.openai.com/docs/api-reference/responses/compact (read 2026-11) */
export const openAiCompaction: ChatFormat = {
  ...openAiResponses,
  readFacts(body) {
    const { stored, id_flaw } = storedIn(body)
    const flaw = firstOf(modelFlaw(body), id_flaw)
    if (flaw) return flaw
    return { model: modelIn(body), stream: false, max_output: undefined, choices: 1, wants_usage: true, stored }
  },
}

function readFacts(body: Json): RequestFacts | Flaw {
  const { stored, id_flaw } = storedIn(body)
  const flaw = firstOf(
    modelFlaw(body),
    flagFlaw(body, 'stream'),
    flagFlaw(body, 'background'),
    body.background && body.store === false ? { code: 'format.background_unstored', param: 'background' } : undefined,
    countFlaw(body, 'max_output_tokens', 0, TOKENS_LIMIT),
    id_flaw,
  )
  return (
    flaw ?? {
      model: modelIn(body),
      stream: body.stream === true,
      max_output: countIn(body, 'max_output_tokens') || undefined,
      choices: 1,
      wants_usage: true,
      stored,
      stores: body.store === false ? undefined : 'response',
      ...(body.background === true && { stream: true, background: foregroundOf(body) }),
    }
  )
}

/** The gateway itself runs a background response, as a streamed call. */
function foregroundOf({ background: _, ...body }: Json): BackgroundRequest {
  return { body: { ...body, stream: true }, is_streamed: body.stream === true }
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
