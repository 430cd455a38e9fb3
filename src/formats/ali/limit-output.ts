/**
 * Limits the output tokens of an outgoing request; a thinking budget counts beside the limit and is lowered to it.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import { budgetWithin } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import { objectOf } from '../json/lenient-json.ts'
import { lowered } from '../json/lowered.ts'

export function limitOutput(body: Json, limit: number): Json {
  const parameters = objectOf(body.parameters)
  const { thinking_budget } = parameters
  return {
    ...body,
    parameters: {
      ...parameters,
      max_tokens: lowered(parameters.max_tokens, limit),
      ...(typeof thinking_budget === 'number' && { thinking_budget: budgetWithin(thinking_budget, limit, 0) }),
    },
  }
}
