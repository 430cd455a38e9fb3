/**
 * A response, or an event of a stream, in OpenAI's form, whose readers then read it: the parts have the same names.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { isObject } from '../json/checks.ts'
import { objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import { asOpenAiUsage } from './usage.ts'
import type { GenerationChoice, GenerationOutput, GenerationResponse } from './wire.ts'

/** @param part the field of a choice that holds its message. @returns undefined when the body is no response */
export function asOpenAi(
  { output, usage, request_id }: UnreadFields<GenerationResponse>,
  part: 'message' | 'delta',
): Json | undefined {
  if (!isObject(output)) return undefined
  const choices = choicesIn(objectOf<GenerationOutput>(output)).map(({ message, finish_reason, index = 0 }) => ({
    index,
    [part]: message,
    // The text "null" while the choice goes on.
    finish_reason: finish_reason === 'null' ? null : finish_reason,
  }))
  return { id: textOf(request_id), model: '', choices, usage: asOpenAiUsage(usage) }
}

/** With `result_format` text, one choice stands in the output itself. */
function choicesIn({ choices, text, finish_reason }: UnreadFields<GenerationOutput>): UnreadFields<GenerationChoice>[] {
  if (Array.isArray(choices)) return objectsOf<GenerationChoice>(choices)
  return typeof text === 'string' ? [{ message: { role: 'assistant', content: text }, finish_reason }] : []
}
