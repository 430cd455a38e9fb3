/** Gemini generateContent; its URL names the model and whether to stream. https://ai.google.dev/api/generate-content (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  CHOICES_LIMIT,
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  isObject,
  modelFlaw,
  modelIn,
  required,
  TOKENS_LIMIT,
} from '../json/checks.ts'
import { objectOf } from '../json/lenient-json.ts'
import { passthrough } from '../translate/passthrough.ts'
import { readError, writeError, writeErrorFrame } from './api-error.ts'
import { limitOutput } from './limit-output.ts'
import { limits } from './limits.ts'
import { applyModelSettings } from './model-settings.ts'
import { fieldOf } from './names.ts'
import { readRequest } from './read-request.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { storedIn } from './stored-places.ts'
import { writeRequest } from './write-request.ts'
import { writeResponse } from './write-response.ts'
import { writeStream } from './write-stream.ts'

export const gemini = passthrough({
  name: 'gemini',
  limits,
  readFacts,
  forward,
  applyModelSettings,
  limitOutput,
  readRequest,
  writeRequest,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
  writeErrorFrame,
})

function readFacts(body: Json): RequestFacts | Flaw {
  const config = objectOf(fieldOf(body, 'generationConfig').value)
  const limit = fieldOf(config, 'maxOutputTokens').name
  const count = fieldOf(config, 'candidateCount').name
  const { stored, id_flaw } = storedIn(body)
  const flaw = firstOf(
    modelFlaw(body),
    body.contents ? undefined : required('contents'),
    id_flaw,
    countFlaw(config, limit, 0, TOKENS_LIMIT),
    countFlaw(config, count, 1, CHOICES_LIMIT),
  )
  return (
    flaw ?? {
      model: modelIn(body),
      stream: body.stream === true,
      max_output: countIn(config, limit) || undefined,
      choices: countIn(config, count) ?? 1,
      wants_usage: true,
      stored,
    }
  )
}

function forward(
  { model: _, stream: __, ...body }: Json,
  { system_prompt: text, replace_system }: ForwardOptions,
): Json {
  if (!text) return body
  const { name, value } = fieldOf(body, 'systemInstruction')
  return { ...body, [name]: instructed(replace_system ? undefined : value, text) }
}

function instructed(system: unknown, text: string): Json {
  const own = typeof system === 'string' ? [{ text: system }] : isObject(system) ? [system.parts ?? []].flat() : []
  return { ...(isObject(system) && system), parts: [{ text }, ...own] }
}
