/** What the makers refuse whose formats only upstreams have; the links stand in their formats. */
import type { Json } from '../../../src/pure/json.ts'
import { aConverse } from '../../support/upstream/bedrock-rules.ts'
import { type BodyRule, firstFlaw, isFilled, listOf, repeated, sameSet, signedBy } from './rule.ts'

interface Turn {
  role: unknown
  content: Json[]
}

const bedrock: BodyRule = ({ model: _, stream: __, ...body }) => {
  const messages = listOf(body.messages) as unknown as Turn[]
  for (const rule of aConverse) {
    const flaw = rule(body)
    if (flaw) return flaw
  }
  return firstFlaw(messages, ({ content, role }, index) => {
    const before = role === 'user' ? (messages[index - 1]?.content ?? []) : []
    const calls = before.flatMap(({ toolUse }) => (toolUse as Json | undefined)?.toolUseId ?? [])
    const results = content.flatMap(({ toolResult }) => (toolResult as Json | undefined)?.toolUseId ?? [])
    if (!sameSet(calls, results)) return `toolUse ${calls} and toolResult ${results}`
    if (repeated(calls) !== undefined) return `two calls ${repeated(calls)}`
    return firstFlaw(content, ({ reasoningContent }) =>
      reasoningContent ? reasoningFlaw(reasoningContent as Json) : undefined,
    )
  })
}

const reasoningFlaw = ({ reasoningText, redactedContent }: Json): string | undefined => {
  if (redactedContent)
    return signedBy('bedrock', redactedContent, 'redacted') === 'redacted' ? undefined : 'redacted content'
  const { text, signature } = reasoningText as Json
  return signedBy('bedrock', signature, String(text)) === text ? undefined : 'invalid signature of reasoning'
}

/** Every call has one message of the tool, directly behind the calls. */
function toolOrderFlaw(messages: readonly Json[], names: { role: string; calls: string; id: string; call_id: string }) {
  let open: unknown[] = []
  const ids: unknown[] = []
  const flaw = firstFlaw(messages, message => {
    const id = message[names.id]
    if (message[names.role] === 'tool') {
      if (!open.includes(id)) return `a result of no call: ${id}`
      open = open.filter(other => other !== id)
      return undefined
    }
    if (open.length) return `calls without results: ${open}`
    open = listOf(message[names.calls]).map(call => call[names.call_id])
    ids.push(...open)
  })
  if (flaw) return flaw
  if (open.length) return `calls without results: ${open}`
  return repeated(ids) === undefined ? undefined : `two calls ${repeated(ids)}`
}

const lower = { role: 'role', calls: 'tool_calls', id: 'tool_call_id', call_id: 'id' }

const cohere: BodyRule = ({ messages }) => {
  if (!listOf(messages).length) return 'no messages'
  const flaw = firstFlaw(listOf(messages), ({ role, content, tool_calls, tool_plan }) => {
    if (role === 'assistant' && tool_calls)
      return content === undefined && tool_plan !== '' ? undefined : 'content beside calls'
    if (role === 'tool') return typeof content === 'string' ? undefined : 'a result that is no text'
    return isFilled(content) || listOf(content).length ? undefined : `${role} without content`
  })
  return flaw ?? toolOrderFlaw(listOf(messages), lower)
}

const ali: BodyRule = ({ input }) => {
  const messages = listOf((input as Json).messages)
  if (!messages.length) return 'no messages'
  const flaw = firstFlaw(messages, ({ role, content, tool_calls }) => {
    if (role !== 'assistant' || tool_calls) return undefined
    return content && String(content) ? undefined : 'an assistant message of nothing'
  })
  return flaw ?? toolOrderFlaw(messages, lower)
}

const tencent: BodyRule = ({ Messages }) => {
  const messages = listOf(Messages)
  const spoken = messages.filter(({ Role }) => Role !== 'system')
  if (spoken[0]?.Role !== 'user') return 'the first message is not of the user'
  if (spoken.at(-1)?.Role === 'assistant') return 'the last message is of the assistant'
  const empty = messages.find(({ Content, Contents, ToolCalls, Role }) => {
    return Role !== 'tool' && !Content && !listOf(Contents).length && !ToolCalls
  })
  if (empty) return `${empty.Role} without content`
  return toolOrderFlaw(messages, { role: 'Role', calls: 'ToolCalls', id: 'ToolCallId', call_id: 'Id' })
}

/** A text in each turn; the user begins and ends, roles alternate. */
const turnsFlaw = (turns: readonly { role: unknown; text: unknown }[]): string | undefined => {
  if (turns[0]?.role !== 'user') return 'the first turn is not of the user'
  if (turns.at(-1)!.role !== 'user') return 'the last turn is not of the user'
  return firstFlaw(turns, ({ role, text }, index) => {
    if (!isFilled(text)) return 'an empty turn'
    return role === turns[index - 1]?.role ? 'roles do not alternate' : undefined
  })
}

const wenxin: BodyRule = ({ messages }) => {
  const flaw = firstFlaw(listOf(messages), ({ content, function_call }) => {
    return isFilled(content) || function_call ? undefined : 'an empty message'
  })
  const roles = listOf(messages).map(({ role }) => (role === 'assistant' ? role : 'user'))
  return flaw ?? turnsFlaw(roles.map(role => ({ role, text: 'x' })))
}

const spark: BodyRule = ({ payload }) => {
  const { text } = (payload as Json).message as Json
  const turns = listOf(text).filter(({ role }, index) => index > 0 || role !== 'system')
  return turnsFlaw(turns.map(({ role, content }) => ({ role, text: content })))
}

const zhipu: BodyRule = ({ prompt }) => turnsFlaw(listOf(prompt).map(({ role, content }) => ({ role, text: content })))

const palm: BodyRule = ({ prompt }) =>
  turnsFlaw(
    listOf((prompt as Json).messages).map(({ author, content }) => ({
      role: author === '0' ? 'user' : 'assistant',
      text: content,
    })),
  )

const coze: BodyRule = ({ additional_messages }) =>
  firstFlaw(listOf(additional_messages), ({ role, content }) => {
    if (role !== 'user' && role !== 'assistant') return `role ${role}`
    return isFilled(content) || listOf(content).length ? undefined : 'an empty message'
  })

const textIn =
  (read: (body: Json) => unknown): BodyRule =>
  body =>
    isFilled(read(body)) ? undefined : 'no text'

/** By the name of the format. */
export const upstreamFlaws: Record<string, BodyRule> = {
  ...{ bedrock, cohere, ali, tencent, wenxin, spark, palm, coze, 'zhipu-v3': zhipu },
  dify: textIn(({ query }) => query),
  replicate: textIn(({ input }) => (input as Json).prompt),
  library: textIn(({ query }) => query),
}
