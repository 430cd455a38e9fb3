/** An upstream's failure: what the caller is told of it, and whether another channel may do better. */

import type { MessageParams } from '../../contracts/refusal.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { MessageKey } from '../../locales/index.ts'

interface What {
  /** What the caller gets. */
  status: number
  /** Our own words for it, for when the upstream's are not shown. */
  code: MessageKey
  params?: MessageParams
  retry: boolean
  /** What the upstream said, with nothing in it that callers must not see. */
  said?: ApiError
  retry_after?: string
  /** Another key of the same channel may do better. */
  of_key?: boolean
}

export class Fault extends Error {
  readonly status: number
  readonly code: MessageKey
  readonly params: MessageParams
  readonly retry: boolean
  readonly upstream_error: ApiError | undefined
  readonly retry_after: string | undefined
  readonly of_key: boolean

  constructor({ status, code, params = {}, retry, said, retry_after, of_key = false }: What) {
    super(code)
    this.status = status
    this.code = code
    this.params = params
    this.retry = retry
    this.upstream_error = said
    this.retry_after = retry_after
    this.of_key = of_key
  }
}

/** The caller left before there was an answer. */
export class ClientDisconnected extends Error {
  /** @param asked whether an upstream was at work on it, which is owed */
  constructor(readonly asked = false) {
    super()
  }
}
