/**
 * Reads the tools of a request: those of the field `tools`, and those that items add in the middle of a conversation.
 * Codex sends all its tools in items. https://developers.openai.com/api/docs/guides/tools-tool-search (read 2026-11)
 */
import type { FunctionTool, Tool } from '../canonical/chat.ts'
import { readPlace, readSites, type SearchScope } from '../canonical/search-scope.ts'
import type { Field } from '../json/strict-json.ts'
import { readCustomTool } from '../translate/custom-tools.ts'
import { nameIn } from '../translate/namespaces.ts'
import { TOOL_SEARCH } from './tool-search.ts'

export function readTools(body: Field): Tool[] {
  const { value } = body.at('input')
  const items = Array.isArray(value) ? body.at('input').list() : []
  const added = items.filter(item => addsTools.has(item.at('type').value)).map(item => item.find('tools'))
  return onceEach([body.find('tools'), ...added].flatMap(tools => tools?.list() ?? []).flatMap(readTool))
}

/** Types of items that hold tools. */
export const addsTools = new Set<unknown>(['additional_tools', 'tool_search_output'])

/** Items repeat tools: the same search finds the same. */
function onceEach(tools: Tool[]): Tool[] {
  const names = new Set<string>()
  return tools.filter(tool => tool.kind === 'hosted' || (!names.has(tool.name) && names.add(tool.name)))
}

function readTool(tool: Field): Tool[] {
  const type = tool.at('type').text()
  switch (type) {
    case 'custom':
      return [readCustomTool(tool)]
    case 'function':
      return [readFunction(tool, tool.at('name').text())]
    case 'namespace':
      return readNamespace(tool)
    case 'tool_search':
      if (tool.at('execution').value === 'client') return [{ ...readFunction(tool, TOOL_SEARCH), finds_tools: true }]
      break
  }
  const offer = offerOf(type)
  const scope = offer === 'web_search' ? readScope(tool) : undefined
  return [{ kind: 'hosted', offer, format: 'openai-responses', value: tool.object(), scope }]
}

function readNamespace(group: Field): Tool[] {
  const namespace = group.at('name').text()
  const tools = group.find('tools')?.list().flatMap(readTool) ?? []
  return tools.map(tool =>
    tool.kind === 'function' ? { ...tool, name: nameIn(namespace, tool.name), namespace } : tool,
  )
}

const readFunction = (tool: Field, name: string): FunctionTool => ({
  kind: 'function',
  name,
  description: tool.find('description')?.text(),
  parameters: tool.find('parameters')?.object(),
  strict: tool.find('strict')?.flag(),
})

const readScope = (tool: Field): SearchScope => ({
  only: readSites(tool.at('filters').at('allowed_domains')),
  depth: tool.find('search_context_size')?.text(),
  place: readPlace(tool.at('user_location')),
})

export function offerOf(type: string): 'web_search' | 'code_execution' | undefined {
  if (type.startsWith('web_search')) return 'web_search'
  return type === 'code_interpreter' ? 'code_execution' : undefined
}
