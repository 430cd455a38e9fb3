/**
 * Keeps the candidates that hold what a call refers to: it goes to the channel and key that made it, and to no other.
 */
import { Refusal } from '../../contracts/refusal.ts'
import { apiFor, type Candidate } from '../../domain/routing/index.ts'
import { isHeldUnder, NO_MAKER, type StoredRow, storedObjects } from '../../domain/stored-objects/index.ts'
import type { ApiError } from '../../formats/canonical/chat.ts'
import type { StoredReference } from '../../formats/format.ts'
import { unknownStored, unsupportedThread } from '../../formats/stored-errors.ts'
import type { Awaitable } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import { type HeldReference, nextStage, type ReadCall, type RoutedCall } from '../call.ts'
import { Fault } from '../errors/fault.ts'

/** What is counted for something of unknown length. */
const UNKNOWN_TOKENS = 32_768
const REFERENCES_MAX = 1000
const PREVIOUS = 'previous_response_id'

/**
 * @returns the call with what it refers to, and those candidates
 * @throws Fault in the maker's words, for what the caller has not stored at any of the candidates; Refusal 400 for more
 * references than are looked up
 */
export function holders(candidates: Candidate[], call: ReadCall): Awaitable<[RoutedCall, Candidate[]]> {
  const { stored, stores } = call.facts
  return stored || stores === 'thread' ? holdersOfAll(candidates, call) : [routed(call), candidates]
}

async function holdersOfAll(candidates: Candidate[], call: ReadCall): Promise<[RoutedCall, Candidate[]]> {
  const { stored, stores } = call.facts
  let holding = stores === 'thread' ? candidates.filter(candidate => canHoldThread(candidate, call)) : candidates
  const references = onceEach(stored ?? [])
  const rows = await storedObjects(references)
  const held: HeldReference[] = []
  const lengths = new Map<string, number>()
  let previous_id: string | undefined
  for (const [at, reference] of references.entries()) {
    const row = rows[at]
    holding = holdersOf(reference, row, holding, call)
    if (!holding.length) throw unknownFault(reference, call.endpoint.format.name)
    if (reference.use === 'echo' || !holding.some(candidate => canOpen(candidate, reference, call))) continue
    held.push({ reference, maker: row?.user_id ?? NO_MAKER })
    // A voice is no part of the prompt.
    if (reference.kind === 'voice') continue
    const group = row?.group_hash || String(at)
    lengths.set(group, Math.max(lengths.get(group) ?? 0, row?.tokens ?? UNKNOWN_TOKENS))
    if (row?.upstream_id && reference.param === PREVIOUS) previous_id = row.upstream_id
  }
  if (!holding.length) throw inMakersWords(unsupportedThread())
  const stored_tokens = [...lengths.values()].reduce((sum, tokens) => sum + tokens, 0)
  return [routed(call, { held, previous_id, stored_tokens }), holding]
}

type StoredContext = Pick<RoutedCall, 'held' | 'previous_id' | 'stored_tokens'>

const routed = (call: ReadCall, { held, previous_id, stored_tokens }: StoredContext = { stored_tokens: 0 }) =>
  nextStage<ReadCall, RoutedCall>(call, {
    held,
    previous_id,
    stored_tokens,
    prompt_tokens: call.body_tokens + stored_tokens,
  })

/** A call that goes to no channel here, so that nothing is known of what it refers to. */
export const unheld = (call: ReadCall): RoutedCall => routed(call)

/** The body with the id under which the upstream knows the response before. */
export const bodyForHolder = ({ body, previous_id }: RoutedCall): Json =>
  previous_id === undefined ? body : { ...body, [PREVIOUS]: previous_id }

const order = ['needed', 'optional', 'echo'] as const

/** Several references to one object count as the one that needs it most. @throws Refusal 400 */
function onceEach(stored: readonly StoredReference[]): StoredReference[] {
  const byId = new Map<string, StoredReference>()
  for (const reference of stored) {
    const key = `${reference.kind} ${reference.id}`
    const known = byId.get(key)
    if (!known || order.indexOf(reference.use) < order.indexOf(known.use)) byId.set(key, reference)
  }
  if (byId.size > REFERENCES_MAX) throw new Refusal('relay.too_many_ids', { limit: REFERENCES_MAX }, 400)
  return [...byId.values()]
}

const canHoldThread = ({ api }: Candidate, { endpoint }: ReadCall): boolean =>
  api.format.name === endpoint.format.name && api.holds_threads === true

/** Ids mean something to upstreams of the client's own format alone; those of files also to another format of their maker. */
function canOpen({ api }: Candidate, { kind }: StoredReference, { endpoint }: ReadCall): boolean {
  if (api.format.name === endpoint.format.name) return true
  const owner = ownerOf(endpoint.format)
  return kind === 'file' && owner !== undefined && owner === ownerOf(api.format)
}

const ownerOf = (format: object) => ('limits' in format ? (format.limits as { owner?: string }).owner : undefined)

function holdersOf(
  reference: StoredReference,
  row: StoredRow | undefined,
  candidates: Candidate[],
  call: ReadCall,
): Candidate[] {
  const { kind, use } = reference
  const isForeign = row && row.user_id !== NO_MAKER && row.user_id !== call.user_id
  if (use === 'echo' && !isForeign) return candidates
  const able = candidates.filter(candidate => canOpen(candidate, reference, call))
  const others = candidates.filter(candidate => use !== 'needed' && !able.includes(candidate))
  // Translation refuses the file of another maker, and says why.
  if (!able.length && kind === 'file' && !isForeign) return candidates
  if (isForeign) return others
  const isOwn = row && row.user_id !== NO_MAKER
  const allowed = isOwn ? able : able.filter(({ channel }) => channel.setting.allow_unknown_ids)
  // A prompt is kept for the whole account.
  const holding = row && kind !== 'prompt' ? allowed.flatMap(candidate => withKeyOf(row, candidate, call)) : allowed
  return [...holding, ...others]
}

/** The candidate with the one key that holds the object; none where channel or key is another or disabled. */
function withKeyOf(row: StoredRow, { channel }: Candidate, call: ReadCall): Candidate[] {
  if (channel.id !== row.channel_id) return []
  const key = channel.good_keys.find(one => isHeldUnder(row, one))
  const api = key === undefined ? undefined : apiFor(channel, call, key)
  return api ? [{ channel: { ...channel, good_keys: [key!] }, api }] : []
}

export const unknownFault = (reference: StoredReference, format: string): Fault =>
  inMakersWords(unknownStored(reference, format))

function inMakersWords(upstream_error: ApiError): Fault {
  const { status } = upstream_error
  return new Fault({ status, code: 'relay.stored_unknown', retry: false, upstream_error })
}
