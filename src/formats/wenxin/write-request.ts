/** Writes a ChatRequest as the body of a Wenxin v1 chat. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { ChatRequest, FunctionTool, OutputFormat, Sampling } from '../canonical/chat.ts'
import { ACKNOWLEDGED, instructionsOf } from '../canonical/text-turns.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { lowered } from '../json/lowered.ts'
import type { WenxinBody, WenxinFunction, WenxinMessage } from './wire.ts'
import { writeMessages } from './write-messages.ts'

const OUTPUT_MIN = 2

export function writeRequest(request: ChatRequest): WenxinBody {
  const { model, stream, stop, max_output, output } = request
  const system = instructions(request)
  const messages = writeMessages(request)
  return {
    ...ownFields(request),
    messages: system && isOldTurbo(model) ? [...asQuestion(system), ...messages] : messages,
    system: system && !isOldTurbo(model) ? system : undefined,
    stream: stream || undefined,
    ...writeSampling(request.sampling),
    max_output_tokens: max_output && Math.max(max_output, OUTPUT_MIN),
    stop: stop.length ? stop : undefined,
    response_format: output && (output.kind === 'text' ? 'text' : 'json_object'),
    ...writeTools(request),
    user_id: request.user,
  }
}

export const limitOutput = (body: Json, limit: number): Json => ({
  ...body,
  max_output_tokens: Math.max(lowered(body.max_output_tokens, limit), OUTPUT_MIN),
})

/** Fields that clients of OpenAI's format may add. */
const own = new Set(['disable_search', 'enable_citation', 'penalty_score'])

const ownFields = ({ extra }: ChatRequest): object =>
  Object.fromEntries(Object.entries(extra['openai-chat'] ?? {}).filter(([name]) => own.has(name)))

/** Models without the field `system`. */
const isOldTurbo = (model: string): boolean => /^ernie-(?:bot-turbo|lite-8k-0922)/i.test(model)

const asQuestion = (system: string): WenxinMessage[] => [
  { role: 'user', content: system },
  { role: 'assistant', content: ACKNOWLEDGED },
]

function instructions(request: ChatRequest): string {
  const { output } = request
  return [instructionsOf(request), output && schemaOf(output)].filter(Boolean).join('\n')
}

const schemaOf = (output: OutputFormat): string => (output.kind === 'text' ? '' : jsonInstruction(output))

const TEMPERATURE_MIN = 0.01
const PENALTY_MAX = 2

function writeSampling({ temperature, top_p, frequency_penalty }: Sampling): Partial<WenxinBody> {
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, Math.max(TEMPERATURE_MIN, temperature)),
    top_p,
    ...(frequency_penalty === undefined ? undefined : writePenalty(frequency_penalty)),
  }
}

/** It stands over the one of the client's own fields. */
const writePenalty = (value: number): Pick<WenxinBody, 'penalty_score'> => ({
  penalty_score: 1 + Math.min(PENALTY_MAX, Math.max(0, value)) / PENALTY_MAX,
})

function writeTools({ tools, tool_choice }: ChatRequest): Partial<WenxinBody> {
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  if (!functions.length || tool_choice?.kind === 'none') return {}
  const [only] = functions
  const isOnly = tool_choice?.kind === 'required' && functions.length === 1
  const name = tool_choice?.kind === 'tool' ? tool_choice.name : isOnly ? only!.name : undefined
  return {
    functions: functions.map(writeFunction),
    tool_choice: name ? { type: 'function', function: { name } } : undefined,
  }
}

/** Description and parameters are required. */
const writeFunction = ({ name, description, parameters }: FunctionTool): WenxinFunction => ({
  name,
  description: description || name,
  parameters: parameters ?? { type: 'object', properties: {} },
})
