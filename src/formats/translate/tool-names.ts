/** Names of functions, whose length and letters each format limits. */
import { createHash } from 'node:crypto'
import type { ChatRequest, FunctionTool, Part, Tool } from '../canonical/chat.ts'
import type { ToolNameLimit } from '../format.ts'
import { withParts } from './features.ts'

const DIGEST_LENGTH = 8

/** @returns the name within the limit; a changed name ends in a digest of the original, so that no two become the same */
function nameWithin({ max, refused, begins }: ToolNameLimit, name: string): string {
  const allowed = name.replaceAll(refused, '_')
  const begun = begins && !begins.test(allowed) ? `_${allowed}` : allowed
  if (begun === name && name.length <= max) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH)
  return `${begun.slice(0, max - DIGEST_LENGTH - 1)}_${digest}`
}

/** @returns the request with the name of every function within the limit */
export function withNamesWithin(limit: ToolNameLimit, request: ChatRequest): ChatRequest {
  const renamed = <T extends { name: string }>(named: T): T => ({ ...named, name: nameWithin(limit, named.name) })
  const rename = (part: Part): Part => {
    if (part.kind === 'tool_call') return renamed(part)
    return part.kind === 'tool_result' && part.name ? renamed({ ...part, name: part.name }) : part
  }
  const { tool_choice: choice } = request
  return {
    ...withParts(request, rename),
    tools: oncePerName(request.tools.map(tool => (tool.kind === 'function' ? renamed(tool) : tool))),
    tool_choice:
      choice?.kind === 'tool'
        ? renamed(choice)
        : choice?.kind === 'allowed'
          ? { ...choice, names: choice.names.map(name => nameWithin(limit, name)) }
          : choice,
  }
}

/** Makers refuse two tools of one name; the first one counts. */
function oncePerName(tools: Tool[]): Tool[] {
  const names = new Set<string>()
  return tools.filter(tool => tool.kind === 'hosted' || (!names.has(tool.name) && names.add(tool.name)))
}

/** @param name that the upstream calls. @returns the function as the client declared it */
export const toolCalled = (name: string, limit: ToolNameLimit, { tools }: ChatRequest): FunctionTool | undefined =>
  tools.find((tool): tool is FunctionTool => tool.kind === 'function' && nameWithin(limit, tool.name) === name)
