/** Reads the response body of POST /v2/chat into a ChatResponse. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { ChatResponse, ResponsePart, TextPart, ThinkingPart, ToolCall } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { readCitation } from './citations.ts'
import { generationError, readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'
import type { CohereAnswer, CohereCall, CohereCitation, CohereResponse, CohereThought } from './wire.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  const { id, message, finish_reason, usage: report } = objectOf<CohereResponse>(body)
  if (!isObject(message) || generationError(finish_reason, '')) return undefined
  const { content, tool_plan, tool_calls, citations } = objectOf<CohereAnswer>(message)
  const calls = objectsOf<CohereCall>(tool_calls).map(readCall)
  const doubts: string[] = []
  const usage = readUsage(report, doubts)
  return {
    id: textOf(id),
    model: '',
    choices: [
      {
        parts: [...thoughtOf(tool_plan), ...readContent(content, objectsOf<CohereCitation>(citations)), ...calls],
        finish: readFinish(finish_reason, calls.length > 0),
      },
    ],
    usage,
    doubts,
  }
}

/** The plan is what the model thinks before it calls tools. */
const thoughtOf = (text: unknown): ThinkingPart[] =>
  typeof text === 'string' && text ? [{ kind: 'thinking', text }] : []

function readContent(content: unknown, citations: UnreadFields<CohereCitation>[]): ResponsePart[] {
  if (typeof content === 'string') return content ? [{ kind: 'text', text: content }] : []
  return objectsOf<CohereThought>(content).flatMap((item, index): ResponsePart[] =>
    item.type === 'thinking' ? thoughtOf(item.thinking) : readText(item, citations.filter(isOf(index))),
  )
}

/** A citation names the item of the content that it is about, the first one by default. */
const isOf =
  (index: number) =>
  ({ content_index }: UnreadFields<CohereCitation>): boolean =>
    numberOf(content_index) === undefined || content_index === index

function readText({ text }: UnreadFields<CohereThought>, citations: UnreadFields<CohereCitation>[]): TextPart[] {
  const read = citations.flatMap(readCitation)
  return textOf(text) ? [{ kind: 'text', text: textOf(text), ...(read.length && { citations: read }) }] : []
}

export const NO_ARGUMENTS = 'null'

/** The arguments of a tool without parameters may be `null`. */
function readCall(call: UnreadFields<CohereCall>): ToolCall {
  const { name, arguments: value } = objectOf<CohereCall['function']>(call.function)
  const text = isObject(value) ? JSON.stringify(value) : textOf(value)
  return {
    kind: 'tool_call',
    id: textOf(call.id),
    name: textOf(name),
    arguments: !text || text === NO_ARGUMENTS ? '{}' : text,
  }
}
