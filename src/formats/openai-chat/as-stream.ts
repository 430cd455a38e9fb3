/** A whole answer as the stream that it could have been: one event for all of it, its usage, the end. */
import type { Json } from '../../pure/json.ts'
import { objectOf, objectsOf } from '../json/lenient-json.ts'

const frame = (body: Json) => `data: ${JSON.stringify(body)}\n\n`

export function toStream({ choices, usage, ...answer }: Json): string {
  const event = { ...answer, object: 'chat.completion.chunk' }
  const said = frame({ ...event, choices: objectsOf(choices).map(asDelta) })
  return `${said}${usage ? frame({ ...event, choices: [], usage }) : ''}data: [DONE]\n\n`
}

function asDelta({ message, ...choice }: Json): Json {
  const { tool_calls, ...said } = objectOf(message)
  if (!Array.isArray(tool_calls)) return { ...choice, delta: said }
  return { ...choice, delta: { ...said, tool_calls: tool_calls.map((call, index) => ({ index, ...call })) } }
}
