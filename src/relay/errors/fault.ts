/** The failures of a call beside refusals: by the upstream, or by a client that disconnects. */

import type { ApiError } from '../../formats/canonical/chat.ts'
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
  /** Seconds. */
  retry_after?: string
  /** Whether another key of the same channel may succeed. */
  of_key?: boolean
}

/** A failed attempt, as the client sees it, with the decision whether to retry. */
export class Fault extends Error {
  readonly status: number
  readonly code: MessageKey
  readonly params: MessageParams
  readonly retry: boolean
  readonly upstream_error: ApiError | undefined
  readonly retry_after: string | undefined
  readonly of_key: boolean

  constructor({ status, code, params = {}, retry, upstream_error, retry_after, of_key = false }: FaultFields) {
    super(code)
    this.status = status
    this.code = code
    this.params = params
    this.retry = retry
    this.upstream_error = upstream_error
    this.retry_after = retry_after
    this.of_key = of_key
  }
}

/** An upstream's error response: with an error status, or an error inside a 200. */
export interface UpstreamRejection {
  status: number
  error: ApiError | undefined
  retry_after?: string | null
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
