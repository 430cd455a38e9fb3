/** A request as far as a format can say it: by the table of losses. */
import type { ChatRequest, FormatName, Owner, Part } from '../canonical/chat.ts'
import type { Flaw } from '../json/checks.ts'
import { withObjectsHeld } from '../json/json-instruction.ts'
import {
  type Droppable,
  drops,
  onlyAllowedTools,
  partsOf,
  refusals,
  sourceIn,
  type Unsupported,
  withOwnMediaShown,
} from './features.ts'
import { losses } from './losses.ts'
import { stopsTaken } from './stop.ts'
import { withNamesFor } from './tool-names.ts'

const owners: Record<FormatName, Owner> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

export function applyLosses(request: ChatRequest, target: FormatName): ChatRequest | Flaw {
  const { dropped, refused, changed } = losses[target]
  for (const feature of Object.keys(refused) as Unsupported[]) {
    if (refusals[feature].has(request, target)) return { code: refusals[feature].code, param: null }
  }
  if (hasForeignFile(request, owners[target])) return { code: 'format.no_file_id', param: null }
  let fitted = withoutForeign(request, target)
  for (const feature of Object.keys(dropped) as Droppable[]) fitted = drops[feature](fitted)
  if ('allowed_tools' in changed) fitted = onlyAllowedTools(fitted)
  if ('bare_schema' in changed) fitted = withObjectsHeld(fitted)
  if ('own_media' in changed) fitted = withOwnMediaShown(fitted)
  return withNamesFor(target, { ...fitted, stop: stopsTaken(fitted.stop, target, fitted.model) })
}

/** An uploaded file can be read by nobody but the provider that has it. */
const hasForeignFile = (request: ChatRequest, owner: Owner): boolean =>
  partsOf(request).some(part => {
    const source = sourceIn(part)
    return source?.via === 'id' && source.owner !== owner
  })

/** What another format's own tools have said is told in words, where it has any. */
function withoutForeign(request: ChatRequest, target: FormatName): ChatRequest {
  const known = (part: Part): Part[] => {
    if (part.kind !== 'native' || part.format === target) return [part]
    return part.text === undefined ? [] : [{ kind: 'text', text: part.text }]
  }
  return { ...request, messages: request.messages.map(turn => ({ ...turn, parts: turn.parts.flatMap(known) })) }
}
