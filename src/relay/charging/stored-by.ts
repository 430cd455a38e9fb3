/** What an upstream has stored of a call: how long it is, whose, and where the next call finds it. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { type NewStoredObject, NO_MAKER } from '../../domain/stored-objects/index.ts'
import type { MeteredUsage } from '../../formats/format.ts'
import type { Call } from '../call.ts'
import type { BilledResponse } from './settle.ts'

/** @returns undefined for most calls: nothing is stored, or another format than the client's was asked */
export function storedBy(
  call: Call,
  { channel, key, api, facts: { id } }: BilledResponse,
  { usage, by }: MeteredUsage,
): NewStoredObject[] | undefined {
  const { facts, held = [], endpoint, user_id, prompt_tokens, stored_tokens, response_id } = call
  const { stores } = facts
  if ((!stores && !held.length) || key === undefined || api?.format.name !== endpoint.format.name) return undefined
  const at = { channel_id: channel.id, key }
  // The gateway's own count leaves out what is stored.
  const prompt = by === 'upstream' ? promptTokens(usage) : Math.max(promptTokens(usage), prompt_tokens)
  const tokens = prompt + completionTokens(usage)
  const stored: NewStoredObject[] = []
  if (stores && id) stored.push({ kind: stores, user_id, ...at, tokens, ...idsOf(id, response_id) })
  for (const { reference, maker } of held) {
    const { kind, id } = reference
    if (kind === 'conversation') stored.push({ kind, id, user_id: maker, ...at, tokens })
    // An earlier response keeps its length; that of what was made elsewhere is known from now on.
    else if (maker === NO_MAKER) {
      const length = Math.max(0, prompt - (prompt_tokens - stored_tokens))
      stored.push({ kind, id, user_id: maker, ...at, tokens: length })
    }
  }
  return stored
}

/** A background response is known to its client under another id than to the upstream. */
const idsOf = (id: string, response_id: string | undefined) =>
  response_id === undefined ? { id } : { id: response_id, upstream_id: id }
