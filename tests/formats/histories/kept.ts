/** What a client of each format keeps of a stream, whole or cut, and sends back. */
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import type { Json } from '../../../src/pure/json.ts'
import { listOf } from '../rules/rule.ts'

/** @param events of a stream, as parsed data. @returns a body that goes on after it */
type Keep = (events: Json[]) => Json

const question = 'Look it up.'
const next = 'Go on.'

export const keptBy: Record<ClientFormatName, Keep> = {
  'openai-chat': events => ({
    model: 'm',
    messages: [{ role: 'user', content: question }, ...keptChat(events), { role: 'user', content: next }],
  }),
  'openai-responses': events => ({
    model: 'm',
    input: [{ role: 'user', content: question }, ...keptItems(events), { role: 'user', content: next }],
    store: false,
  }),
  anthropic: events => ({
    ...{ model: 'm', max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    messages: [{ role: 'user', content: question }, ...keptBlocks(events), { role: 'user', content: next }],
  }),
  gemini: events => ({
    contents: [
      { role: 'user', parts: [{ text: question }] },
      ...keptContents(events),
      { role: 'user', parts: [{ text: next }] },
    ],
  }),
}

/** Texts are appended, lists too; calls by their index. */
function keptChat(events: Json[]): Json[] {
  const message: Json = { role: 'assistant', content: '' }
  const calls: Json[] = []
  for (const { delta = {} } of events.flatMap(({ choices }) => listOf(choices)) as { delta?: Json }[]) {
    for (const key of ['content', 'reasoning_content'])
      if (typeof delta[key] === 'string') message[key] = String(message[key] ?? '') + delta[key]
    if (delta.reasoning_details)
      message.reasoning_details = [...listOf(message.reasoning_details), ...listOf(delta.reasoning_details)]
    for (const { index, id, function: piece = {} } of listOf(delta.tool_calls) as {
      index: number
      id?: string
      function?: Json
    }[]) {
      calls[index] ??= { id, type: 'function', function: { name: piece.name, arguments: '' } }
      const called = calls[index]!.function as Json
      called.arguments = String(called.arguments) + String(piece.arguments ?? '')
    }
  }
  return events.length ? [{ ...message, ...(calls.length && { tool_calls: calls }) }] : []
}

/** Blocks as the SDK has them: the input of a call is what can be parsed of it. */
function keptBlocks(events: Json[]): Json[] {
  const blocks: Json[] = []
  for (const event of events as { type: string; index: number; content_block: Json; delta: Json }[]) {
    if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block }
    if (event.type !== 'content_block_delta') continue
    const block = blocks[event.index]!
    for (const key of ['text', 'thinking', 'signature'])
      if (typeof event.delta[key] === 'string') block[key] = String(block[key] ?? '') + event.delta[key]
  }
  return events.length ? [{ role: 'assistant', content: blocks }] : []
}

function keptItems(events: Json[]): Json[] {
  const items: Json[] = []
  for (const event of events as { type: string; output_index: number; item: Json; part: Json; delta: string }[]) {
    const item = items[event.output_index]
    if (event.type === 'response.output_item.added' || event.type === 'response.output_item.done')
      items[event.output_index] = structuredClone(event.item)
    if (event.type === 'response.content_part.added') listOf(item!.content).push({ ...event.part })
    if (event.type === 'response.reasoning_summary_part.added') listOf(item!.summary).push({ ...event.part })
    if (event.type === 'response.function_call_arguments.delta') item!.arguments = String(item!.arguments) + event.delta
    const part = listOf(item?.content).at(-1) ?? listOf(item?.summary).at(-1)
    if (part && /(?:output_text|summary_text)\.delta$/.test(event.type)) part.text = String(part.text) + event.delta
  }
  return items
}

/** Each chunk is a content. */
const keptContents = (events: Json[]): Json[] =>
  events.flatMap(({ candidates }) => listOf(candidates).flatMap(({ content }) => (content ? [content as Json] : [])))
