/**
 * Turns a whole chat completion into a stream: one chunk for all choices, the usage and `[DONE]`. Unknown fields are kept.
 * https://platform.openai.com/docs/api-reference/chat-streaming (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'
import { LAST_EVENT } from './usage.ts'

const frame = (body: Json) => `data: ${JSON.stringify(body)}\n\n`

export function toStream({ choices, usage, ...response }: Json): string {
  const chunk = { ...response, object: 'chat.completion.chunk' }
  const content = frame({ ...chunk, choices: objectsOf(choices).map(asDelta) })
  return `${content}${usage ? frame({ ...chunk, choices: [], usage }) : ''}${LAST_EVENT}`
}

function asDelta({ message, ...choice }: Json): Json {
  const { tool_calls, ...delta } = objectOf(message)
  if (!Array.isArray(tool_calls)) return { ...choice, delta }
  return { ...choice, delta: { ...delta, tool_calls: tool_calls.map((call, index) => ({ index, ...call })) } }
}
