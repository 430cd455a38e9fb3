/** A stream that fails before any of its events. */
import type { ApiError } from '../../formats/canonical/chat.ts'
import { now } from '../../process/clock.ts'
import type { Call } from '../call.ts'

export const failureEvents = (error: ApiError, { endpoint, request_id: id, facts }: Call): string =>
  endpoint.format.writeErrorFrame(error, { id, model: facts.model, created: now() })
