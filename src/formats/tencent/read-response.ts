/** Reads the response of ChatCompletions. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { readResponse as readOpenAiResponse } from '../openai-chat/read-response.ts'
import { readError } from './api-error.ts'
import { asOpenAi } from './as-openai.ts'

export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !isObject(body.Response) || readError(body)) return undefined
  return readOpenAiResponse(asOpenAi(body.Response))
}
