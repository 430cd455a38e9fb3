/** Cache marks of a request, of which Anthropic and Bedrock accept four. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching (read 2026-11) */
import type { ChatRequest, Part, TextPart, Tool } from './chat.ts'

const MARKS_MAX = 4

type Markable = Part | Tool | TextPart

const isMarked = (item: Markable) => 'cache' in item && item.cache !== undefined

/** Keeps the first mark and the last three: what stays from call to call, and the end of the conversation. */
export function withFewMarks(request: ChatRequest): ChatRequest {
  const { tools, system, messages } = request
  const parts = messages.flatMap(message => message.parts.flatMap(withInner))
  const marked = [...tools, ...system, ...parts].filter(isMarked).length
  if (marked <= MARKS_MAX) return request
  let index = 0
  const reduced = <T extends Markable>(item: T): T => {
    if (!isMarked(item)) return item
    const isKept = index === 0 || index > marked - MARKS_MAX
    index++
    return isKept ? item : { ...item, cache: undefined }
  }
  const reducedPart = (part: Part): Part =>
    part.kind === 'tool_result' ? reduced({ ...part, parts: part.parts.map(inner => reduced(inner)) }) : reduced(part)
  return {
    ...request,
    tools: tools.map(tool => reduced(tool)),
    system: system.map(text => reduced(text)),
    messages: messages.map(message => ({ ...message, parts: message.parts.map(reducedPart) })),
  }
}

const withInner = (part: Part): Part[] => (part.kind === 'tool_result' ? [...part.parts, part] : [part])
