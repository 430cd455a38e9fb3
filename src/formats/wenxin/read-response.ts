/** Reads the response of a Wenxin v1 chat into a ChatResponse. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { ChatResponse, ResponsePart } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { numberOf, objectOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { argumentsText } from '../openai-chat/read-response.ts'
import { readFinish } from './finish-reason.ts'
import { readUsage } from './usage.ts'
import type { WenxinResponse } from './wire.ts'

type WenxinCall = NonNullable<WenxinResponse['function_call']>

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body)) return undefined
  const response = objectOf<WenxinResponse>(body)
  const { id, created, result, function_call, usage } = response
  if (typeof result !== 'string' && !isObject(function_call)) return undefined
  const doubts: string[] = []
  const called = isObject(function_call)
  return {
    id: textOf(id),
    model: '',
    created: numberOf(created),
    choices: [{ parts: readParts(response), finish: readFinish(response, called) }],
    usage: readUsage(usage, doubts),
    doubts,
  }
}

function readParts({ result, function_call }: UnreadFields<WenxinResponse>): ResponsePart[] {
  const text = textOf(result)
  const parts: ResponsePart[] = text ? [{ kind: 'text', text }] : []
  if (!isObject(function_call)) return parts
  const { name, arguments: value, thoughts: thought } = objectOf<WenxinCall>(function_call)
  const thoughts = textOf(thought)
  const call: ResponsePart = {
    kind: 'tool_call',
    id: '',
    name: textOf(name),
    arguments: argumentsText(value),
  }
  return [...parts, ...(thoughts ? [{ kind: 'thinking', text: thoughts } as const] : []), call]
}
