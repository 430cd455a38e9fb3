/** https://docs.anthropic.com/en/api/messages (read 2026-11) */
import type { Json } from '../../../src/pure/json.ts'
import { type BodyRule, firstFlaw, isFilled, listOf, repeated, sameSet, signedBy, unknownFields } from './rule.ts'

const MARKS_MAX = 4

export const anthropicFlaw: BodyRule = body => {
  const messages = messagesOf(body)
  const names = listOf(body.tools).map(({ name }) => name)
  if (messages[0]?.role !== 'user') return 'the first message is not of the user'
  if (repeated(names) !== undefined) return `tool names must be unique: ${repeated(names)}`
  if (JSON.stringify(body).split('"cache_control"').length - 1 > MARKS_MAX) return 'more than 4 cache marks'
  return (
    systemFlaw(body.system) ??
    firstFlaw(messages, messageFlaw) ??
    firstFlaw(messages, ({ role }, index) =>
      role === messages[index + 1]?.role ? 'roles do not alternate' : undefined,
    ) ??
    callsFlaw(messages) ??
    endFlaw(messages, String(body.model)) ??
    thinkingFlaw(body, messages)
  )
}

/** The same for a body with blocks that only Anthropic knows. */
export const anthropicCallsFlaw: BodyRule = body => callsFlaw(messagesOf(body))

const messagesOf = ({ messages }: Json): Blocks[] =>
  listOf(messages).map(({ role, content }) => ({ role, content: blocksOf(content) }))

interface Blocks {
  role: unknown
  content: Json[]
}

const blocksOf = (content: unknown): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)

const systemFlaw = (system: unknown): string | undefined =>
  system === undefined || blocksOf(system).every(({ text }) => isFilled(text)) ? undefined : 'a blank system text'

const kinds: Record<string, string[]> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
}

function messageFlaw({ role, content }: Blocks): string | undefined {
  if (!content.length) return 'a message without content'
  return firstFlaw(content, block => {
    if (!kinds[String(role)]?.includes(String(block.type))) return `${block.type} of ${role}`
    return blockFlaw(block)
  })
}

function blockFlaw(block: Json): string | undefined {
  switch (block.type) {
    case 'text':
      if (!isFilled(block.text)) return 'text content blocks must contain non-whitespace text'
      return unknownFields(block, 'type', 'text', 'citations', 'cache_control')
    case 'thinking':
      if (signedBy('anthropic', block.signature, String(block.thinking)) !== block.thinking)
        return 'invalid signature in thinking block'
      return unknownFields(block, 'type', 'thinking', 'signature')
    case 'redacted_thinking':
      if (signedBy('anthropic', block.data, 'redacted') !== 'redacted') return 'invalid data in redacted_thinking block'
      return unknownFields(block, 'type', 'data')
    case 'tool_use':
      if (!/^[\w-]+$/.test(String(block.id)) || !/^[\w-]{1,128}$/.test(String(block.name))) return 'an id or a name'
      return unknownFields(block, 'type', 'id', 'name', 'input', 'cache_control')
    case 'tool_result':
      return (
        firstFlaw(blocksOf(block.content), inner =>
          inner.text === '' && !block.content ? undefined : blockFlaw(inner),
        ) ?? unknownFields(block, 'type', 'tool_use_id', 'content', 'is_error', 'cache_control')
      )
  }
}

/** The results stand first in the message after the calls, and nowhere else. */
function callsFlaw(messages: Blocks[]): string | undefined {
  const ids = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use').map(({ id }) => id))
  if (repeated(ids) !== undefined) return `tool_use ids must be unique: ${repeated(ids)}`
  return firstFlaw(messages, ({ role, content }, index) => {
    const before = role === 'user' ? (messages[index - 1]?.content ?? []) : []
    const calls = before.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    const results = content.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id)
    if (!sameSet(calls, results)) return `tool_use ${calls} and tool_result ${results}`
    const isFirst = content.slice(0, results.length).every(({ type }) => type === 'tool_result')
    return isFirst ? undefined : 'tool_result blocks must come first'
  })
}

function endFlaw(messages: Blocks[], model: string): string | undefined {
  const thought = messages.find(({ content }) => String(content.at(-1)!.type).endsWith('thinking'))
  if (thought) return 'the final block in an assistant message cannot be thinking'
  const { role, content } = messages.at(-1)!
  if (role !== 'assistant') return undefined
  if (noPrefill.test(model)) return 'this model does not support assistant message prefill'
  const last = content.at(-1)!
  if (last.type === 'tool_use') return 'tool_use without tool_result'
  if (last.type === 'text' && /\s$/.test(String(last.text))) return 'final assistant content ends with whitespace'
}

const noPrefill = /claude-[a-z]+-(?:4-[6-9]|[5-9])(?:-|$)/

/** While thinking has a budget, the message before the last results, or a final one, begins with a thought. */
function thinkingFlaw({ thinking, temperature, max_tokens }: Json, messages: Blocks[]): string | undefined {
  const { type, budget_tokens } = (thinking ?? {}) as Json
  if (type !== 'enabled') return undefined
  if (temperature !== undefined) return 'temperature beside thinking'
  if (Number(budget_tokens) >= Number(max_tokens)) return 'budget_tokens is not below max_tokens'
  const isOpen = messages.at(-1)!.content.some(({ type }) => type === 'tool_result')
  const last = messages.at(-1)!.role === 'assistant' ? messages.at(-1)! : isOpen ? messages.at(-2)! : undefined
  if (!last) return undefined
  const [first] = last.content
  return String(first!.type).endsWith('thinking') ? undefined : `expected thinking, but found ${first!.type}`
}
