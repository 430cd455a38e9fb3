/** Anthropic's messages, as callers and as upstreams speak them. */

import type { Json } from '../../pure/json.ts'
import type { Ask, Edit } from '../format.ts'
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
import { passing } from '../translate/passthrough.ts'
import { writeFailure } from './api-error.ts'
import { anthropicDialect } from './dialect.ts'
import { adapt } from './model-settings.ts'

const event = (type: string, data: Json) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

export const anthropic = passing(anthropicDialect, {
  readAsk,
  forward,
  adapt,
  writeErrorFrame: failure => event('error', writeFailure(failure)),
  last: event('message_stop', { type: 'message_stop' }),
})

function readAsk(body: Json): Ask | Flaw {
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

function forward(body: Json, { model, system_prompt, replaces_system }: Edit): Json {
  if (!system_prompt) return { ...body, model }
  return { ...body, model, system: replaces_system ? system_prompt : instructed(body.system, system_prompt) }
}

const instructed = (system: unknown, text: string): unknown =>
  Array.isArray(system) ? [{ type: 'text', text }, ...system] : [text, system].filter(Boolean).join('\n\n')
