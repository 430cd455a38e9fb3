/**
 * Writes a ChatRequest as the body of Converse and ConverseStream.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */
import { type ConverseTraits, converseTraitsOf } from '../../models/converse.ts'
import { effortOf, isOff, nearest } from '../../models/effort.ts'
import { writeSchema } from '../anthropic/output.ts'
import { withFewMarks } from '../canonical/cache-marks.ts'
import type { ChatRequest, TextPart } from '../canonical/chat.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import type { ConverseBody, ConverseFields, ConverseInference, ConverseOutput, ConverseText } from './wire.ts'
import { writeMessages } from './write-messages.ts'
import { cacheStop, writeCachePoint } from './write-parts.ts'
import { writeTools } from './write-tools.ts'

export function writeRequest(original: ChatRequest): ConverseBody {
  const request = withFewMarks(original)
  const { model, stream } = request
  const traits = converseTraitsOf(model)
  const system = systemOf(request, traits)
  const inferenceConfig = writeInference(request)
  const more = writeMore(request, traits)
  return {
    model,
    stream: stream || undefined,
    messages: writeMessages(traits.system ? request : withFirst(request, system), traits),
    system: traits.system && system.length ? system.flatMap(part => writeSystem(part, traits)) : undefined,
    inferenceConfig: hasFields(inferenceConfig) ? inferenceConfig : undefined,
    toolConfig: writeTools(request, traits),
    additionalModelRequestFields: hasFields(more) ? more : undefined,
    outputConfig: writeOutput(request, traits),
  }
}

const hasFields = (object: object) => Object.values(object).some(value => value !== undefined)

/** System messages from inside the conversation move to the top, the only place for them. */
function systemOf({ system, messages, output }: ChatRequest, { schema }: ConverseTraits): TextPart[] {
  const later = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  const texts = [...system, ...later.filter((part): part is TextPart => part.kind === 'text')]
  const isInstructed = output?.kind === 'json' || (output?.kind === 'schema' && !schema)
  if (isInstructed) texts.push({ kind: 'text', text: jsonInstruction(output) })
  return texts.filter(({ text }) => text.trim())
}

const writeSystem = ({ text, cache }: TextPart, traits: ConverseTraits): ConverseText[] => [
  { text },
  ...writeCachePoint(cache, cacheStop(traits)),
]

/** For models without a system prompt: it stands before the first message. */
const withFirst = (request: ChatRequest, system: TextPart[]): ChatRequest =>
  system.length ? { ...request, messages: [{ role: 'user', parts: system }, ...request.messages] } : request

function writeInference({ max_output, sampling, stop }: ChatRequest): ConverseInference {
  const { temperature, top_p } = sampling
  return {
    maxTokens: max_output || undefined,
    temperature: temperature === undefined ? undefined : Math.min(temperature, 1),
    topP: top_p,
    stopSequences: stop.length ? stop : undefined,
  }
}

/** Fields of the models themselves. */
function writeMore({ sampling, reasoning }: ChatRequest, { thinking, top_k: place }: ConverseTraits): ConverseFields {
  const { top_k } = sampling
  const effort = reasoning && !isOff(reasoning) ? effortOf(reasoning) : undefined
  return {
    top_k: place === 'top' ? top_k : undefined,
    inferenceConfig: place === 'inferenceConfig' && top_k !== undefined ? { topK: top_k } : undefined,
    reasoning_effort: effort && thinking === 'effort' ? nearest(effort, ['low', 'medium', 'high']) : undefined,
    reasoningConfig: effort && thinking === 'reasoning_config' ? writeReasoning(effort) : undefined,
  }
}

/**
 * Above medium, Nova refuses any limit of output tokens.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html (read 2026-11)
 */
const writeReasoning = (effort: Parameters<typeof nearest>[0]): ConverseFields['reasoningConfig'] => ({
  type: 'enabled',
  maxReasoningEffort: nearest(effort, ['low', 'medium']),
})

/** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html (read 2026-11) */
function writeOutput({ output }: ChatRequest, { schema }: ConverseTraits): ConverseOutput | undefined {
  if (output?.kind !== 'schema' || !schema) return undefined
  const { name = 'response', description } = output
  const jsonSchema = { schema: JSON.stringify(writeSchema(output.schema)), name, description }
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}
