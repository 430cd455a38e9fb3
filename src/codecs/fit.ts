/** A request as far as a format can say it, and an answer as far as a caller can be told it: by the table of losses. */
import type { Answer, AnswerPart, Event, Format, FunctionTool, Owner, Part, Request, ToolCall } from './canonical.ts'
import type { Flaw } from './checks.ts'
import { withObjectsHeld } from './demand.ts'
import {
  type Droppable,
  drops,
  onlyAllowedTools,
  partsOf,
  type Refusable,
  refusals,
  sourceIn,
  withOwnMediaShown,
} from './features.ts'
import { inputIn } from './freeform.ts'
import { losses } from './losses.ts'
import type { Route } from './route.ts'
import { stopsTaken } from './stop.ts'
import { calledBy, withNamesFor } from './tool-names.ts'
import { unfold } from './unfold.ts'

const owners: Record<Format, Owner> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

export function fit(request: Request, target: Format): Request | Flaw {
  const { dropped, refused, changed } = losses[target]
  for (const feature of Object.keys(refused) as Refusable[]) {
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
const hasForeignFile = (request: Request, owner: Owner): boolean =>
  partsOf(request).some(part => {
    const source = sourceIn(part)
    return source?.via === 'id' && source.owner !== owner
  })

/** What another format's own tools have said is told in words, where it has any. */
function withoutForeign(request: Request, target: Format): Request {
  const known = (part: Part): Part[] => {
    if (part.kind !== 'native' || part.format === target) return [part]
    return part.text === undefined ? [] : [{ kind: 'text', text: part.text }]
  }
  return { ...request, turns: request.turns.map(turn => ({ ...turn, parts: turn.parts.flatMap(known) })) }
}

/** What of a part a caller is told. */
function told(part: AnswerPart, { caller: { format }, upstream, label }: Route): AnswerPart | undefined {
  if (part.kind in losses[format].untold) return undefined
  if (part.kind === 'tool_call') return asCallerKnows(part, calledBy(part.name, upstream.format, label.request))
  if (part.kind !== 'native' || part.format === format) return part
  return part.text === undefined ? undefined : { kind: 'text', text: part.text }
}

function asCallerKnows(call: ToolCall, tool: FunctionTool | undefined): ToolCall {
  if (!tool) return call
  const { name, freeform } = tool
  if (!freeform) return name === call.name ? call : { ...call, name }
  return { ...call, name, freeform, arguments: call.arguments && inputIn(call.arguments) }
}

export function fitAnswer(answer: Answer, route: Route): Answer {
  const choices = answer.choices.map(choice => ({
    ...choice,
    parts: choice.parts.flatMap(part => told(part, route) ?? []),
    ...('logprobs' in losses[route.caller.format].untold && { logprobs: undefined }),
  }))
  return { ...answer, choices }
}

/** Goes through the events of one stream. @param tell what of them the caller is told */
export function fitEvents(route: Route, tell: (event: Event) => string): (event: Event) => string {
  const untold = new Set<string>()
  /** Arguments of which only a text within is told: they wait until they are whole. */
  const waiting = new Map<string, string>()
  const open = (event: Event & { kind: 'open' }): string => {
    const part = told(event.opening, route)
    if (part === event.opening) return tell(event)
    if (!part) {
      untold.add(keyOf(event))
      return ''
    }
    if (part.kind === 'tool_call' && part.freeform) waiting.set(keyOf(event), '')
    const { opening, deltas } = unfold(part)
    const { choice, part: index } = event
    return (
      tell({ ...event, opening }) + deltas.map(delta => tell({ kind: 'delta', choice, part: index, delta })).join('')
    )
  }
  const wait = (event: Event & { kind: 'delta' | 'close' }): string => {
    const key = keyOf(event)
    const text = waiting.get(key) ?? ''
    if (event.kind === 'delta') {
      waiting.set(key, 'arguments' in event.delta ? text + event.delta.arguments : text)
      return ''
    }
    waiting.delete(key)
    return tell({ ...event, kind: 'delta', delta: { arguments: inputIn(text) } }) + tell(event)
  }
  return event => {
    switch (event.kind) {
      case 'logprobs':
        return 'logprobs' in losses[route.caller.format].untold ? '' : tell(event)
      case 'open':
        return open(event)
      case 'delta':
      case 'close':
        if (untold.size && untold.has(keyOf(event))) return ''
        return waiting.size && waiting.has(keyOf(event)) ? wait(event) : tell(event)
      default:
        return tell(event)
    }
  }
}

const keyOf = ({ choice, part }: { choice: number; part: number }) => `${choice}/${part}`
