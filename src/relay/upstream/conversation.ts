/**
 * The conversation that a call goes on with. Makers keep what they have read for some minutes and charge a tenth for it
 * when it comes again; calls of one conversation go to one channel and key, where it is kept.
 */

import type { AffinityKind } from '../../contracts/log.ts'
import { option } from '../../domain/options/index.ts'
import type { Candidate } from '../../domain/routing/index.ts'
import { textsIn } from '../../formats/json/texts.ts'
import type { Operation } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'
import type { Call } from '../call.ts'

/**
 * No maker keeps a shorter prompt. https://platform.openai.com/docs/guides/prompt-caching
 * https://docs.claude.com/en/docs/build-with-claude/prompt-caching (read 2026-11)
 */
const KEPT_MIN_TOKENS = 1024
const conversing = new Set<Operation>(['chat', 'responses'])
const PER_CENT = 100
/** Characters that tell the beginnings of conversations apart. */
const BEGINNING_MAX = 16_384

/** How the channels of a conversation are chosen. */
export interface Affinity {
  /** Whole number of 32 bits; absent of the sample, whose calls are shared one by one. */
  conversation?: number
  kind: AffinityKind
}

/** @returns undefined where any channel will do */
export function affinityOf(call: Call, candidates: readonly Candidate[]): Affinity | undefined {
  const hasChoice = candidates.length > 1 || candidates.some(({ channel }) => channel.good_keys.length > 1)
  if (!hasChoice || !conversing.has(call.endpoint.operation) || !option('ChannelAffinity')) return undefined
  const name = call.session || nameIn(call.body) || beginningOf(call)
  // The user's own: another who sends the same name has another conversation.
  if (!name) return undefined
  const conversation = Bun.hash.xxHash32(`${call.user_id} ${name}`)
  const isSample = conversation % PER_CENT < option('ChannelAffinitySample')
  return isSample ? { kind: 'sample' } : { conversation, kind: 'kept' }
}

function nameIn({ prompt_cache_key, metadata }: Json): string | undefined {
  if (typeof prompt_cache_key === 'string') return prompt_cache_key
  const { user_id } = (metadata ?? {}) as Json
  return typeof user_id === 'string' ? user_id : undefined
}

/** What the system says and the first turn of the user, which each further call repeats. */
function beginningOf({ prompt_tokens, body }: Call): string | undefined {
  if (prompt_tokens < KEPT_MIN_TOKENS) return undefined
  const turns = [body.messages, body.contents, body.input].find(Array.isArray) ?? [body.input]
  const first = turns.findIndex(({ role = 'user' }: Json) => role === 'user')
  const { system, instructions, systemInstruction, system_instruction } = body
  const beginning = [system, instructions, systemInstruction, system_instruction, ...turns.slice(0, first + 1)]
  return textsIn({ beginning }).join('\n').slice(0, BEGINNING_MAX)
}
