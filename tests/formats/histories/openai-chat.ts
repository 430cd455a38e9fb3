/** Random conversations as clients of OpenAI chat send them. */
import type { Json } from '../../../src/pure/json.ts'
import { citySchema, picture } from '../wire/sse.ts'
import type { Conversation, Item } from './conversation.ts'
import { argumentsOf, grouped, idOf, nameOf, sideOf, signatureOf, textOf, thoughtOf, toolNames } from './item-texts.ts'

export const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }

const order = ['thought', 'assistant', 'call']

/** Thoughts, text and calls of one message stand in this order. */
const isSame = (last: Item, next: Item): boolean => {
  if (sideOf(last) !== sideOf(next) || last.kind === 'result' || next.kind === 'result' || last.kind === 'system')
    return false
  return sideOf(last) === 'user' || order.indexOf(next.kind) >= order.indexOf(last.kind)
}

export function openAiChatBody(conversation: Conversation): Json {
  const { items: all, system, pieces, thinks, tools, marks, ...others } = conversation
  const items = all.filter(({ kind }) => kind !== 'hosted')
  return {
    model: 'm',
    messages: [
      ...system.map(content => ({ role: 'system', content })),
      ...grouped(items, isSame).flatMap((group, index) => messageOf(group, pieces, index < marks)),
    ],
    ...(tools && { tools: toolNames(conversation).map(toolOf) }),
    ...(thinks && { reasoning_effort: 'high' }),
    max_tokens: others.max_output,
    ...(others.stream && { stream: true }),
  }
}

const toolOf = (name: string): Json => ({ type: 'function', function: { name, parameters: citySchema } })

function messageOf(group: Item[], pieces: boolean, isMarked: boolean): Json[] {
  const [first] = group as [Item]
  switch (sideOf(first)) {
    case 'system':
      return [{ role: 'developer', content: textOf(first) }]
    case 'user':
      return first.kind === 'result'
        ? [resultOf(first, pieces)]
        : [{ role: 'user', content: contentOf(group, pieces, isMarked) }]
    case 'assistant':
      return [assistantOf(group, pieces)]
  }
}

function contentOf(group: Item[], pieces: boolean, isMarked: boolean): unknown {
  const isText = group.every(({ kind }) => kind === 'user' || kind === 'assistant')
  if (isText && !pieces) return group.map(textOf).join('\n')
  const mark = isMarked ? { cache_control: { type: 'ephemeral' } } : {}
  return group.map(item => (item.kind === 'image' ? image : { type: 'text', text: textOf(item), ...mark }))
}

const resultOf = (item: Item, pieces: boolean): Json => ({
  role: 'tool',
  tool_call_id: idOf(item),
  content: item.image
    ? [{ type: 'text', text: textOf(item) }, image]
    : pieces
      ? [{ type: 'text', text: textOf(item) }]
      : textOf(item),
})

function assistantOf(group: Item[], pieces: boolean): Json {
  const texts = group.filter(({ kind }) => kind === 'assistant')
  const thoughts = group.filter(({ kind }) => kind === 'thought')
  const calls = group.filter(({ kind }) => kind === 'call')
  const details = thoughts.flatMap((item, index) => detailsOf(item, index, pieces))
  return {
    role: 'assistant',
    content: texts.length ? contentOf(texts, pieces, false) : null,
    ...(thoughts.length && { reasoning_content: thoughts.map(thoughtOf).join('\n\n') }),
    ...(details.length && { reasoning_details: details }),
    ...(calls.length && { tool_calls: calls.map(callOf) }),
  }
}

const callOf = (item: Item): Json => ({
  id: idOf(item),
  type: 'function',
  function: {
    name: nameOf(item),
    arguments: item.blank === undefined ? JSON.stringify(argumentsOf(item)) : item.blank,
  },
})

const formats: Record<string, string> = {
  ...{ openai: 'openai-responses-v1', anthropic: 'anthropic-claude-v1', gemini: 'google-gemini-v1' },
}

/** As OpenRouter has them; clients that gather streams keep each piece. */
function detailsOf(item: Item, index: number, pieces: boolean): Json[] {
  const signature = signatureOf(item)
  const format = signature && formats[signature.owner]
  const text = thoughtOf(item)
  if (!format) return text ? [{ type: 'reasoning.text', text, index }] : []
  const encrypted = { type: 'reasoning.encrypted', data: signature.value, format, index }
  if (signature.owner === 'openai')
    return [...(text ? [{ type: 'reasoning.summary', summary: text, format, index }] : []), encrypted]
  if (signature.redacted) return [encrypted]
  const entry = { type: 'reasoning.text', format, index }
  if (!pieces) return [{ ...entry, text, signature: signature.value }]
  return [
    { ...entry, text: text.slice(0, 3) },
    { ...entry, text: text.slice(3) },
    { ...entry, text: '', signature: signature.value },
  ]
}
