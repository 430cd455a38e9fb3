/**
 * The search for tools that a client runs: a tool, a call and a result of their own types. In other formats it is a
 * function, and the tools that it finds are added to those of the request.
 * https://developers.openai.com/api/docs/guides/tools-tool-search (read 2026-11)
 */
import type { ToolCall, ToolResult } from '../canonical/chat.ts'
import type { Field } from '../json/strict-json.ts'
import { nameIn } from '../translate/namespaces.ts'

export const TOOL_SEARCH = 'tool_search'

/** Whether the client ran it; the calls of OpenAI's own search have no id. */
export const isClients = (item: Field): boolean => typeof item.at('call_id').value === 'string'

export const readSearchCall = (item: Field): ToolCall => ({
  kind: 'tool_call',
  id: item.at('call_id').text(),
  name: TOOL_SEARCH,
  arguments: JSON.stringify(item.at('arguments').value ?? {}),
})

export function readSearchResult(item: Field): ToolResult {
  const names = item.find('tools')?.list().flatMap(namesIn) ?? []
  const text = names.length ? `These tools can be called now: ${names.join(', ')}` : 'No tool was found.'
  return { kind: 'tool_result', id: item.at('call_id').text(), parts: [{ kind: 'text', text }] }
}

function namesIn(tool: Field): string[] {
  const name = tool.find('name')?.text()
  if (tool.at('type').value !== 'namespace') return name ? [name] : []
  return (
    tool
      .find('tools')
      ?.list()
      .flatMap(namesIn)
      .map(inner => nameIn(name, inner)) ?? []
  )
}
