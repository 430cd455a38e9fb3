/**
 * Keeps the candidates that hold what a call refers to: it goes to the channel and key that made it, and to no other.
 */
import { apiFor } from '../../domain/channels/index.ts'
import { isHeldUnder, NO_MAKER, type StoredRow, storedObject } from '../../domain/stored-objects/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { StoredReference } from '../../formats/format.ts'
import { unknownStored, unsupportedThread } from '../../formats/stored.ts'
import type { Call, Candidate, HeldReference } from '../call.ts'
import { Fault } from '../errors/fault.ts'

/** What is counted for something of unknown length. */
const UNKNOWN_TOKENS = 32_768

/** @throws Fault in the maker's words, for what the caller has not stored at any of the candidates */
export async function holders(candidates: Candidate[], call: Call): Promise<Candidate[]> {
  const { stored, stores } = call.facts
  if (!stored && stores !== 'thread') return candidates
  let holding = candidates.filter(candidate => canHold(candidate, call))
  const held: HeldReference[] = []
  for (const reference of stored ?? []) {
    const row = await storedObject(reference.kind, reference.id)
    holding = holdersOf(reference, row, holding, call)
    if (!holding.length) throw inMakersWords(unknownStored(reference))
    held.push({ reference, maker: row?.user_id ?? NO_MAKER })
    call.stored_tokens += row?.tokens ?? UNKNOWN_TOKENS
    if (row?.upstream_id) call.body = { ...call.body, [reference.param]: row.upstream_id }
  }
  if (!holding.length) throw inMakersWords(unsupportedThread())
  call.held = held
  call.prompt_tokens += call.stored_tokens
  return holding
}

/** Ids and threads mean something to upstreams of the client's own format alone. */
const canHold = ({ api }: Candidate, { endpoint, facts }: Call): boolean =>
  api.format.name === endpoint.format.name && (facts.stores !== 'thread' || api.holds_threads === true)

function holdersOf(
  { kind }: StoredReference,
  row: StoredRow | undefined,
  candidates: readonly Candidate[],
  call: Call,
): Candidate[] {
  const isForeign = row && row.user_id !== NO_MAKER && row.user_id !== call.user_id
  if (isForeign) return []
  const isOwn = row && row.user_id !== NO_MAKER
  const able = isOwn ? candidates : candidates.filter(({ channel }) => channel.setting.allow_unknown_ids)
  // A prompt is kept for the whole account.
  if (!row || kind === 'prompt') return [...able]
  return able.flatMap(candidate => withKeyOf(row, candidate, call))
}

/** The candidate with the one key that holds the object; none where channel or key is another or disabled. */
function withKeyOf(row: StoredRow, { channel }: Candidate, call: Call): Candidate[] {
  if (channel.id !== row.channel_id) return []
  const key = channel.good_keys.find(one => isHeldUnder(row, one))
  const api = key === undefined ? undefined : apiFor(channel, call, key)
  return api ? [{ channel: { ...channel, good_keys: [key!] }, api }] : []
}

function inMakersWords(upstream_error: ApiError): Fault {
  const { status } = upstream_error
  return new Fault({ status, code: 'relay.stored_unknown', retry: false, upstream_error })
}
