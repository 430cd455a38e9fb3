import { assemble } from '../canonical/assemble.ts'
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { AnswerEvents } from './read-stream.ts'

/** An event of a stream is an answer too, and an answer a stream of one event. */
export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || !Array.isArray(body.candidates)) return undefined
  const reader = new AnswerEvents()
  return assemble([...reader.take(body), ...reader.end()])
}
