/** Why a probe has failed. */
import { NetworkError } from '../../../net/upstream-fetch.ts'
import type { Json } from '../../../pure/json.ts'
import { CredentialRefused, isFatal, type RoutedChannel } from '../../routing/index.ts'

export interface ProbeFailure {
  code: 'unsupported' | 'unreachable' | 'private' | 'timeout' | 'refused' | 'unreadable'
  status?: number
  /** The upstream's error message, or why there is no connection. */
  message?: string
  /** The key, or its account, is permanently refused. */
  fatal?: boolean
}

/** @param body of the request. @throws an error that is no failure of the upstream */
export function failureOfThrown(error: unknown, channel: RoutedChannel, body: Json): ProbeFailure {
  if (error instanceof CredentialRefused) {
    const { status, message } = error.error
    return { code: 'refused', status, message, fatal: isFatal({ status, error: error.error }, channel, body) }
  }
  if (!(error instanceof NetworkError)) throw error
  const { failure, detail } = error
  if (failure === 'timeout' || failure === 'private') return { code: failure }
  return { code: 'unreachable', message: failure === 'unreachable' ? detail : '' }
}
