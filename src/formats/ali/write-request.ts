/**
 * Writes a ChatRequest as the body of a generation.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import {
  alwaysThinks,
  INTERNET,
  isMultimodal,
  qwenTemperature,
  qwenThinking,
  qwenTopP,
  searchesWeb,
  thinksInStreamsAlone,
} from '../../models/qwen.ts'
import type { ChatRequest, FunctionTool } from '../canonical/chat.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { objectOf } from '../json/lenient-json.ts'
import type { OpenAiTool } from '../openai-chat/wire.ts'
import { joinedText } from '../openai-chat/write-messages.ts'
import type { GenerationBody, GenerationParameters } from './wire.ts'
import { writeMessages } from './write-messages.ts'

export function writeRequest(request: ChatRequest): GenerationBody {
  const isSearching = searchesWeb(request.model)
  const model = isSearching ? request.model.slice(0, -INTERNET.length) : request.model
  const thinking = thinkingFor(request, model)
  const thinks = alwaysThinks(model) || thinking.enable_thinking === true
  return {
    model,
    input: { messages: writeMessages(request, instructionsOf(request), isMultimodal(model)) },
    parameters: {
      result_format: 'message',
      incremental_output: request.stream || undefined,
      max_tokens: request.max_output,
      ...writeSampling(request),
      stop: request.stop.length ? request.stop : undefined,
      ...writeTools(request),
      ...thinking,
      response_format: isJson(request) && !thinks ? { type: 'json_object' } : undefined,
      enable_search: isSearching || undefined,
    },
  }
}

type ThinkingParameters = Pick<GenerationParameters, 'enable_thinking' | 'thinking_budget'>

/** What the client sets in compatible mode's own fields counts, but for models that think in streams alone. */
function thinkingFor(request: ChatRequest, model: string): ThinkingParameters {
  const own = ownFields(request)
  if (!request.stream && thinksInStreamsAlone(model))
    return { ...own, enable_thinking: false, thinking_budget: undefined }
  return { ...qwenThinking(model, request.reasoning), ...own }
}

const isJson = ({ output }: ChatRequest) => output !== undefined && output.kind !== 'text'

/** JSON mode requires that the instructions speak of JSON. */
function instructionsOf({ system, messages, output }: ChatRequest): string {
  const later = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  const instruction = output && output.kind !== 'text' ? jsonInstruction(output) : ''
  return [joinedText([...system, ...later]), instruction].filter(Boolean).join('\n')
}

/** Fields of compatible mode that the generation has too. */
const shared = [
  'enable_thinking',
  'thinking_budget',
  'repetition_penalty',
  'search_options',
  'vl_high_resolution_images',
]

const ownFields = ({ extra }: ChatRequest): object =>
  Object.fromEntries(Object.entries(objectOf(extra['openai-chat'])).filter(([name]) => shared.includes(name)))

function writeSampling({ sampling }: ChatRequest): Partial<GenerationParameters> {
  const { temperature, top_p, top_k, seed, presence_penalty } = sampling
  return {
    temperature: temperature === undefined ? undefined : qwenTemperature(temperature),
    top_p: top_p === undefined ? undefined : qwenTopP(top_p),
    top_k,
    seed,
    presence_penalty,
  }
}

function writeTools({ tools, tool_choice, parallel_tools }: ChatRequest): Partial<GenerationParameters> {
  const functions = tools.filter((tool): tool is FunctionTool => tool.kind === 'function')
  if (!functions.length) return {}
  return {
    tools: functions.map(
      ({ name, description, parameters }): OpenAiTool => ({
        type: 'function',
        function: { name, description, parameters: parameters ?? { type: 'object', properties: {} } },
      }),
    ),
    tool_choice: writeToolChoice(tool_choice, functions),
    parallel_tool_calls: parallel_tools,
  }
}

/** There is no `required`. */
function writeToolChoice(
  choice: ChatRequest['tool_choice'],
  [only, ...others]: FunctionTool[],
): GenerationParameters['tool_choice'] {
  switch (choice?.kind) {
    case undefined:
      return undefined
    case 'tool':
      return { type: 'function', function: { name: choice.name } }
    case 'required':
      return others.length ? 'auto' : { type: 'function', function: { name: only!.name } }
    case 'none':
      return 'none'
    default:
      return 'auto'
  }
}
