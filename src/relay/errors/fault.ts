/** The failures of a call beside refusals: by the upstream, or by a client that disconnects. */

import type { ApiError } from '../../formats/canonical/chat.ts'
import type { Overflow } from '../../formats/canonical/overflow.ts'
import type { MessageKey } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'

interface FaultFields {
  /** HTTP status for the client. */
  status: number
  /** Our own message, for when the upstream's is hidden or absent. */
  code: MessageKey
  params?: MessageParams
  /** Whether another channel may succeed. */
  retry: boolean
  /** The upstream's error, without what clients must not see. */
  upstream_error?: ApiError
  overflow?: Overflow
  /** Google's details of a limit. */
  quota_details?: ApiError['quota_details']
  /** Milliseconds after which a repetition may succeed. */
  retry_after_ms?: number
  /** Whether another key of the same channel may succeed. */
  of_key?: boolean
  /** The upstream refuses this gateway's key or account, until its owner changes something. */
  of_account?: boolean
  /** The upstream has no room now; Anthropic's clients know this by a status of its own. */
  overloaded?: boolean
}

/** A failed attempt, as the client sees it, with the decision whether to retry. */
export class Fault extends Error {
  readonly status: number
  readonly code: MessageKey
  readonly params: MessageParams
  readonly retry: boolean
  readonly upstream_error: ApiError | undefined
  readonly overflow: Overflow | undefined
  readonly quota_details: ApiError['quota_details']
  readonly retry_after_ms: number | undefined
  readonly of_key: boolean
  readonly of_account: boolean
  readonly overloaded: boolean
  /** Every target has refused: the same call fails again. */
  is_final = false

  constructor({ status, code, params = {}, retry, upstream_error, ...marks }: FaultFields) {
    super(code)
    this.status = status
    this.code = code
    this.params = params
    this.retry = retry
    this.upstream_error = upstream_error
    this.overflow = marks.overflow
    this.quota_details = marks.quota_details
    this.retry_after_ms = marks.retry_after_ms
    this.of_key = marks.of_key ?? false
    this.of_account = marks.of_account ?? false
    this.overloaded = marks.overloaded ?? false
  }
}

/** An upstream's error response: with an error status, or an error inside a 200. */
export interface UpstreamRejection {
  status: number
  error: ApiError | undefined
  /** The maker's hint. */
  retry_after_ms?: number
}

export class UpstreamRejected extends Error {
  constructor(readonly rejection: UpstreamRejection) {
    super(`${rejection.status}`)
  }
}

/** The client disconnected before the response. */
export class ClientDisconnected extends Error {
  /** @param was_sent whether an upstream was working on the call, whose prompt is billed */
  constructor(readonly was_sent = false) {
    super()
  }
}
