/** The user under whom an upstream keeps conversations: it finds one only under the user who began it. */
import { textOf } from '../../formats/json/lenient-json.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** Stands for the caller in probes. */
const NO_CALLER = 'tollgate'

/**
 * Two callers never share a user, whatever they name: the id of a conversation that leaks opens it to no other caller.
 * @param user of the client
 */
export function conversationUser({ caller }: UpstreamConfig, user: unknown): string {
  const [name, own] = [caller?.() ?? NO_CALLER, textOf(user)]
  return own ? `${name}-${own}` : name
}
