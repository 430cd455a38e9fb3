/**
 * Bodies of POST /v1/chat/completions as far as they are written here, with the fields of compatible servers.
 * https://platform.openai.com/docs/api-reference/chat and
 * https://openrouter.ai/docs/guides/best-practices/reasoning-tokens (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { SearchScope } from '../canonical/search-scope.ts'

export type OpenAiChatBody = {
  model: string
  messages: OpenAiMessage[]
  stream?: boolean
  stream_options?: { include_usage: true }
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  top_p?: number
  top_k?: number
  seed?: number
  presence_penalty?: number
  frequency_penalty?: number
  logit_bias?: Json
  stop?: string[]
  n?: number
  logprobs?: true
  top_logprobs?: number
  tools?: OpenAiTool[]
  tool_choice?: OpenAiToolChoice
  parallel_tool_calls?: boolean
  web_search_options?: OpenAiSearch
  reasoning_effort?: string
  response_format?: OpenAiOutput
  verbosity?: string
  modalities?: string[]
  audio?: unknown
  user?: string
}

export type OpenAiMessage = {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  content: string | OpenAiPart[] | null
  name?: string
  refusal?: string
  reasoning_content?: string
  reasoning_details?: ReasoningDetail[]
  /** A recording of an earlier response. */
  audio?: Json
  tool_calls?: OpenAiCall[]
  tool_call_id?: string
}

export type OpenAiPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }
  | OpenAiRecording
  | { type: 'video_url'; video_url: { url?: string } }
  | { type: 'file'; file: OpenAiFile }

/** Of both of OpenAI's chat formats. */
export type OpenAiRecording = { type: 'input_audio'; input_audio: { data: string; format: string } }

/** Of both of OpenAI's chat formats. */
export type OpenAiFile = { file_id: string } | { filename: string; file_data?: string }

export type OpenAiCall = OpenAiFunctionCall | { id: string; type: 'custom'; custom: { name: string; input: string } }

export type OpenAiFunctionCall = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  /** Of Google's compatible API. https://ai.google.dev/gemini-api/docs/openai (read 2026-11) */
  extra_content?: { google: { thought_signature: string } }
}

export type OpenAiTool = {
  type: 'function'
  function: { name: string; description?: string; parameters?: Json; strict?: true }
}

export type OpenAiToolChoice = string | OpenAiNamedTool | OpenAiAllowedTools
export type OpenAiNamedTool = { type: 'function'; function: { name: string } }
type OpenAiAllowedTools = {
  type: 'allowed_tools'
  allowed_tools: { mode: 'required' | 'auto'; tools: OpenAiNamedTool[] }
}

export type OpenAiSearch = {
  search_context_size?: string
  user_location?: { type: 'approximate'; approximate: NonNullable<SearchScope['place']> }
}

export type OpenAiOutput =
  | { type: 'text' | 'json_object' }
  | { type: 'json_schema'; json_schema: { name: string; description?: string; schema: Json; strict?: true } }

export type ReasoningDetail = { id?: string; format?: string; index: number } & (
  | { type: 'reasoning.summary'; summary: string }
  | { type: 'reasoning.text'; text: string; signature?: string }
  | { type: 'reasoning.encrypted'; data: string }
)

export type OpenAiChatResponse = {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: OpenAiChoice[]
  usage?: OpenAiUsage
}

export type OpenAiChoice = {
  index: number
  message: OpenAiAnswer
  logprobs: OpenAiLogprobs | null
  finish_reason: string
}

export type OpenAiAnswer = {
  role: 'assistant'
  content: string | null
  refusal: string | null
  reasoning_content?: string
  reasoning_details?: ReasoningDetail[]
  annotations?: OpenAiAnnotation[]
  audio?: OpenAiAudio
  images?: OpenAiImage[]
  tool_calls?: OpenAiCall[]
}

export type OpenAiAudio = { id: string; data: string; transcript: string; expires_at: number }
export type OpenAiImage = { type: 'image_url'; image_url: { url: string } }

export type OpenAiAnnotation = {
  type: 'url_citation'
  url_citation: { start_index: number; end_index: number; url: string; title: string }
}

export type OpenAiLogprobs = { content: OpenAiLogprob[]; refusal: null }
export type OpenAiLogprob = OpenAiAlternative & { top_logprobs: OpenAiAlternative[] }
export type OpenAiAlternative = { token: string; logprob: number; bytes: number[] | null }

export type OpenAiUsage = {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?: {
    cached_tokens: number
    audio_tokens: number
    cache_write_tokens?: number
    image_tokens?: number
  }
  completion_tokens_details?: { reasoning_tokens: number; audio_tokens: number; image_tokens?: number }
}

export type OpenAiErrorBody = {
  error: { message: string; type: string; param: string | null; code: string | null }
}

/** What the chunks of a stream repeat. */
export type OpenAiChunkHead = { id: string; object: 'chat.completion.chunk'; created: number; model: string }

/** The last chunk, which has nothing but the usage. */
export type OpenAiUsageChunk = OpenAiChunkHead & { choices: []; usage: OpenAiUsage }

export type OpenAiDelta = {
  role?: 'assistant'
  content?: string
  refusal?: string
  reasoning_content?: string
  reasoning_details?: ReasoningDetail[]
  annotations?: OpenAiAnnotation[]
  audio?: Partial<OpenAiAudio>
  images?: OpenAiImage[]
  tool_calls?: OpenAiCallDelta[]
}

export type OpenAiCallDelta = {
  index: number
  id?: string
  type?: OpenAiCall['type']
  function?: { name?: string; arguments: string }
  custom?: { name?: string; input: string }
  extra_content?: OpenAiFunctionCall['extra_content']
}
