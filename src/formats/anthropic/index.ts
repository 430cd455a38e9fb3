/** Anthropic's messages, as callers and as upstreams speak them. */

import type { Json } from '../../pure/json.ts'
import type { ForwardOptions, RequestFacts } from '../format.ts'
import {
  countFlaw,
  countIn,
  type Flaw,
  firstOf,
  flagFlaw,
  listFlaw,
  modelFlaw,
  modelIn,
  TOKENS_LIMIT,
} from '../json/checks.ts'
import { passthrough } from '../translate/passthrough.ts'
import { writeError } from './api-error.ts'
import { anthropicDialect } from './dialect.ts'
import { applyModelSettings } from './model-settings.ts'

const event = (type: string, data: Json) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

export const anthropic = passthrough(anthropicDialect, {
  readFacts,
  forward,
  applyModelSettings,
  writeErrorFrame: failure => event('error', writeError(failure)),
  last: event('message_stop', { type: 'message_stop' }),
})

function readFacts(body: Json): RequestFacts | Flaw {
  const flaw = firstOf(
    modelFlaw(body),
    flagFlaw(body, 'stream'),
    countFlaw(body, 'max_tokens', 0, TOKENS_LIMIT),
    listFlaw(body, 'messages'),
  )
  return (
    flaw ?? {
      model: modelIn(body),
      stream: body.stream === true,
      max_output: countIn(body, 'max_tokens') || undefined,
      choices: 1,
      wants_usage: true,
    }
  )
}

function forward(body: Json, { model, system_prompt, replace_system }: ForwardOptions): Json {
  if (!system_prompt) return { ...body, model }
  return { ...body, model, system: replace_system ? system_prompt : instructed(body.system, system_prompt) }
}

const instructed = (system: unknown, text: string): unknown =>
  Array.isArray(system) ? [{ type: 'text', text }, ...system] : [text, system].filter(Boolean).join('\n\n')
