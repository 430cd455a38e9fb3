/** What spans say of a call: what was asked of the model, what it has answered, and the text of both where that is wanted. */
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { env } from '../../env.ts'
import { wordsOf } from '../../formats/estimate.ts'
import type { Attributes, AttributeValue } from '../../pure/otlp.ts'
import type { ReadCall } from '../call.ts'
import type { CallTrace } from './call-trace.ts'
import { operationName, providerName } from './gen-ai.ts'
import { providerLabel } from './labels.ts'
import { names } from './trace-names.ts'
import { clipped } from './traces.ts'

type AskedCall = Pick<ReadCall, 'endpoint' | 'facts' | 'body' | 'canonical' | 'trace'>

/** Characters of all messages of one side; what is longer is left out, since half of it is no JSON. */
const CONTENT_MAX = 262_144

export const capturesContent = (trace: object | undefined) =>
  trace !== undefined && env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT

const numberOf = (value: unknown): AttributeValue =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

const outputTypes: Partial<Record<string, string>> = {
  speech: 'speech',
  image_generations: 'image',
  image_edits: 'image',
  image_variations: 'image',
  transcriptions: 'text',
  translations: 'text',
}

/** Begins the span of the model. */
export function traceAsking({ trace, endpoint, facts, body, canonical }: AskedCall) {
  if (!trace) return
  const operation = operationName(endpoint.operation)
  const model = clipped(facts.model)
  trace.asking(`${operation} ${model}`, {
    [names.operation]: operation,
    [names.model]: model,
    [names.stream]: facts.stream || undefined,
    [names.maxTokens]: facts.max_output,
    [names.choices]: facts.choices === 1 ? undefined : facts.choices,
    [names.temperature]: numberOf(body.temperature),
    [names.topP]: numberOf(body.top_p),
    [names.outputType]: outputTypes[endpoint.operation],
    ...(capturesContent(trace) && contentOf({ endpoint, body, canonical })),
  })
}

/** Begins the span of an attempt. */
export const traceAttempt = (trace: CallTrace, { id, type }: { id: number; type: number }) =>
  trace.attempting(id, providerName(providerLabel(type)))

const textPart = (content: string) => ({ type: 'text', content })
const limited = (value: object[]): string | undefined => {
  const text = JSON.stringify(value)
  return text.length > CONTENT_MAX ? undefined : text
}

function contentOf({ endpoint, body, canonical }: Pick<AskedCall, 'endpoint' | 'body' | 'canonical'>): Attributes {
  const request = canonical.read()
  if (!request || !('messages' in request)) {
    const text = endpoint.format.promptText(body)
    return { [names.inputMessages]: text ? limited([{ role: 'user', parts: [textPart(text)] }]) : undefined }
  }
  const messages = request.messages.map(({ role, parts }) => ({ role, parts: [textPart(wordsOf(parts))] }))
  return {
    [names.instructions]: request.system.length ? limited(request.system.map(({ text }) => textPart(text))) : undefined,
    [names.inputMessages]: limited(messages),
  }
}

export interface TracedAnswer {
  id?: string
  model?: string
  readonly text: string
}

const MS_PER_SECOND = 1000

/** @param first_ms of a stream */
export function answerAttributes(
  trace: object,
  { usage, answered, first_ms }: { usage?: Usage; answered?: TracedAnswer; first_ms?: number },
): Attributes {
  const content = answered && capturesContent(trace) ? answered.text : ''
  return {
    [names.responseId]: answered?.id && clipped(answered.id),
    [names.responseModel]: answered?.model && clipped(answered.model),
    [names.firstChunk]: first_ms === undefined ? undefined : first_ms / MS_PER_SECOND,
    [names.input]: usage && promptTokens(usage),
    [names.output]: usage && completionTokens(usage),
    [names.cacheRead]: usage?.cache_read || undefined,
    [names.cacheWrite]: (usage && usage.cache_write_5m + usage.cache_write_1h) || undefined,
    [names.reasoning]: usage?.reasoning || undefined,
    [names.outputMessages]: content
      ? limited([{ role: 'assistant', parts: [textPart(content)], finish_reason: 'stop' }])
      : undefined,
  }
}
