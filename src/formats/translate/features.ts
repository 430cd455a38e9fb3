/** What a request can say that not every format can: how it is left out, and how it is found where it cannot be. */
import type { MessageKey } from '../../locales/index.ts'
import type { Json } from '../../pure/json.ts'
import {
  type ChatMessage,
  type ChatRequest,
  type FormatName,
  formats,
  type Part,
  type Sampling,
  type Source,
  type ToolChoice,
  type ToolResult,
} from '../canonical/chat.ts'

type Drop = (request: ChatRequest) => ChatRequest

/** Left out, the request still asks for the same, less exactly. */
export const drops = {
  top_k: withoutSampling('top_k'),
  seed: withoutSampling('seed'),
  penalties: withoutSampling('presence_penalty', 'frequency_penalty'),
  logit_bias: withoutSampling('logit_bias'),
  logprobs: request => ({ ...request, logprobs: undefined }),
  modalities: request => ({ ...request, modalities: undefined }),
  verbosity: request => ({ ...request, verbosity: undefined }),
  user: request => ({ ...request, user: undefined }),
  parallel_tools: request => ({ ...request, parallel_tools: undefined }),
  names: request => ({ ...request, messages: request.messages.map(({ role, parts }) => ({ role, parts })) }),
  cache_marks: request => ({
    ...withParts(request, part => ({ ...part, cache: undefined })),
    system: request.system.map(text => ({ ...text, cache: undefined })),
    tools: request.tools.map(tool => ({ ...tool, cache: undefined })),
  }),
  image_detail: onParts(part => (part.kind === 'image' ? { ...part, detail: undefined } : part)),
  citation_wish: onParts(part => (part.kind === 'file' ? { ...part, citations: undefined } : part)),
  error_mark: onParts(part => (part.kind === 'tool_result' ? { ...part, is_error: undefined } : part)),
  old_citations: onParts(part => (part.kind === 'text' ? { ...part, citations: undefined } : part)),
} satisfies Record<string, Drop>

export type Droppable = keyof typeof drops

interface Refusal {
  code: MessageKey
  has(request: ChatRequest, target: FormatName): boolean
}

/** Left out, the request would ask for something else: it is refused instead. */
export const refusals = {
  audio: { code: 'format.no_audio', has: somePart(part => part.kind === 'audio') },
  video: { code: 'format.no_video', has: somePart(part => mediaTypeOf(part).startsWith('video/')) },
  image_url: { code: 'format.no_image_url', has: somePart(part => part.kind === 'image' && part.source.via === 'url') },
  file_url: { code: 'format.no_file_url', has: (request, target) => partsOf(request).some(isFileElsewhere(target)) },
  choices: { code: 'format.no_choices', has: ({ choices = 1 }) => choices > 1 },
  streamed_choices: { code: 'format.no_choices', has: ({ choices = 1, stream }) => stream && choices > 1 },
  stored_turns: { code: 'format.no_stored_turns', has: hasStoredTurns },
} satisfies Record<string, Refusal>

export type Unsupported = keyof typeof refusals

function withoutSampling(...names: (keyof Sampling)[]): Drop {
  return request => {
    const sampling = { ...request.sampling }
    for (const name of names) delete sampling[name]
    return { ...request, sampling }
  }
}

function onParts(change: (part: Part) => Part): Drop {
  return request => withParts(request, change)
}

/** The request with every part changed, those in tool results too. */
export function withParts(request: ChatRequest, change: (part: Part) => Part): ChatRequest {
  const deep = (part: Part): Part => {
    const changed = change(part)
    if (changed.kind !== 'tool_result') return changed
    return { ...changed, parts: changed.parts.map(part => change(part)) as ToolResult['parts'] }
  }
  return { ...request, messages: request.messages.map(turn => ({ ...turn, parts: turn.parts.map(deep) })) }
}

/** Every part, those in tool results too. */
export const partsOf = ({ messages }: Pick<ChatRequest, 'messages'>): Part[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part): Part[] => (part.kind === 'tool_result' ? [part, ...part.parts] : [part])),
  )

function somePart(test: (part: Part) => boolean): (request: ChatRequest) => boolean {
  return request => partsOf(request).some(test)
}

/** A file at an address that is not fetched; videos are told by theirs where OpenAI's chats are spoken. */
export const isFileElsewhere =
  (target: FormatName) =>
  (part: Part): boolean =>
    part.kind === 'file' &&
    part.source.via === 'url' &&
    !(target === 'openai-chat' && mediaTypeOf(part).startsWith('video/'))

export const sourceIn = (part: Part): Source | undefined => ('source' in part ? part.source : undefined)

function mediaTypeOf(part: Part): string {
  const source = sourceIn(part)
  return (source && 'media_type' in source && source.media_type) || ''
}

/** What another provider was to remember from before: nobody else knows it. */
function hasStoredTurns({ extra, messages }: ChatRequest, target: FormatName): boolean {
  const { previous_response_id, conversation, background, prompt } = extra['openai-responses'] ?? {}
  const stored: Partial<Record<FormatName, unknown>> = {
    'openai-responses': previous_response_id || conversation || background || prompt,
    gemini: extra.gemini?.cachedContent,
  }
  const isForeign = (format: FormatName) => format !== target
  return (
    formats.some(format => stored[format] && isForeign(format)) ||
    partsOf({ messages }).some(part => part.kind === 'native' && isForeign(part.format) && isReference(part.value))
  )
}

/** An item, or something that was said aloud, by the name under which OpenAI keeps it. */
const isReference = ({ type, audio }: Json): boolean => type === 'item_reference' || audio !== undefined

/** Only the tools that may be used, where a format cannot say which. */
export function onlyAllowedTools(request: ChatRequest): ChatRequest {
  const choice = request.tool_choice
  if (choice?.kind !== 'allowed') return request
  const tools = request.tools.filter(tool => tool.kind === 'hosted' || choice.names.includes(tool.name))
  const left: ToolChoice = { kind: choice.required ? 'required' : 'auto' }
  return { ...request, tools, tool_choice: left }
}

/** Pictures and the like that the model itself has made, shown to it by the user: there is no other place for them. */
export function withOwnMediaShown(request: ChatRequest): ChatRequest {
  const messages: ChatMessage[] = []
  let made: Part[] = []
  for (const turn of request.messages) {
    const isMedia = (part: Part) => turn.role === 'assistant' && 'source' in part
    const [media, others] = [turn.parts.filter(isMedia), turn.parts.filter(part => !isMedia(part))]
    if (turn.role === 'user' && made.length) {
      messages.push({
        ...turn,
        parts: [...others.filter(isResult), ...made, ...others.filter(part => !isResult(part))],
      })
      made = []
    } else if (others.length || !media.length) messages.push({ ...turn, parts: others })
    made.push(...media)
  }
  if (made.length) messages.push({ role: 'user', parts: made })
  return { ...request, messages }
}

const isResult = ({ kind }: Part) => kind === 'tool_result'
