/** Remembers how long the conversations are that upstreams store, since their tokens are read again with every prompt. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import { store } from '../../process/stores.ts'
import type { Call } from '../call.ts'

/** Tokens by user and id, the oldest first. */
const conversations = store('stored-conversations', new Map<string, number>())
const CONVERSATIONS_MAX = 50_000
/** What an unknown one counts as: it is from before a restart, or of another node. */
export const UNKNOWN_TOKENS = 32_768

const keyOf = (user_id: number, id: string) => `${user_id} ${id}`

export const storedTokens = (user_id: number, id: string): number =>
  conversations.get(keyOf(user_id, id)) ?? UNKNOWN_TOKENS

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
  if (is_stored && response_id) remember(keyOf(user_id, response_id), tokens)
  // A conversation grows under its id; an earlier response, which keeps its length, is only known better.
  if (stored_id !== undefined && !stored_id.startsWith('resp')) remember(keyOf(user_id, stored_id), tokens)
}

function remember(key: string, tokens: number) {
  conversations.delete(key)
  if (conversations.size >= CONVERSATIONS_MAX) conversations.delete(conversations.keys().next().value!)
  conversations.set(key, tokens)
}
