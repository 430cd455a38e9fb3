/** Writes a ChatRequest as the body of POST /v1/messages. https://docs.anthropic.com/en/api/messages (read 2026-11) */
import { type ModelTraits, traitsOf } from '../../models/traits.ts'
import { withFewMarks } from '../canonical/cache-marks.ts'
import type { ChatRequest, FunctionTool, HostedTool, TextPart, Tool, ToolChoice } from '../canonical/chat.ts'
import { type SearchScope, writePlace } from '../canonical/search-scope.ts'
import { objectOf } from '../json/lenient-json.ts'
import { schemaInstruction, writeSchema } from './output.ts'
import { writeThinking } from './thinking.ts'
import type { AnthropicBody, AnthropicOutput, AnthropicText, AnthropicTool, AnthropicToolChoice } from './wire.ts'
import { writeCacheMark, writeMessages } from './write-messages.ts'

export function writeRequest(original: ChatRequest): AnthropicBody {
  const request = withFewMarks(original)
  const { model, stream, stop, user, extra } = request
  const tools = request.tools.flatMap(tool => writeTool(tool, traitsOf(model, 'anthropic')))
  const messages = writeMessages(request)
  const thinking = writeThinking(request, messages)
  const config: AnthropicOutput = {
    ...objectOf(extra.anthropic?.output_config),
    ...thinking.output_config,
    ...writeFormat(request),
  }
  return {
    ...(extra.anthropic as object | undefined),
    model,
    max_tokens: thinking.max_tokens,
    system: writeSystem(request),
    messages,
    stream: stream || undefined,
    ...writeSampling(request, thinking.is_on),
    stop_sequences: stop.length ? stop : undefined,
    tools: tools.length ? tools : undefined,
    tool_choice: tools.length ? writeToolChoice(request) : undefined,
    thinking: thinking.thinking,
    output_config: Object.keys(config).length ? config : undefined,
    metadata: user === undefined ? undefined : { user_id: user },
  }
}

/** System messages from inside the conversation move to the top-level `system`, the only place for them. */
function writeSystem(request: ChatRequest): AnthropicBody['system'] {
  const later = request.messages.filter(({ role }) => role === 'system').flatMap(message => message.parts)
  const parts: TextPart[] = [...request.system, ...later.filter((part): part is TextPart => part.kind === 'text')]
  const instruction = schemaInstruction(request)
  if (instruction) parts.push({ kind: 'text', text: instruction })
  const texts = parts.filter(({ text }) => text.trim())
  if (texts.length <= 1 && !texts[0]?.cache) return texts[0]?.text
  return texts.map(({ text, cache }): AnthropicText => ({ type: 'text', text, ...writeCacheMark(cache) }))
}

function writeSampling({ model, sampling }: ChatRequest, thinks: boolean): Partial<AnthropicBody> {
  const { temperature, top_p, top_k } = sampling
  const { sampling: accepted } = traitsOf(model, 'anthropic')
  if (accepted === 'none') return {}
  // With thinking, Anthropic accepts only temperature 1, top_p from 0.95 to 1, and no top_k.
  if (thinks) return { top_p: top_p !== undefined && top_p >= 0.95 ? top_p : undefined }
  const capped = temperature === undefined ? undefined : Math.min(temperature, 1)
  const takesBoth = accepted === 'all' || capped === undefined
  return { temperature: capped, top_p: takesBoth ? top_p : undefined, top_k }
}

function writeFormat({ model, output }: ChatRequest): AnthropicOutput {
  if (output?.kind !== 'schema' || !traitsOf(model, 'anthropic').schema) return {}
  return { format: { type: 'json_schema', schema: writeSchema(output.schema) } }
}

function writeTool(tool: Tool, traits: ModelTraits): AnthropicTool[] {
  switch (tool.kind) {
    case 'function':
      return [writeFunction(tool, traits)]
    case 'hosted':
      return writeHosted(tool)
  }
}

function writeFunction(tool: FunctionTool, { schema, strict_tools }: ModelTraits): AnthropicTool {
  const { name, description, parameters = {}, strict, cache } = tool
  return {
    name,
    description,
    input_schema: {
      type: 'object',
      ...(parameters.type ? undefined : { properties: {} }),
      ...(strict && schema ? writeSchema(parameters) : parameters),
    },
    strict: (strict && strict_tools) || undefined,
    ...writeCacheMark(cache),
  }
}

function writeHosted({ offer, format, value, scope }: HostedTool): AnthropicTool[] {
  if (format === 'anthropic') return [value as AnthropicTool]
  if (offer === 'code_execution') return [{ type: 'code_execution_20250825', name: 'code_execution' }]
  return offer === 'web_search' ? [writeSearch(scope)] : []
}

const writeSearch = ({ only, place }: SearchScope = {}): AnthropicTool => ({
  type: 'web_search_20250305',
  name: 'web_search',
  allowed_domains: only,
  user_location: writePlace(place),
})

function writeToolChoice({ model, tool_choice: choice, parallel_tools }: ChatRequest): AnthropicToolChoice | undefined {
  const parallel: Pick<AnthropicToolChoice, 'disable_parallel_tool_use'> =
    parallel_tools === undefined ? {} : { disable_parallel_tool_use: !parallel_tools }
  const forces = choice && choice.kind !== 'auto' && choice.kind !== 'none'
  const tool_choice: ToolChoice | undefined =
    forces && !traitsOf(model, 'anthropic').forces_tools ? { kind: 'auto' } : choice
  if (!tool_choice) return parallel_tools === false ? { type: 'auto', ...parallel } : undefined
  return tool_choice.kind === 'none' ? { type: 'none' } : { ...writeChoice(tool_choice), ...parallel }
}

function writeChoice(choice: ToolChoice): AnthropicToolChoice {
  switch (choice.kind) {
    case 'auto':
    case 'none':
      return { type: choice.kind }
    case 'required':
      return { type: 'any' }
    case 'tool':
      return { type: 'tool', name: choice.name }
    case 'allowed':
      return { type: choice.required ? 'any' : 'auto' }
  }
}
