/** https://platform.openai.com/docs/api-reference/responses/create (read 2026-11) */
import type { Json } from '../../../src/pure/json.ts'
import { listToolsFlaw } from './openai-chat.ts'
import { type BodyRule, firstFlaw, isFilled, listOf, repeated, signedBy, unknownFields } from './rule.ts'

const ID_MAX = 64

export const openAiResponsesFlaw: BodyRule = ({ input, tools, tool_choice }) => {
  if (tool_choice && !tools) return 'tool_choice without tools'
  if (typeof input === 'string') return input ? undefined : 'an empty input'
  if (!listOf(input).length) return 'an empty input'
  return listToolsFlaw(tools) ?? firstFlaw(listOf(input), itemFlaw) ?? orderFlaw(listOf(input))
}

function itemFlaw(item: Json): string | undefined {
  switch (item.type) {
    case 'message':
      return messageFlaw(item)
    case 'function_call':
      if (!isFilled(item.call_id) || item.call_id.length > ID_MAX) return `call id ${item.call_id}`
      if (!/^[\w-]{1,64}$/.test(String(item.name))) return `name ${item.name}`
      return unknownFields(item, 'type', 'call_id', 'name', 'arguments')
    case 'function_call_output':
      if (typeof item.output !== 'string' && !listOf(item.output).length) return 'an empty output'
      return unknownFields(item, 'type', 'call_id', 'output')
    case 'reasoning':
      if (signedBy('openai', item.encrypted_content) === undefined) return 'encrypted_content cannot be verified'
      if (!/^rs_./.test(String(item.id))) return `id ${item.id}`
      return unknownFields(item, 'type', 'id', 'summary', 'encrypted_content')
    default:
      return `item ${item.type}`
  }
}

const contents: Record<string, string[]> = {
  user: ['input_text', 'input_image', 'input_file', 'input_audio'],
  system: ['input_text'],
  developer: ['input_text'],
  assistant: ['output_text', 'refusal'],
}

function messageFlaw({ role, content, ...others }: Json): string | undefined {
  const kinds = contents[String(role)]
  if (!kinds) return `role ${role}`
  if (!listOf(content).length) return 'a message without content'
  const strange = listOf(content).find(({ type }) => !kinds.includes(String(type)))
  return strange ? `${strange.type} of ${role}` : unknownFields(others, 'type')
}

/** Every call has one output behind it, and every reasoning item the item that it led to. */
function orderFlaw(items: Json[]): string | undefined {
  const calls = items.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id)
  const outputs = items.filter(({ type }) => type === 'function_call_output').map(({ call_id }) => call_id)
  if (repeated(calls) !== undefined) return `two calls ${repeated(calls)}`
  if (repeated(outputs) !== undefined) return `two outputs of ${repeated(outputs)}`
  const ids = items.filter(({ type }) => type === 'reasoning').map(({ id }) => id)
  if (repeated(ids) !== undefined) return `two items ${repeated(ids)}`
  const unanswered = calls.find(id => !outputs.includes(id))
  if (unanswered !== undefined) return `no tool output found for function call ${unanswered}`
  return firstFlaw(items, ({ type, call_id }, index) => {
    const isCall = (item: Json) => item.type === 'function_call' && item.call_id === call_id
    if (type === 'function_call_output' && !items.slice(0, index).some(isCall))
      return 'no tool call found for an output'
    if (type === 'reasoning' && !isOfModel(items[index + 1])) return 'reasoning without its required following item'
  })
}

const isOfModel = (item: Json | undefined): boolean =>
  item !== undefined && (['reasoning', 'function_call'].includes(String(item.type)) || item.role === 'assistant')
