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
const hasResults = ({ parts }: ChatMessage) => parts.some(({ kind }) => kind === 'tool_result')

/** Joins neighbours, except texts alone, which every format takes as they are. Only a user may say nothing. */
function joinedAssistants(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  let hasOnlyTexts = false
  for (const { role, parts, name } of messages) {
    const last = joined.at(-1)
    if (role !== 'user' && !parts.length) continue
    const isText = parts.every(({ kind }) => kind === 'text')
    const follows = role === 'assistant' && last?.role === 'assistant' && last.name === name
    if (follows && !(hasOnlyTexts && isText)) {
      for (const part of parts) last.parts.push(part)
      hasOnlyTexts = false
    } else {
      joined.push({ role, parts: [...parts], name })
      hasOnlyTexts = isText
    }
  }
  return joined
}

/** Calls of one id that have no result yet, the first of them first. */
interface OpenCalls {
  calls: PairedCall[]
  answered: number
}

/** Gives each result to the first open call of its id before it, or else after it. */
function pairs(messages: readonly ChatMessage[]) {
  const calls = new Map<ToolCall, PairedCall>()
  const paired = new Set<ToolResult>()
  const open = new Map<string, OpenCalls>()
  const ids = new CallIds()
  const pair = (result: ToolResult) => {
    const named = open.get(result.id)
    const call = named?.calls[named.answered]
    if (!named || !call) return
    named.answered++
    call.result = result
    paired.add(result)
  }
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'tool_result') pair(part)
    if (part.kind !== 'tool_call') continue
    const call = { id: ids.take(part.id || historyCallId(calls.size)) }
    calls.set(part, call)
    const named = open.get(part.id)
    if (named) named.calls.push(call)
    else open.set(part.id, { calls: [call], answered: 0 })
  }
  for (const { parts } of messages)
    for (const part of parts) if (part.kind === 'tool_result' && !paired.has(part)) pair(part)
  return { calls, paired }
}

const ID_END = 64

/** What every format keeps of an id: its end, with other letters replaced. */
const keyOf = (id: string) => id.replaceAll(/[^\w-]/g, '_').slice(-ID_END)

/** Gives ids that differ in what every format keeps of them. */
class CallIds {
  readonly #used = new Set<string>()
  /** The last number behind the ids of a key. */
  readonly #numbers = new Map<string, number>()

  take(id: string): string {
    const key = keyOf(id)
    let number = this.#numbers.get(key) ?? 1
    let unique = id
    while (this.#used.has(keyOf(unique))) unique = `${id}_${++number}`
    this.#numbers.set(key, number)
    this.#used.add(keyOf(unique))
    return unique
  }
}

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
