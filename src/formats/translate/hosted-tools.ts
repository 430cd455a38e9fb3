/** Tools that a provider runs itself, on their way to another provider: kept where it has the same, else left out. */
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, FormatName, HostedOffer, HostedTool, Tool, ToolChoice } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'

/** Whether a request of any client format lists a tool that searches the web. */
export const asksToSearch = ({ tools }: Json): boolean =>
  tools !== undefined && objectsOf([tools].flat()).some(searches)

const searches = ({ type, googleSearch, google_search }: Json) =>
  googleSearch !== undefined || google_search !== undefined || textOf(type).startsWith('web_search')

/** @param offered what the target runs itself for the model */
export function withHostedWithin(
  request: ChatRequest,
  target: FormatName,
  offered: readonly HostedOffer[],
): ChatRequest {
  const hosted = request.tools.filter(tool => tool.kind === 'hosted')
  if (!hosted.length) return request
  const isKept = ({ format, offer }: HostedTool) =>
    format === target || (offer !== undefined && offered.includes(offer))
  const tools = request.tools.filter(tool => tool.kind === 'function' || isKept(tool))
  const names = hosted.map(({ value }) => textOf(value.name))
  return { ...request, tools, tool_choice: choiceAmong(tools, names, request.tool_choice) }
}

/**
 * A choice that names a hosted tool forces it where it is the only tool; else the model chooses.
 * @param hosted names that Anthropic's clients have for hosted tools
 */
function choiceAmong(tools: Tool[], hosted: string[], choice: ToolChoice | undefined): ToolChoice | undefined {
  if (!choice || !tools.length) return undefined
  if (choice.kind === 'tool' && hosted.includes(choice.name))
    return { kind: tools.length === 1 && tools[0]!.kind === 'hosted' ? 'required' : 'auto' }
  if (choice.kind !== 'allowed') return choice
  const names = choice.names.filter(name => !hosted.includes(name))
  return names.length ? { ...choice, names } : { kind: 'none' }
}
