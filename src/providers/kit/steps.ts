/** Requests beside the call itself: tokens, uploads, polls of a job, downloads. The declaration is pure; others send. */
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { Json } from '../../pure/json.ts'
import type { UpstreamConfig } from './upstream-config.ts'

export interface SideRequest {
  url: string
  /** POST with a body, else GET. */
  method?: 'GET' | 'POST' | 'DELETE'
  /** JSON, a form, or a text that is sent as it is. */
  body?: Json | FormData | string
  /** Beside those that authenticate, which go to the origin of the call alone. */
  headers?: Record<string, string>
  /** Milliseconds before the request is sent. */
  wait_ms?: number
  /** A redirect is the answer; otherwise it is refused. */
  passes_redirects?: true
}

export interface SideResponse {
  status: number
  /** Parsed JSON; the text of anything else. */
  body: unknown
  bytes: Uint8Array
  /** Media type. */
  type: string
}

/** Requests one after the other: each `yield` receives the response of its request. */
export type Steps<T> = Generator<SideRequest, T, SideResponse>

/** Thrown by steps before a call whose request the upstream refuses: the call fails with this error. */
export class StepRefused extends Error {
  constructor(readonly error: ApiError) {
    super(error.message)
  }
}

/** A value earned with the key, kept for its life: fetched once, however many calls wait for it. */
export interface ProviderCredential {
  /** @returns undefined for a key that is sent as it is; an ApiError when it is refused */
  earn(config: UpstreamConfig): Steps<EarnedToken | ApiError> | undefined
  /** The value is no secret, such as the kind of an app: errors may contain it. */
  is_public?: true
  /** Seconds before its end at which it is renewed in the background. */
  renew_seconds: number
}

export interface EarnedToken {
  token: string
  /** Life. */
  seconds: number
}
