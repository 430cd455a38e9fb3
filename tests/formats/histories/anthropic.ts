/** Random conversations as clients of Anthropic send them. */
import type { Json } from '../../../src/pure/json.ts'
import { citySchema, picture } from '../wire/sse.ts'
import type { Conversation, Item } from './conversation.ts'
import { argumentsOf, grouped, idOf, nameOf, sideOf, textOf, thoughtOf, toolNames, wrappedFor } from './item-texts.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }
const mark = { cache_control: { type: 'ephemeral' } }

export function anthropicBody(conversation: Conversation): Json {
  const { items, system, pieces, thinks, tools, marks, max_output, stream } = conversation
  const functions = toolNames(conversation).map(name => ({ name, input_schema: citySchema }))
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const groups = grouped(items, (last, next) => sideOf(last) === sideOf(next))
  return {
    model: 'm',
    max_tokens: max_output,
    ...(system.length && {
      system: pieces ? system.map(text => ({ type: 'text', text, ...mark })) : system.join('\n'),
    }),
    messages: groups.map((group, index) => messageOf(group, pieces, index < marks)),
    ...(tools && { tools: [search, ...functions] }),
    ...(thinks && { thinking: { type: 'enabled', budget_tokens: 400 + max_output / 2 } }),
    ...(stream && { stream }),
  }
}

function messageOf(group: Item[], pieces: boolean, isMarked: boolean): Json {
  const [first] = group as [Item]
  const isText = group.length === 1 && ['user', 'assistant', 'system'].includes(first.kind)
  if (isText && !pieces) return { role: sideOf(first), content: textOf(first) }
  const content = group.flatMap(item => blocksOf(item, pieces))
  if (isMarked && !String(content.at(-1)!.type).endsWith('thinking')) Object.assign(content.at(-1)!, mark)
  return { role: sideOf(first), content }
}

function blocksOf(item: Item, pieces: boolean): Json[] {
  const text = { type: 'text', text: textOf(item) }
  switch (item.kind) {
    case 'user':
    case 'assistant':
    case 'system':
      return [text]
    case 'image':
      return [image]
    case 'thought':
      if (item.redacted && item.owner === 'anthropic')
        return [{ type: 'redacted_thinking', data: wrappedFor('anthropic', item) }]
      return [{ type: 'thinking', thinking: thoughtOf(item), signature: wrappedFor('anthropic', item) ?? '' }]
    case 'call':
      return [{ type: 'tool_use', id: idOf(item), name: nameOf(item), input: argumentsOf(item) }]
    case 'result': {
      const content = item.image ? [text, { ...image }] : pieces ? [text] : textOf(item)
      return [{ type: 'tool_result', tool_use_id: idOf(item), content, ...(item.error && { is_error: true }) }]
    }
    case 'hosted':
      return [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      ]
  }
}
