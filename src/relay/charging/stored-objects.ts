/** What an upstream has stored of a call: how long it is, whose, and where the next call finds it. */
import { completionTokens, promptTokens } from '../../billing/usage.ts'
import { type NewStoredObject, NO_MAKER } from '../../domain/stored-objects/index.ts'
import type { MadeObject, MeteredUsage, StoredKind } from '../../formats/format.ts'
import type { Call } from '../call.ts'
import type { BilledResponse } from './settle.ts'

/** Length that counts for a file that code has written, before it is read. */
const UNKNOWN_TOKENS = 32_768

/** What grows while it is used: its length is the one of its last use. */
const growing = new Set<StoredKind>(['container', 'file'])

/** @returns undefined for most calls: nothing is stored, or another format than the client's was asked */
export function storedBy(
  call: Call,
  { channel, key, api, facts }: BilledResponse,
  metered: MeteredUsage,
): NewStoredObject[] | undefined {
  const { held = [], endpoint, user_id, response_id } = call
  if (key === undefined) return undefined
  const isNative = api?.format.name === endpoint.format.name
  const stores = isNative && facts.id ? call.facts.stores : undefined
  const made = (isNative && facts.made?.(stores === 'response')) || []
  if (!stores && !held.length && !made.length) return undefined
  const at = { channel_id: channel.id, key }
  const lengths = lengthsOf(call, metered)
  const stored: NewStoredObject[] = []
  for (const { reference, maker } of held) {
    const { kind, id } = reference
    if (kind === 'conversation') stored.push({ kind, id, user_id: maker, ...at, tokens: lengths.whole })
    // An earlier response keeps its length; that of what was made elsewhere is known from now on.
    else if (maker === NO_MAKER || growing.has(kind))
      stored.push({ kind, id, user_id: maker, ...at, tokens: lengths.added, group: call.request_id })
  }
  // A background response is known to its client under another id than to the upstream.
  const id = response_id ?? facts.id
  if (stores)
    stored.push({ kind: stores, id: id!, user_id, ...at, tokens: lengths.whole, upstream_id: response_id && facts.id })
  const named = new Set(held.map(({ reference: { kind, id } }) => `${kind} ${id}`))
  for (const one of made)
    if (!named.has(`${one.kind} ${one.id}`)) stored.push({ ...newObject(one, made, lengths, id), user_id, ...at })
  return stored
}

interface Lengths {
  /** Tokens of the prompt and the output. */
  whole: number
  output: number
  /** What the upstream has read beside the request. */
  added: number
}

function lengthsOf({ prompt_tokens, stored_tokens }: Call, { usage, by }: MeteredUsage): Lengths {
  // The gateway's own count leaves out what is stored.
  const prompt = by === 'upstream' ? promptTokens(usage) : Math.max(promptTokens(usage), prompt_tokens)
  const output = completionTokens(usage)
  return { whole: prompt + output, output, added: Math.max(0, prompt - (prompt_tokens - stored_tokens)) }
}

/** The items of a response are together as long as its output, with what its tools have read. */
function newObject({ kind, id }: MadeObject, made: readonly MadeObject[], lengths: Lengths, response_id?: string) {
  const { output, added } = lengths
  if (kind === 'container') return { kind, id, tokens: added }
  if (kind !== 'item') return { kind, id, tokens: kind === 'audio' ? output : UNKNOWN_TOKENS }
  const read = made.some(({ has_result }) => has_result) ? added : 0
  return { kind, id, tokens: output + read, response_id }
}
