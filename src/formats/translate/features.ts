/** Features of a request that not every format has: how each is left out, or found when it must not be. */
import type { MessageKey } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { traitsOf } from '../../models/traits.ts'
import type { ChatMessage, ChatRequest, Part, Sampling, Source, ToolChoice, ToolResult } from '../canonical/chat.ts'
import type { TranslatedUpstream } from '../format.ts'
import { plainText } from '../media/plain-text.ts'

type Drop = (request: ChatRequest) => ChatRequest

/** Features that are left out: the request still asks for the same, less exactly. */
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

type Target = Pick<TranslatedUpstream, 'name' | 'limits'>

export interface UnsupportedRule {
  code: MessageKey
  params?: MessageParams
  /** The field that every client's format has under this name. */
  param?: string
  has(request: ChatRequest, target: Target): boolean
}

/** OpenAI accepts no more. https://github.com/zed-industries/zed/issues/42393 (read 2026-11) */
const TOOLS_MAX = 128

/** Features that are refused: without them the request would ask for something else. */
export const refusals = {
  audio: { code: 'format.no_audio', has: somePart(part => part.kind === 'audio') },
  video: { code: 'format.no_video', has: somePart(part => mediaTypeOf(part).startsWith('video/')) },
  image: { code: 'format.no_image', has: somePart(part => part.kind === 'image') },
  image_url: { code: 'format.no_image_url', has: somePart(part => part.kind === 'image' && part.source.via === 'url') },
  file_url: { code: 'format.no_file_url', has: (request, target) => partsOf(request).some(hasFileUrl(target)) },
  file: {
    code: 'format.no_file',
    has: somePart(part => part.kind === 'file' && plainText(part.source) === undefined),
  },
  tools: { code: 'format.no_tools', has: needsTools },
  functions: { code: 'format.no_tools', has: mayCall },
  choices: { code: 'format.no_choices', has: ({ choices = 1 }) => choices > 1 },
  streamed_choices: { code: 'format.no_choices', has: ({ choices = 1, stream }) => stream && choices > 1 },
  stored_conversation: { code: 'format.no_stored_conversation', has: hasStoredConversation },
  many_tools: {
    ...{ code: 'format.too_many_tools', params: { limit: TOOLS_MAX }, param: 'tools' },
    has: ({ tools, model }) => tools.length > TOOLS_MAX && traitsOf(model, 'openai').is_own,
  },
} satisfies Record<string, UnsupportedRule>

export type UnsupportedFeature = keyof typeof refusals

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

/** @returns the request with every part changed, including those in tool results */
export function withParts(request: ChatRequest, change: (part: Part) => Part): ChatRequest {
  const deep = (part: Part): Part => {
    const changed = change(part)
    if (changed.kind !== 'tool_result') return changed
    return { ...changed, parts: changed.parts.map(part => change(part)) as ToolResult['parts'] }
  }
  return { ...request, messages: request.messages.map(message => ({ ...message, parts: message.parts.map(deep) })) }
}

/** @returns every part, including those in tool results */
export const partsOf = ({ messages }: Pick<ChatRequest, 'messages'>): Part[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part): Part[] => (part.kind === 'tool_result' ? [part, ...part.parts] : [part])),
  )

function somePart(test: (part: Part) => boolean): (request: ChatRequest) => boolean {
  return request => partsOf(request).some(test)
}

/** Finds a file with a URL, which the target does not fetch. */
export const hasFileUrl =
  ({ limits }: Pick<Target, 'limits'>) =>
  (part: Part): boolean =>
    part.kind === 'file' && part.source.via === 'url' && !(limits.video_urls && mediaTypeOf(part).startsWith('video/'))

export const sourceIn = (part: Part): Source | undefined => ('source' in part ? part.source : undefined)

function mediaTypeOf(part: Part): string {
  const source = sourceIn(part)
  return (source && 'media_type' in source && source.media_type) || ''
}

/** Functions that may be called, or have been. Tools that a provider runs itself can be left out. */
function needsTools(request: ChatRequest): boolean {
  return mayCall(request) || partsOf(request).some(({ kind }) => kind === 'tool_call' || kind === 'tool_result')
}

/** Functions that may be called; earlier calls and their results can be texts. */
function mayCall({ tools, tool_choice }: ChatRequest): boolean {
  return tool_choice?.kind !== 'none' && tools.some(({ kind }) => kind === 'function')
}

/** Finds messages that only another provider stores. */
function hasStoredConversation(request: ChatRequest, { name }: Target): boolean {
  const { stored_by = name } = request
  return (
    stored_by !== name ||
    partsOf(request).some(part => part.kind === 'native' && part.is_stored && part.format !== name)
  )
}

/** @returns the request without the tools that may not be used, for formats without a list of allowed tools */
export function onlyAllowedTools(request: ChatRequest): ChatRequest {
  const choice = request.tool_choice
  if (choice?.kind !== 'allowed') return request
  const tools = request.tools.filter(tool => tool.kind === 'hosted' || choice.names.includes(tool.name))
  const choiceLeft: ToolChoice = { kind: choice.required ? 'required' : 'auto' }
  return { ...request, tools, tool_choice: choiceLeft }
}

/** @returns the request with media that the model generated in the next user message: assistant messages have no place for them */
export function withOwnMediaShown(request: ChatRequest): ChatRequest {
  const messages: ChatMessage[] = []
  let generated: Part[] = []
  for (const message of request.messages) {
    const isMedia = (part: Part) => message.role === 'assistant' && 'source' in part
    const [media, others] = [message.parts.filter(isMedia), message.parts.filter(part => !isMedia(part))]
    if (message.role === 'user' && generated.length) {
      const parts = [...others.filter(isResult), ...generated, ...others.filter(part => !isResult(part))]
      messages.push({ ...message, parts })
      generated = []
    } else if (others.length || !media.length) messages.push({ ...message, parts: others })
    generated.push(...media)
  }
  if (generated.length) messages.push({ role: 'user', parts: generated })
  return { ...request, messages }
}

const isResult = ({ kind }: Part) => kind === 'tool_result'
