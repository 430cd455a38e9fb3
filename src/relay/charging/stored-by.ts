/** What an upstream has stored of a call: how long it is, whose, and where the next call finds it. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { type NewStoredObject, NO_MAKER } from '../../domain/stored-objects/index.ts'
import type { MadeObject, MeteredUsage, StoredKind } from '../../formats/format.ts'
import type { Call } from '../call.ts'
import type { BilledResponse } from './settle.ts'

/** Of a file that code has written, before it is read. */
const UNKNOWN_TOKENS = 32_768

/** What grows while it is used: its length is the one of its last use. */
const growing = new Set<StoredKind>(['container', 'file'])

/** @returns undefined for most calls: nothing is stored, or another format than the client's was asked */
export function storedBy(
  call: Call,
  response: BilledResponse,
  { usage, by }: MeteredUsage,
): NewStoredObject[] | undefined {
  const { channel, key, api, facts } = response
  const { held = [], endpoint, user_id, prompt_tokens, stored_tokens, response_id } = call
  if (key === undefined) return undefined
  const isNative = api?.format.name === endpoint.format.name
  const stores = isNative ? call.facts.stores : undefined
  const made = (isNative && facts.made?.(stores === 'response')) || []
  if (!stores && !held.length && !made.length) return undefined
  const at = { channel_id: channel.id, key }
  // The gateway's own count leaves out what is stored.
  const prompt = by === 'upstream' ? promptTokens(usage) : Math.max(promptTokens(usage), prompt_tokens)
  const output = completionTokens(usage)
  /** What the upstream has read beside the request. */
  const added = Math.max(0, prompt - (prompt_tokens - stored_tokens))
  const stored: NewStoredObject[] = []
  for (const { reference, maker } of held) {
    const { kind, id } = reference
    if (kind === 'conversation') stored.push({ kind, id, user_id: maker, ...at, tokens: prompt + output })
    // An earlier response keeps its length; that of what was made elsewhere is known from now on.
    else if (maker === NO_MAKER || growing.has(kind))
      stored.push({ kind, id, user_id: maker, ...at, tokens: added, group: call.request_id })
  }
  if (stores && facts.id)
    stored.push({ kind: stores, user_id, ...at, tokens: prompt + output, ...idsOf(facts.id, response_id) })
  const named = new Set(held.map(({ reference: { kind, id } }) => `${kind} ${id}`))
  const isNew = ({ kind, id }: MadeObject) => !named.has(`${kind} ${id}`)
  const lengths = { output: output + (made.some(({ has_result }) => has_result) ? added : 0), added }
  for (const { kind, id } of made.filter(isNew))
    stored.push({ kind, id, user_id, ...at, ...lengthOf(kind, lengths, facts.id) })
  return stored
}

/** The items of a response are together as long as its output, with what its tools have read. */
function lengthOf(
  kind: StoredKind,
  { output, added }: { output: number; added: number },
  group: string | undefined,
): Pick<NewStoredObject, 'tokens' | 'group'> {
  if (kind === 'item') return { tokens: output, group }
  if (kind === 'container') return { tokens: added }
  return { tokens: kind === 'audio' ? output : UNKNOWN_TOKENS }
}

/** A background response is known to its client under another id than to the upstream. */
const idsOf = (id: string, response_id: string | undefined) =>
  response_id === undefined ? { id } : { id: response_id, upstream_id: id }
