/**
 * Reads the response body of generateContent into a ChatResponse.
 * https://ai.google.dev/api/generate-content (read 2026-11)
 */
import { assemble } from '../canonical/assemble.ts'
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { GeminiStreamReader } from './read-stream.ts'

/** A response has the shape of one stream event, so the stream reader reads it. */
export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !Array.isArray(body.candidates)) return undefined
  const reader = new GeminiStreamReader()
  return assemble([...reader.take(body), ...reader.end()])
}
