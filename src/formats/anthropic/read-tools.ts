/**
 * Reads the tools of a request as they are at the end of its conversation: messages load, add and remove tools.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool (read 2026-11)
 */
import type { Tool } from '../canonical/chat.ts'
import { readPlace, readSites, type SearchScope } from '../canonical/search-scope.ts'
import type { Field } from '../json/strict-json.ts'
import { readCacheMark } from './read-messages.ts'

export function readTools(body: Field): Tool[] {
  const declared = body.find('tools')?.list() ?? []
  // Anthropic's own search finds them; no other format has it.
  const areFound = declared.some(tool => String(tool.at('type').value).startsWith('tool_search_tool'))
  const offered = declared.filter(tool => areFound || tool.at('defer_loading').value !== true)
  const changes = changesIn(body)
  if (!changes.length) return offered.map(readTool)
  const tools = new OfferedTools(declared, offered)
  for (const change of changes) tools.apply(change)
  return tools.list.map(readTool)
}

class OfferedTools {
  readonly #known = new Map<unknown, Field>()
  list: Field[]

  constructor(declared: Field[], offered: Field[]) {
    for (const tool of declared) this.#known.set(tool.at('name').value, tool)
    this.list = offered
  }

  apply({ name, definition, is_removal }: ToolChange) {
    if (definition) this.#known.set(name, definition)
    const tool = this.#known.get(name)
    if (is_removal || definition) this.list = this.list.filter(other => other.at('name').value !== name)
    if (tool && !is_removal && !this.list.includes(tool)) this.list = [...this.list, tool]
  }
}

interface ToolChange {
  name: unknown
  definition?: Field
  is_removal?: boolean
}

/** Most requests have none: only what makes one is looked at. */
function changesIn(body: Field): ToolChange[] {
  const { value } = body.at('messages')
  return Array.isArray(value)
    ? body
        .at('messages')
        .list()
        .flatMap(message => blocksIn(message.at('content')))
    : []
}

const blocksIn = (content: Field): ToolChange[] =>
  Array.isArray(content.value) ? content.list().flatMap(changesOf) : []

function changesOf(block: Field): ToolChange[] {
  switch (block.at('type').value) {
    // A tool that was called had been loaded.
    case 'tool_use':
      return [{ name: block.at('name').value }]
    case 'tool_reference':
      return [{ name: block.at('tool_name').value }]
    case 'tool_result':
      return blocksIn(block.at('content'))
    case 'tool_addition':
      return changeOf(block.at('tool'))
    case 'tool_removal':
      return changeOf(block.at('tool')).map(change => ({ ...change, is_removal: true }))
    default:
      return []
  }
}

/** Tools of MCP servers, which only Anthropic calls itself, are changed under other types. */
function changeOf(tool: Field): ToolChange[] {
  const definition = tool.find('definition')
  if (definition) return [{ name: definition.at('name').value, definition }]
  return tool.at('type').value === 'tool_reference' ? [{ name: tool.at('name').value }] : []
}

function readTool(tool: Field): Tool {
  const type = tool.find('type')?.text() ?? 'custom'
  if (type !== 'custom') {
    const offer = offerOf(type)
    const scope = offer === 'web_search' ? readScope(tool) : undefined
    return { kind: 'hosted', offer, format: 'anthropic', value: tool.object(), scope }
  }
  return {
    kind: 'function',
    name: tool.at('name').text(),
    description: tool.find('description')?.text(),
    parameters: tool.find('input_schema')?.object(),
    strict: tool.find('strict')?.flag() ?? false,
    cache: readCacheMark(tool),
  }
}

const readScope = (tool: Field): SearchScope => ({
  only: readSites(tool.at('allowed_domains')),
  place: readPlace(tool.at('user_location')),
})

function offerOf(type: string): 'web_search' | 'code_execution' | undefined {
  if (type.startsWith('web_search_')) return 'web_search'
  return type.startsWith('code_execution_') ? 'code_execution' : undefined
}
