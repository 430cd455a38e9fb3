/** Tools that a provider runs itself, on their way to another provider: kept where it has the same, else left out. */
import type { Json } from '../../pure/json.ts'
import { type ChatRequest, type HostedOffer, type HostedTool, hostedName, type Tool } from '../canonical/chat.ts'
import type { TranslatedUpstream } from '../format.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'

/** Whether a request of any client format lists a tool that searches the web. */
export const asksToSearch = ({ tools }: Json): boolean =>
  tools !== undefined && objectsOf([tools].flat()).some(searches)

const searches = ({ type, googleSearch, google_search }: Json) =>
  googleSearch !== undefined || google_search !== undefined || textOf(type).startsWith('web_search')

type Target = Pick<TranslatedUpstream, 'name' | 'limits'>
type ToolFields = Pick<ChatRequest, 'tools' | 'tool_choice'>

/** @param offered what the target runs itself for the model */
export function withHostedWithin(request: ChatRequest, target: Target, offered: readonly HostedOffer[]): ChatRequest {
  const hosted = request.tools.filter(tool => tool.kind === 'hosted')
  const { tool_choice: choice } = request
  const isChosen = choice?.kind === 'tool' && (choice.is_hosted || isAmong(hosted, choice.name))
  if (!hosted.length && !isChosen) return request
  const isKept = ({ format, offer }: HostedTool) =>
    format === target.name || (offer !== undefined && offered.includes(offer))
  const tools = request.tools.filter(tool => tool.kind === 'function' || isKept(tool))
  if (!choice || !tools.length) return { ...request, tools, tool_choice: undefined }
  if (isChosen) return { ...request, tools, tool_choice: forced(choice.name, tools, target) }
  // Responses have such lists themselves.
  if (target.name === 'openai-responses') return { ...request, tools }
  return { ...request, ...onlyAllowed({ tools, tool_choice: choice }) }
}

/** A choice that names a hosted tool forces it where the target can, or where it is the only tool; else the model chooses. */
function forced(name: string, tools: Tool[], { limits }: Target): ChatRequest['tool_choice'] {
  if (!isAmong(tools, name)) return { kind: 'auto' }
  if (tools.length === 1) return { kind: 'required' }
  return limits.forces_hosted ? { kind: 'tool', name, is_hosted: true } : { kind: 'auto' }
}

const isAmong = (tools: Tool[], name: string) => tools.some(tool => tool.kind === 'hosted' && hostedName(tool) === name)

/** Leaves out the hosted tools that a list of allowed tools does not name, if it could name any. */
function onlyAllowed({ tools, tool_choice: choice }: ToolFields): ToolFields {
  if (choice?.kind !== 'allowed' || !choice.hosted) return { tools, tool_choice: choice }
  const { names, hosted, required } = choice
  const allowed = tools.filter(tool => tool.kind === 'function' || hosted.includes(hostedName(tool)))
  if (names.length) return { tools: allowed, tool_choice: choice }
  const left = allowed.filter(tool => tool.kind === 'hosted')
  if (!left.length) return { tools, tool_choice: { kind: 'none' } }
  return { tools: left, tool_choice: { kind: required ? 'required' : 'auto' } }
}
