/** Reads the response of a Wenxin v1 chat into a ChatResponse. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ChatResponse, ResponsePart } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, textOf } from '../json/lenient-json.ts'
import { argumentsText } from '../openai-chat/read-response.ts'
import { readFinish } from './finish.ts'
import { readUsage } from './usage.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body)) return undefined
  const { id, created, result, function_call, usage } = body
  if (typeof result !== 'string' && !isObject(function_call)) return undefined
  const doubts: string[] = []
  const called = isObject(function_call)
  return {
    id: textOf(id),
    model: '',
    created: numberOf(created),
    choices: [{ parts: readParts(body), finish: readFinish(body, called) }],
    usage: readUsage(usage, doubts),
    doubts,
  }
}

function readParts({ result, function_call }: Json): ResponsePart[] {
  const text = textOf(result)
  const parts: ResponsePart[] = text ? [{ kind: 'text', text }] : []
  if (!isObject(function_call)) return parts
  const thoughts = textOf(function_call.thoughts)
  const call: ResponsePart = {
    kind: 'tool_call',
    id: '',
    name: textOf(function_call.name),
    arguments: argumentsText(function_call.arguments),
  }
  return [...parts, ...(thoughts ? [{ kind: 'thinking', text: thoughts } as const] : []), call]
}
