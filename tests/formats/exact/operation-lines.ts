/** What the code makes of the bodies of operations beside chats, a line each, and of chats that pass. */
import type { ApiError } from '../../../src/formats/canonical/chat.ts'
import type { ClientFormat, PassedUpstream, ResponseFacts } from '../../../src/formats/format.ts'
import { batchEmbedContents, embedContent } from '../../../src/formats/gemini/embeddings.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { jimengVideos } from '../../../src/formats/jimeng-videos/index.ts'
import { isFlaw } from '../../../src/formats/json/checks.ts'
import { klingVideos } from '../../../src/formats/kling-videos/index.ts'
import { openAiCompletions } from '../../../src/formats/openai-completions/index.ts'
import { openAiEmbeddings } from '../../../src/formats/openai-embeddings/index.ts'
import { imageEdits, imageGenerations, imageVariations } from '../../../src/formats/openai-images/index.ts'
import { openAiModerations } from '../../../src/formats/openai-moderations/index.ts'
import { openAiSpeech } from '../../../src/formats/openai-speech/index.ts'
import { openAiTranscriptions } from '../../../src/formats/openai-transcriptions/index.ts'
import { openAiVideos, videoGenerations } from '../../../src/formats/openai-videos/index.ts'
import { rerank } from '../../../src/formats/rerank/index.ts'
import type { ModelSettings } from '../../../src/formats/translate/model-settings.ts'
import type { Json } from '../../../src/pure/json.ts'
import { clientBodies, each, linesOf } from './lines.ts'
import { operationBodies } from './operations.ts'

type Operation = ClientFormat & Partial<PassedUpstream>

const chats = formats.map(name => chatFormats[name])
const operations: Operation[] = [
  ...[openAiEmbeddings, openAiModerations, openAiSpeech, openAiTranscriptions, openAiCompletions, rerank],
  ...[imageGenerations, imageEdits, imageVariations, embedContent, batchEmbedContents],
  ...[openAiVideos, videoGenerations, klingVideos, jimengVideos],
]

const statuses = [400, 401, 402, 403, 404, 408, 413, 429, 500, 503, 504, 529]
const errorOf = (status: number): ApiError => ({
  status,
  message: 'M',
  type: '',
  code: 'c',
  param: 'p',
  request_id: 'r',
})

const thinking = { enabled: true, share: 0.5 }
const settings: ModelSettings = {
  claude: {
    thinking,
    max_tokens: { default: 5000, 'claude-opus-4-5': 6000 },
    headers: { m: { 'anthropic-beta': ['a', 'b'] } },
  },
  gemini: {
    thinking,
    budgeted: ['gemini-2.5-pro'],
    imagining: ['gemini-2.5-flash-nothinking'],
    safety: { default: 'OFF', C: 'LOW' },
    versions: { default: 'v1' },
  },
  requested_model: 'm',
  requested_output: undefined,
}
/** With suffixes that ask for thinking. */
const settingModels = [
  'o3-high',
  'claude-opus-4-5-thinking',
  'claude-opus-4-5',
  'gemini-2.5-pro-thinking',
  'gemini-2.5-flash-nothinking',
]

/** What is known before a call, and what is sent. */
function requestRead(format: Operation, body: Json) {
  const facts = format.readFacts(body)
  if (isFlaw(facts)) return facts
  return {
    facts,
    prompt: format.promptTokens(body),
    parts: format.promptParts?.(body),
    countable: format.countablePrompt?.(body, 'gpt-4o'),
    text: format.promptText(body),
    sent: format.forward?.(body, { model: 'sent', stream_usage: true, system_prompt: '' }),
    instructed: format.forward?.(body, {
      model: 'sent',
      stream_usage: false,
      system_prompt: 'Op.',
      replace_system: true,
    }),
    added: format.forward?.(body, { model: 'sent', stream_usage: 'wanted', system_prompt: 'Op.' }),
    limited: format.limitOutput?.(body, 40, 'o3'),
    adapted: settingModels.map(model => format.applyModelSettings?.({ model, body }, settings)),
    converted: format.conversion?.convertRequest(body, 'gemini'),
    foreign: format.conversion?.convertRequest(body),
  }
}

