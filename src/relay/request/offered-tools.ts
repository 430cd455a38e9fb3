/** Finds the tools that a request offers, also where they are added in the middle of a conversation. */
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { addsTools } from '../../formats/openai-responses/read-tools.ts'
import type { Json } from '../../pure/json.ts'

export interface OfferedTool {
  tool: Json
  /** Where it stands in the request. */
  param: string
}

/** @param format of the client */
export function offeredTools(body: Json, format: string): OfferedTool[] {
  const offered = toolsIn(body, '')
  if (isObject(body.extra_body)) offered.push(...toolsIn(body.extra_body, 'extra_body.'))
  if (format === 'openai-responses') offered.push(...addedItems(body.input))
  if (format === 'anthropic') offered.push(...addedBlocks(body.messages))
  return offered
}

const toolsIn = ({ tools }: Json, at: string): OfferedTool[] =>
  tools ? objectsOf([tools].flat()).flatMap((tool, index) => withGroup({ tool, param: `${at}tools[${index}]` })) : []

/** A namespace groups tools of any type. https://developers.openai.com/api/docs/guides/tools-tool-search (read 2026-11) */
const withGroup = (offered: OfferedTool): OfferedTool[] =>
  offered.tool.type === 'namespace' ? [offered, ...toolsIn(offered.tool, `${offered.param}.`)] : [offered]

/** https://developers.openai.com/api/docs/guides/tools (read 2026-11) */
function addedItems(input: unknown): OfferedTool[] {
  if (!Array.isArray(input)) return []
  const offered: OfferedTool[] = []
  for (let at = 0; at < input.length; at++) {
    if (addsTools.has(input[at]?.type)) offered.push(...toolsIn(objectOf(input[at]), `input[${at}].`))
  }
  return offered
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview (read 2026-11): beta `inline-tools` */
function addedBlocks(messages: unknown): OfferedTool[] {
  if (!Array.isArray(messages)) return []
  const offered: OfferedTool[] = []
  for (let at = 0; at < messages.length; at++) {
    const content: unknown = messages[at]?.content
    if (!Array.isArray(content)) continue
    for (let block = 0; block < content.length; block++) {
      if (content[block]?.type !== 'tool_addition') continue
      const { definition } = objectOf(content[block].tool)
      const param = `messages[${at}].content[${block}].tool.definition`
      if (isObject(definition)) offered.push({ tool: definition, param })
    }
  }
  return offered
}

/** A shell of the client's own costs nothing. https://developers.openai.com/api/docs/guides/tools-shell (read 2026-11) */
export const isHostedShell = ({ environment }: Json): boolean => isObject(environment) && environment.type !== 'local'
