/** Writes a ChatRequest as the body of POST /v2/chat. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { ChatRequest, FunctionTool, Sampling, TextPart } from '../canonical/chat.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { writeThinking } from './thinking.ts'
import type { CohereBody, CohereMessage, CohereTool } from './wire.ts'
import { documentsOf, writeMessages } from './write-messages.ts'

export function writeRequest(request: ChatRequest): CohereBody {
  const { model, stream, max_output, stop, output } = request
  const tools = request.tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  const documents = documentsOf(request.messages)
  const isConstrained = output !== undefined && output.kind !== 'text'
  const format = isConstrained && !tools.length && !documents.length ? writeFormat(output) : undefined
  const instruction = isConstrained && !format ? jsonInstruction(output) : ''
  return {
    model,
    messages: [...writeSystem(request.system, instruction), ...writeMessages(request.messages)],
    stream: stream || undefined,
    max_tokens: max_output,
    ...writeSampling(request.sampling),
    stop_sequences: stop.length ? stop : undefined,
    response_format: format,
    documents: documents.length ? documents : undefined,
    ...(tools.length ? writeTools(tools, request) : undefined),
    thinking: writeThinking(request),
  }
}

function writeSystem(system: TextPart[], instruction: string): CohereMessage[] {
  const texts = [...system.map(({ text }) => text), instruction].filter(text => text.trim())
  return texts.length ? [{ role: 'system', content: texts.join('\n\n') }] : []
}

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, min), max)

const [P_MIN, P_MAX, K_MAX] = [0.01, 0.99, 500]

const writeSampling = ({
  temperature,
  top_p,
  top_k,
  seed,
  frequency_penalty,
  presence_penalty,
}: Sampling): Partial<CohereBody> => ({
  temperature,
  p: within(top_p, P_MIN, P_MAX),
  k: within(top_k, 0, K_MAX),
  seed,
  frequency_penalty: within(frequency_penalty, 0, 1),
  presence_penalty: within(presence_penalty, 0, 1),
})

/** The API refuses it beside tools and documents. https://docs.cohere.com/docs/structured-outputs (read 2026-11) */
const writeFormat = (output: Exclude<ChatRequest['output'], undefined>): CohereBody['response_format'] => ({
  type: 'json_object',
  json_schema: output.kind === 'schema' ? output.schema : undefined,
})

/** Of the choices only «some tool» and «no tool» exist: a named tool is the only one that is sent. */
function writeTools(tools: FunctionTool[], { tool_choice: choice }: ChatRequest): Partial<CohereBody> {
  const named = choice?.kind === 'tool' ? tools.filter(({ name }) => name === choice.name) : []
  const sent = named.length ? named : tools
  return {
    tools: sent.map(writeTool),
    strict_tools: sent.every(isStrict) || undefined,
    tool_choice: writeChoice(choice),
  }
}

const writeTool = ({ name, description, parameters }: FunctionTool): CohereTool => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', ...(parameters ?? { properties: {} }) } },
})

/** Strict tools need a required parameter each. https://docs.cohere.com/docs/structured-outputs (read 2026-11) */
const isStrict = ({ strict, parameters }: FunctionTool): boolean =>
  strict === true && Array.isArray(parameters?.required) && parameters.required.length > 0

function writeChoice(choice: ChatRequest['tool_choice']): CohereBody['tool_choice'] {
  switch (choice?.kind) {
    case 'none':
      return 'NONE'
    case 'required':
    case 'tool':
      return 'REQUIRED'
    case 'allowed':
      return choice.required ? 'REQUIRED' : undefined
    case 'auto':
    case undefined:
      return undefined
  }
}
