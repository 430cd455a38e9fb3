/** Marks an upstream's error by its words: the prompt is too long, or a limit ends at a certain time. */
import { type Overflow, overflowOf } from '../../formats/canonical/overflow.ts'
import type { UpstreamRejection } from './fault.ts'
import { hintInText } from './retry-hint.ts'

/** A prompt that is too long is the request's fault, whatever the upstream's status. */
const BAD_REQUEST = 400

const hasHint = (status: number) => status === 429 || status === 503 || status === 529

interface MarkedRejection extends UpstreamRejection {
  overflow?: Overflow
}

export function marked(rejection: UpstreamRejection): MarkedRejection {
  const { status, error } = rejection
  if (!error) return rejection
  const overflow = overflowOf({ ...error, status })
  if (overflow) return { status: BAD_REQUEST, error, overflow }
  if (!hasHint(status)) return rejection
  const retry_after_ms = rejection.retry_after_ms ?? error.retry_after_ms ?? hintInText(error.message)
  return { status, error, retry_after_ms }
}
