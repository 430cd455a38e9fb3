/**
 * Writes tools and the choice between them.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html (read 2026-11)
 */
import type { ConverseTraits } from '../../models/converse.ts'
import { writeSchema } from '../anthropic/output.ts'
import type { ChatRequest, FunctionTool } from '../canonical/chat.ts'
import type { ConverseTool, ConverseToolChoice, ConverseTools } from './wire.ts'
import { writeCachePoint } from './write-parts.ts'

/** The API demands tools of a conversation with calls, and knows no choice of none. */
export function writeTools(request: ChatRequest, traits: ConverseTraits): ConverseTools | undefined {
  const called = calledIn(request)
  const { tool_choice } = request
  const declared = request.tools.filter(tool => tool.kind === 'function')
  const named = tool_choice?.kind === 'tool' && traits.tool_choice !== 'all' ? tool_choice.name : undefined
  const tools = tool_choice?.kind === 'none' && !called.length ? [] : declared
  const usable = named === undefined ? tools : tools.filter(({ name }) => name === named || called.includes(name))
  const old = called.filter(name => !usable.some(tool => tool.name === name))
  const all: FunctionTool[] = [...usable, ...old.map(name => ({ kind: 'function' as const, name }))]
  if (!all.length) return undefined
  const toolChoice = declared.length ? writeChoice(request, traits) : undefined
  return { tools: all.flatMap(tool => writeTool(tool, traits)), toolChoice }
}

const calledIn = ({ messages }: ChatRequest): string[] => [
  ...new Set(messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'tool_call' ? [part.name] : [])))),
]

function writeTool(tool: FunctionTool, { schema, cache }: ConverseTraits): ConverseTool[] {
  const { name, description, parameters = {}, strict } = tool
  const isStrict = strict === true && schema
  const json = {
    type: 'object',
    ...(parameters.type ? undefined : { properties: {} }),
    ...(isStrict ? writeSchema(parameters) : parameters),
  }
  return [
    { toolSpec: { name, description: description || undefined, inputSchema: { json }, strict: isStrict || undefined } },
    ...writeCachePoint(tool.cache, cache === 'tools'),
  ]
}

function writeChoice({ tool_choice }: ChatRequest, traits: ConverseTraits): ConverseToolChoice | undefined {
  if (!tool_choice || traits.tool_choice === 'none') return undefined
  switch (tool_choice.kind) {
    case 'auto':
      return { auto: {} }
    case 'required':
      return { any: {} }
    case 'tool':
      return traits.tool_choice === 'all' ? { tool: { name: tool_choice.name } } : { any: {} }
    case 'allowed':
    case 'none':
      return undefined
  }
}
