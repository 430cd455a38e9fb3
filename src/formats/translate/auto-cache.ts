/**
 * Cache marks for clients that expect their provider to cache by itself, as OpenAI and Google do. A prompt that is too
 * short for a mark is not cached, and costs nothing more.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching (read 2026-11)
 */
import type { ChatMessage, ChatRequest, Part } from '../canonical/chat.ts'
import { partsOf } from './features.ts'

/** These have no cache everywhere that they are served. */
const uncached = /claude-(?:[12]|instant|3-(?:opus|sonnet|haiku))/

/** Questions whose end is marked: the last finds what the one before it has written. With the instructions, one less than are accepted. */
const QUESTIONS_MARKED = 2

/** @returns the same request unless it is one of a conversation that goes on and marks nothing itself */
export function withCacheMarks(request: ChatRequest): ChatRequest {
  if (!goesOn(request) || isMarked(request) || uncached.test(request.model)) return request
  const { system, tools } = request
  const [instruction, tool] = [system.findLastIndex(({ text }) => text.trim()), tools.findLastIndex(isFunction)]
  return {
    ...request,
    system: system.map((text, at) => (at === instruction ? { ...text, cache: '5m' } : text)),
    tools: instruction < 0 ? tools.map((one, at) => (at === tool ? { ...one, cache: '5m' } : one)) : tools,
    messages: withMarkedQuestions(request.messages),
  }
}

const isFunction = ({ kind }: ChatRequest['tools'][number]) => kind === 'function'

/** An agent's loop, or a client that names what shall be cached together. */
const goesOn = ({ tools, extra }: ChatRequest): boolean =>
  tools.length > 0 || Object.values(extra).some(fields => fields?.prompt_cache_key)

const isMarked = (request: ChatRequest): boolean =>
  [...request.system, ...request.tools, ...partsOf(request)].some(one => 'cache' in one && one.cache)

function withMarkedQuestions(messages: ChatMessage[]): ChatMessage[] {
  const places = messages.flatMap(({ role, parts }, at) => (role === 'user' && parts.some(canMark) ? [at] : []))
  const marked = new Set(places.slice(-QUESTIONS_MARKED))
  return messages.map((message, at) => (marked.has(at) ? withMarkedEnd(message) : message))
}

function withMarkedEnd(message: ChatMessage): ChatMessage {
  const end = message.parts.findLastIndex(canMark)
  return {
    ...message,
    parts: message.parts.map((part, at) => (at === end ? ({ ...part, cache: '5m' } as Part) : part)),
  }
}

const canMark = (part: Part): boolean =>
  part.kind === 'text' ? part.text.trim() !== '' : part.kind === 'tool_result' || part.kind === 'image'
