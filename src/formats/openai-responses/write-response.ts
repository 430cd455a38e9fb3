/**
 * Writes a ChatResponse as the response body of POST /v1/responses.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { ChatResponse } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { ResponseLabel } from '../format.ts'
import { ResponsesStreamWriter } from './write-stream.ts'

/** A stream ends with the complete response object, so the stream writer assembles it. */
export function writeResponse(response: ChatResponse, label: ResponseLabel): Json {
  const writer = new ResponsesStreamWriter(label)
  for (const event of replay(response)) writer.write(event)
  return writer.response
}
