/** Reads a call's body into canonical form, at most once for each body. */

import type { ChatRequest } from '../../formats/canonical/chat.ts'
import { isChatClient } from '../../formats/format.ts'
import type { Flaw } from '../../formats/json/checks.ts'
import { requestOf } from '../../formats/translate/passthrough.ts'
import type { Call } from '../call.ts'

/** @returns undefined when the client's format has no canonical form, such as embeddings */
export function canonicalRequest(call: Pick<Call, 'endpoint' | 'body' | 'canonical'>): ChatRequest | Flaw | undefined {
  const { format } = call.endpoint
  if (!isChatClient(format)) return undefined
  call.canonical ??= requestOf(format, call.body)
  return call.canonical
}
