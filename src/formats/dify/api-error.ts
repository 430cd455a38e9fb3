/**
 * Reads Dify's errors: `{ code, message, status }`, alone or in an event.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ApiError } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { entryOf, numberOf, objectOf, textOf } from '../json/lenient-json.ts'
import { readError as readOpenAiError } from '../openai-chat/api-error.ts'

/** Codes that Dify reports as status 400 although the app is at fault and not the request: another channel may serve it. */
const ofApp: Record<string, Pick<ApiError, 'status' | 'type'>> = {
  provider_quota_exceeded: { status: 429, type: 'insufficient_quota' },
  provider_not_initialize: { status: 503, type: 'overloaded_error' },
  model_currently_not_support: { status: 503, type: 'overloaded_error' },
  app_unavailable: { status: 503, type: 'overloaded_error' },
}

const FAILED = 500

export function readError(body: unknown, status = 0): ApiError | undefined {
  const error = readOpenAiError(body, status)
  if (!error) return undefined
  const own = numberOf(objectOf(body).status) ?? 0
  const known = own >= 400 && own < 600 ? own : error.status
  return { ...error, status: status >= 400 ? status : known, ...entryOf(ofApp, error.code) }
}

/** The error of an event that reports one, whatever it lacks. */
export const readFailure = (event: Json): ApiError =>
  readError(event) ?? errorOf(textOf(event.code) || 'error', numberOf(event.status))

/** The error of a run of a workflow. @returns undefined for a run that did not fail */
export function readFailedRun({ data }: Json): ApiError | undefined {
  if (!isObject(data) || (data.status !== 'failed' && data.status !== 'stopped')) return undefined
  return { ...errorOf(`workflow_${data.status}`), message: textOf(data.error) || `The workflow has ${data.status}` }
}

const errorOf = (code: string, status = FAILED): ApiError => ({
  status: status >= 400 && status < 600 ? status : FAILED,
  message: code,
  type: '',
  code,
  param: null,
})
