/** Reduces a request to what an upstream's format can carry, by the losses of that format. */
import type { ChatRequest, HostedOffer, Owner, Part } from '../canonical/chat.ts'
import { withPairedCalls } from '../canonical/paired-calls.ts'
import type { TranslatedUpstream } from '../format.ts'
import type { Flaw } from '../json/checks.ts'
import { withObjectsHeld } from '../json/json-instruction.ts'
import {
  type Droppable,
  drops,
  onlyAllowedTools,
  partsOf,
  refusals,
  sourceIn,
  type UnsupportedFeature,
  type UnsupportedRule,
  withOwnMediaShown,
} from './features.ts'
import { withHostedWithin } from './hosted-tools.ts'
import { withNamesWithin } from './tool-names.ts'

type Target = Pick<TranslatedUpstream, 'name' | 'limits'>

/**
 * @param hosted tools that the target runs itself for the model; those of its format unless given
 * @returns a flaw when the request contains what the format refuses
 */
export function applyLosses(
  request: ChatRequest,
  target: Target,
  hosted: readonly HostedOffer[] = target.limits.hosted?.(request.model, request.tools) ?? [],
): ChatRequest | Flaw {
  const { losses, owner, stop, tool_name } = target.limits
  const { dropped, refused, changed } = losses
  for (const feature of Object.keys(refused) as UnsupportedFeature[]) {
    const rule: UnsupportedRule = refusals[feature]
    if (rule.has(request, target)) return { code: rule.code, params: rule.params, param: rule.param ?? null }
  }
  if (hasForeignFile(request, owner)) return { code: 'format.no_file_id', param: null }
  let reduced = withHostedWithin(withoutForeignParts(request, target), target, hosted)
  for (const feature of Object.keys(dropped) as Droppable[]) reduced = drops[feature](reduced)
  if ('allowed_tools' in changed) reduced = onlyAllowedTools(reduced)
  if ('bare_schema' in changed) reduced = withObjectsHeld(reduced)
  // What the provider stores may contain the calls of these results.
  if (!reduced.stored_by) reduced = { ...reduced, messages: withPairedCalls(reduced.messages) }
  if ('own_media' in changed) reduced = withOwnMediaShown(reduced)
  return withNamesWithin(tool_name, { ...reduced, stop: stop(reduced.stop, reduced.model) })
}

/** Only the provider that stores an uploaded file can open its id. */
const hasForeignFile = (request: ChatRequest, owner: Owner | undefined): boolean =>
  partsOf(request).some(part => {
    const source = sourceIn(part)
    return source?.via === 'id' && source.owner !== owner
  })

/**
 * Replaces native parts of other formats by their text, or leaves them out, with what only those formats shall get.
 * Blank texts are left out too: many makers refuse them, and clients send them back as they came.
 */
function withoutForeignParts(request: ChatRequest, { name }: Target): ChatRequest {
  const known = (part: Part): Part[] => {
    if (isBlank(part)) return []
    if (part.kind === 'tool_result') return [{ ...part, parts: part.parts.filter(inner => !isBlank(inner)) }]
    if (part.kind !== 'native' || part.format === name) return [part]
    return part.text === undefined ? [] : [{ kind: 'text', text: part.text }]
  }
  return {
    ...request,
    system: request.system.filter(text => (text.only_for ?? name) === name && !isBlank(text)),
    messages: request.messages.map(message => ({ ...message, parts: message.parts.flatMap(known) })),
  }
}

const isBlank = (part: Part) => part.kind === 'text' && !part.signature && !part.text.trim()
