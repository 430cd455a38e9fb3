/** https://platform.openai.com/docs/api-reference/chat/create (read 2026-11) */
import type { Json } from '../../../src/pure/json.ts'
import { type BodyRule, firstFlaw, isFilled, listOf, repeated, sameSet, unknownFields } from './rule.ts'

const TOOLS_MAX = 128
const ID_MAX = 40
const toolName = /^[\w-]{1,64}$/

/** What OpenAI itself refuses; compatible servers know more fields and have the same order of messages. */
export const openAiChatFlaw: BodyRule = ({ messages, tools, tool_choice }) => {
  if (!listOf(messages).length) return 'no messages'
  if (tool_choice && !tools) return 'tool_choice without tools'
  return listToolsFlaw(tools) ?? firstFlaw(listOf(messages), messageFlaw) ?? openAiOrderFlaw(listOf(messages))
}

export function listToolsFlaw(tools: unknown): string | undefined {
  if (tools === undefined) return undefined
  const names = listOf(tools).flatMap(tool => (tool.function as Json | undefined)?.name ?? tool.name ?? [])
  if (!listOf(tools).length) return 'an empty list of tools'
  if (listOf(tools).length > TOOLS_MAX) return 'more than 128 tools'
  if (repeated(names) !== undefined) return `two tools called ${repeated(names)}`
  return names.every(name => toolName.test(String(name))) ? undefined : 'a name of a tool'
}

const userParts = ['text', 'image_url', 'input_audio', 'file', 'video_url']

function messageFlaw(message: Json): string | undefined {
  const { role, content } = message
  switch (role) {
    case 'system':
    case 'developer':
      return contentFlaw(content, ['text']) ?? unknownFields(message, 'role', 'content', 'name')
    case 'user':
      return contentFlaw(content, userParts) ?? unknownFields(message, 'role', 'content', 'name')
    case 'tool':
      return contentFlaw(content, ['text']) ?? unknownFields(message, 'role', 'content', 'tool_call_id')
    case 'assistant':
      return assistantFlaw(message)
    default:
      return `role ${role}`
  }
}

function contentFlaw(content: unknown, kinds: string[]): string | undefined {
  if (typeof content === 'string') return undefined
  if (!Array.isArray(content) || !content.length) return 'content is no text and no list, or an empty one'
  return content.every(part => kinds.includes(part.type)) ? undefined : `a part that is none of ${kinds}`
}

function assistantFlaw({ content, tool_calls, refusal, audio, ...others }: Json): string | undefined {
  const flaw = content === null ? undefined : contentFlaw(content, ['text', 'refusal'])
  if (flaw) return flaw
  if (!content && !tool_calls && !refusal && !audio) return 'an assistant message of nothing'
  const unknown = unknownFields(others, 'role', 'name')
  if (unknown || tool_calls === undefined) return unknown
  if (!listOf(tool_calls).length) return 'an empty list of tool calls'
  return firstFlaw(listOf(tool_calls), callFlaw)
}

function callFlaw({ id, type, function: called }: Json): string | undefined {
  if (!isFilled(id) || id.length > ID_MAX) return `tool call id ${id}`
  const { name, arguments: text } = called as Json
  if (type !== 'function' || !toolName.test(String(name))) return `name ${name}`
  return typeof text === 'string' ? undefined : 'arguments are no text'
}

/** Every tool call has one tool message, all of them directly behind the calls. */
export function openAiOrderFlaw(messages: Json[]): string | undefined {
  if (!messages.length) return 'no messages'
  let open: unknown[] = []
  const ids: unknown[] = []
  for (const [index, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id)) return `${index}: a tool message without a preceding tool call`
      open = open.filter(id => id !== tool_call_id)
      continue
    }
    if (open.length) return `${index}: tool calls without tool messages: ${open}`
    open = listOf(tool_calls).map(({ id }) => id)
    ids.push(...open)
  }
  if (open.length) return `tool calls without tool messages: ${open}`
  return sameSet(ids, [...new Set(ids)]) ? undefined : `two tool calls ${repeated(ids)}`
}
