/**
 * Conversations whose calls and results fit together. Clients send back what was cut, trimmed or interrupted, and makers
 * refuse a call without a result in the next message as well as a result without its call.
 */
import type { ChatMessage, Part, ToolCall, ToolResult } from './chat.ts'
import { historyCallId } from './ids.ts'

/** Text of the result that a call without one gets. */
export const NO_RESULT = 'No result.'

interface PairedCall {
  /** Unique in the conversation. */
  id: string
  result?: ToolResult
}

/**
 * Messages of the assistant that follow each other become one. Every call has its own id and exactly one result, which
 * stands in the next message; results without a call become content of the user.
 */
export function withPairedCalls(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined = joinedAssistants(messages)
  if (!joined.some(({ parts }) => parts.some(isCallOrResult))) return joined
  const { calls, paired } = pairs(joined)
  return joined.flatMap((message, index) => {
    if (message.role !== 'assistant') {
      const before = joined[index - 1]
      const results = before && hasResults(message) ? resultsOf(before, calls) : []
      return withResults(message, results, paired)
    }
    const renamed = message.parts.map(part => (part.kind === 'tool_call' ? { ...part, id: calls.get(part)!.id } : part))
    const next = joined[index + 1]
    const results = next && hasResults(next) ? [] : resultsOf(message, calls)
    return [{ ...message, parts: renamed }, ...(results.length ? [{ role: 'user', parts: results } as const] : [])]
  })
}

const isCallOrResult = ({ kind }: Part) => kind === 'tool_call' || kind === 'tool_result'
const isText = ({ kind }: Part) => kind === 'text'
const hasResults = ({ parts }: ChatMessage) => parts.some(({ kind }) => kind === 'tool_result')

/** Joins neighbours, except texts alone, which every format takes as they are. Messages without parts are left out. */
function joinedAssistants(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role === 'assistant' && !message.parts.length) continue
    const follows = message.role === 'assistant' && last?.role === 'assistant' && last.name === message.name
    if (!follows || (last.parts.every(isText) && message.parts.every(isText))) joined.push(message)
    else joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
  }
  return joined
}

/** Gives each result to the first open call of its id before it, or else after it. */
function pairs(messages: readonly ChatMessage[]) {
  const calls = new Map<ToolCall, PairedCall>()
  const paired = new Set<ToolResult>()
  const open = new Map<string, PairedCall[]>()
  const used = new Set<string>()
  const pair = (result: ToolResult) => {
    const call = open.get(result.id)?.shift()
    if (!call) return
    call.result = result
    paired.add(result)
  }
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'tool_result') pair(part)
    if (part.kind !== 'tool_call') continue
    const call = { id: uniqueId(part.id || historyCallId(calls.size), used) }
    calls.set(part, call)
    open.set(part.id, [...(open.get(part.id) ?? []), call])
  }
  for (const { parts } of messages)
    for (const part of parts) if (part.kind === 'tool_result' && !paired.has(part)) pair(part)
  return { calls, paired }
}

/** Ids of two calls differ in what every format keeps of an id: its end, with other letters replaced. */
function uniqueId(id: string, used: Set<string>): string {
  const keyOf = (id: string) => id.replaceAll(/[^\w-]/g, '_').slice(-ID_END)
  let unique = id
  for (let number = 2; used.has(keyOf(unique)); number++) unique = `${id}_${number}`
  used.add(keyOf(unique))
  return unique
}

const ID_END = 64

/** @returns the results of the calls of a message, in the order of the calls */
const resultsOf = ({ parts }: ChatMessage, calls: ReadonlyMap<ToolCall, PairedCall>): ToolResult[] =>
  parts.flatMap(part => {
    const call = part.kind === 'tool_call' && calls.get(part)
    return call ? [{ ...(call.result ?? missing), id: call.id }] : []
  })

const missing: Omit<ToolResult, 'id'> = {
  kind: 'tool_result',
  parts: [{ kind: 'text', text: NO_RESULT }],
  is_error: true,
}

/** Puts results in place of those in a message. A message of nothing but results of other calls is left out. */
function withResults(message: ChatMessage, results: ToolResult[], paired: ReadonlySet<ToolResult>): ChatMessage[] {
  const others = message.parts.flatMap((part): Part[] => {
    if (part.kind !== 'tool_result') return [part]
    return paired.has(part) ? [] : part.parts
  })
  const parts = [...results, ...others]
  return parts.length || !message.parts.length ? [{ ...message, parts }] : []
}
