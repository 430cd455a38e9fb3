/** A whole response as a stream of one event, for an API without streams. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { unreadable } from '../canonical/api-error.ts'
import type { StreamEvent } from '../canonical/chat.ts'
import { replay } from '../canonical/replay.ts'
import type { EventReader } from '../format.ts'
import { readError } from './api-error.ts'
import { readResponse } from './read-response.ts'

export const toStream = (response: Json): string => `data: ${JSON.stringify(response)}\n\n`

export const readStream = (): EventReader => ({ read, end: () => [] })

function read(data: string): StreamEvent[] {
  const body = parsedOrUndefined(data)
  const response = readResponse(body)
  return response ? [...replay(response)] : [{ kind: 'error', failure: readError(body) ?? unreadable }]
}