const factsOf = (format: Operation, body: Json) => {
  const facts = format.readFacts(body)
  return isFlaw(facts) ? facts : { facts, prompt: format.promptTokens(body) }
}

/** By the first request of the operation. */
function billed(format: Operation, request: Json, facts: ResponseFacts | undefined) {
  if (!facts || !format.meter) return facts ?? 'none'
  const { usage_report, id, output_estimate, thinking_estimate, reported_output, countable_output, text, model } = facts
  const read = { usage_report, output_estimate, thinking_estimate, reported_output }
  return {
    facts: { ...read, id, countable_output, text, model },
    by_token: format.meter(read, { request }),
    by_call: format.meter(read, { request, by_call: true }),
  }
}

function streamRead(format: Operation, body: unknown) {
  const reader = format.streamReader!({ keep_text: true, choices: 2 })
  const kinds = (body as unknown[]).map(event => reader.read(typeof event === 'string' ? event : JSON.stringify(event)))
  const { finished, error } = reader
  const usage = format.meter!(reader, {}).usage
  const end = error ? '' : reader.end({ usage, by: 'gateway', doubts: [] } as never, true)
  return { kinds, finished, error, billed: billed(format, {}, reader), end }
}

function linesOfOperation(format: Operation): string[] {
  const { requests, responses = {}, streams = {} } = operationBodies[format.name]!
  return [
    ...each(requests, (title, body) =>
      linesOf(`request ${title}`, body, read => requestRead(format, read as Json), true),
    ),
    ...each(responses, function* (title, body) {
      if (format.conversion)
        yield* linesOf(`response ${title}`, body, read => format.conversion!.convertResponse(read as Json))
      for (const [of, request] of Object.entries(requests))
        if (format.responseFacts && !isFlaw(format.readFacts(request)))
          yield `response ${title} of ${of}: ${JSON.stringify(billed(format, request, format.responseFacts(body)))}`
      const [request] = Object.values(requests)
      if (format.responseFacts)
        yield* linesOf(`response ${title}`, body, read => billed(format, request!, format.responseFacts!(read)))
    }),
    ...each(streams, (title, body) => linesOf(`stream ${title}`, body, read => streamRead(format, read))),
    ...statuses.map(status => {
      const frame = format.writeErrorFrame(errorOf(status), { id: 'call_1', model: 'm', created: 5 })
      return `error ${status}: ${JSON.stringify(frame)} ${JSON.stringify(format.readError?.({ message: 'M' }, status))}`
    }),
  ]
}

/** Chats between two of one format: facts, what is sent, and the bill, without the fields one by one. */
const linesOfChat = (format: Operation & PassedUpstream): string[] => {
  const { requests, responses, streams, asked } = clientBodies[format.name as keyof typeof clientBodies]
  return [
    ...each(requests, function* (title, body) {
      const whole = { ...body, ...asked }
      yield `request ${title} whole: ${JSON.stringify(requestRead(format, whole))}`
      yield* linesOf(`request ${title}`, whole, read => factsOf(format, read as Json), true)
    }),
    ...each(responses, function* (title, body) {
      yield `response ${title}: ${JSON.stringify(billed(format, {}, format.responseFacts(body)))}`
    }),
    ...each(streams, function* (title, body) {
      yield `stream ${title}: ${JSON.stringify(streamRead(format, body))}`
    }),
    ...each(responses, function* (title, body) {
      if (format.toStream) yield `response ${title} as a stream: ${JSON.stringify(format.toStream(body as Json))}`
    }),
  ]
}

export const operationLists: Record<string, () => string[]> = Object.fromEntries([
  ...operations.map(format => [`${format.name} operation`, () => linesOfOperation(format)] as const),
  ...chats.map(format => [`${format.name} passed`, () => linesOfChat(format)] as const),
])
