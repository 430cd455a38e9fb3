/** Remembers how long the conversations are that upstreams store, since their tokens are read again with every prompt. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { SharedNumbers } from '../../cluster/shared-numbers.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import type { Call } from '../call.ts'

const conversations = new SharedNumbers('stored-conversation')
/** What an unknown one counts as. */
const UNKNOWN_TOKENS = 32_768

export const storedTokens = async (user_id: number, id: string): Promise<number> =>
  (await conversations.get(user_id, id)) ?? UNKNOWN_TOKENS

/** @param response_id by which the next request can name this one */
export function rememberConversation(
  { endpoint, facts, body, prompt_tokens }: Call,
  user_id: number,
  response_id: string | undefined,
  { usage, by }: MeteredUsage,
) {
  const { stored_id } = facts
  const is_stored = endpoint.operation === 'responses' && body.store !== false
  if (!is_stored && stored_id === undefined) return
  // The gateway's own count leaves out what is stored.
  const prompt = by === 'upstream' ? promptTokens(usage) : Math.max(promptTokens(usage), prompt_tokens)
  const tokens = prompt + completionTokens(usage)
  if (is_stored && response_id) conversations.set(user_id, response_id, tokens)
  // A conversation grows under its id; an earlier response, which keeps its length, is only known better.
  if (stored_id !== undefined && !stored_id.startsWith('resp')) conversations.set(user_id, stored_id, tokens)
}
