/**
 * Writes a ChatRequest as the body of Converse and ConverseStream.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11)
 */

import { type ConverseTraits, converseTraitsOf } from '../../models/converse.ts'
import { effortOf, isOff, nearest } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import { writeSchema } from '../anthropic/output.ts'
import { withFewMarks } from '../canonical/cache-marks.ts'
import type { ChatRequest, TextPart } from '../canonical/chat.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { writeMessages } from './write-messages.ts'
import { cacheStop, writeCachePoint } from './write-parts.ts'
import { writeTools } from './write-tools.ts'

export function writeRequest(original: ChatRequest): Json {
  const request = withFewMarks(original)
  const { model, stream } = request
  const traits = converseTraitsOf(model)
  const system = systemOf(request, traits)
  const toolConfig = writeTools(request, traits)
  const inferenceConfig = writeInference(request)
  const more = writeMore(request, traits)
  return {
    model,
    ...(stream && { stream: true }),
    messages: writeMessages(traits.system ? request : withFirst(request, system), traits),
    ...(traits.system && system.length && { system: system.flatMap(part => writeSystem(part, traits)) }),
    ...(Object.keys(inferenceConfig).length && { inferenceConfig }),
    ...(toolConfig && { toolConfig }),
    ...(Object.keys(more).length && { additionalModelRequestFields: more }),
    ...writeOutput(request, traits),
  }
}

/** System messages from inside the conversation move to the top, the only place for them. */
function systemOf({ system, messages, output }: ChatRequest, { schema }: ConverseTraits): TextPart[] {
  const later = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  const texts = [...system, ...later.filter((part): part is TextPart => part.kind === 'text')]
  const isInstructed = output?.kind === 'json' || (output?.kind === 'schema' && !schema)
  if (isInstructed) texts.push({ kind: 'text', text: jsonInstruction(output) })
  return texts.filter(({ text }) => text.trim())
}

const writeSystem = ({ text, cache }: TextPart, traits: ConverseTraits): Json[] => [
  { text },
  ...writeCachePoint(cache, cacheStop(traits)),
]

/** For models without a system prompt: it stands before the first message. */
const withFirst = (request: ChatRequest, system: TextPart[]): ChatRequest =>
  system.length ? { ...request, messages: [{ role: 'user', parts: system }, ...request.messages] } : request

function writeInference({ max_output, sampling, stop }: ChatRequest): Json {
  const { temperature, top_p } = sampling
  return {
    ...(max_output && { maxTokens: max_output }),
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(stop.length && { stopSequences: stop }),
  }
}

/** Fields of the models themselves. */
function writeMore({ sampling, reasoning }: ChatRequest, { thinking, top_k: place }: ConverseTraits): Json {
  const { top_k } = sampling
  const ranked = place === 'inferenceConfig' ? { inferenceConfig: { topK: top_k } } : { top_k }
  const effort = reasoning && !isOff(reasoning) ? effortOf(reasoning) : undefined
  return {
    ...(top_k !== undefined && ranked),
    ...(effort && thinking === 'effort' && { reasoning_effort: nearest(effort, ['low', 'medium', 'high']) }),
    ...(effort && thinking === 'reasoning_config' && { reasoningConfig: writeReasoning(effort) }),
  }
}

/**
 * Above medium, Nova refuses any limit of output tokens.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html (read 2026-11)
 */
const writeReasoning = (effort: Parameters<typeof nearest>[0]): Json => ({
  type: 'enabled',
  maxReasoningEffort: nearest(effort, ['low', 'medium']),
})

/** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html (read 2026-11) */
function writeOutput({ output }: ChatRequest, { schema }: ConverseTraits): Json {
  if (output?.kind !== 'schema' || !schema) return {}
  const { name = 'response', description } = output
  const jsonSchema = { schema: JSON.stringify(writeSchema(output.schema)), name, description }
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } }
}
