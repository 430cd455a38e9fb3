/**
 * Reads a whole response of the generation into a ChatResponse.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { readResponse as readOpenAiResponse } from '../openai-chat/read-response.ts'
import { asOpenAi } from './as-openai.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  const response = isObject(body) ? asOpenAi(body, 'message') : undefined
  return Array.isArray(response?.choices) && response.choices.length ? readOpenAiResponse(response) : undefined
}
