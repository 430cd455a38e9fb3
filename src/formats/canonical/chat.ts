/**
 * The vocabulary between formats: what a request, an answer and a stream can mean, whoever says it and however. A field
 * that is absent was not said; nothing here has a default.
 */
import type { Usage } from '../../billing/usage.ts'
import type { Reasoning } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import type { Modality } from './modalities.ts'
import type {
  AudioPart,
  Citation,
  FormatName,
  ImagePart,
  NativePart,
  Part,
  RefusalPart,
  Signature,
  TextPart,
  ThinkingPart,
  ToolCall,
} from './parts.ts'
import type { Tool, ToolChoice } from './tool.ts'

export { type Usage, usageOf } from '../../billing/usage.ts'
export type { Reasoning } from '../../models/effort.ts'
export * from './parts.ts'
export type { FunctionTool, HostedTool, Tool, ToolChoice } from './tool.ts'

/** What only one format knows, under that format's own field names. */
export type Extra = Partial<Record<FormatName, Json>>

export interface ChatRequest {
  model: string
  stream: boolean
  /** Whether the caller wants a stream to end with its usage; only OpenAI chat leaves the choice. */
  wants_usage: boolean
  /** What stands before the conversation. */
  system: TextPart[]
  messages: ChatMessage[]
  tools: Tool[]
  tool_choice?: ToolChoice
  /** `false`: one call at a time. */
  parallel_tools?: boolean
  max_output?: number
  /** How many answers are asked for. */
  choices?: number
  sampling: Sampling
  stop: string[]
  /** How many alternatives each token is told with; 0 for the chosen one alone. */
  logprobs?: number
  reasoning?: Reasoning
  output?: OutputFormat
  verbosity?: string
  /** What the answer is to be made of; words where it is not said. */
  modalities?: Modality[]
  /** Names the caller's own user, for the provider's abuse checks. */
  user?: string
  /** The format of the provider that stores earlier messages of the conversation. */
  stored_by?: FormatName
  extra: Extra
}

/** `system` is an instruction in the middle of a conversation. Tool results stand in a user's turn. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  parts: Part[]
  name?: string
}

export interface Sampling {
  temperature?: number
  top_p?: number
  top_k?: number
  seed?: number
  presence_penalty?: number
  frequency_penalty?: number
  logit_bias?: Json
}

export type OutputFormat =
  | { kind: 'text' }
  | { kind: 'json' }
  | { kind: 'schema'; schema: Json; name?: string; description?: string; strict?: boolean }

export interface ChatResponse {
  id: string
  model: string
  /** Unix seconds. */
  created?: number
  choices: ChatChoice[]
  usage?: Usage
  /** What in the report of the usage could not be believed. */
  doubts: string[]
}

export interface ChatChoice {
  parts: ResponsePart[]
  finish: Finish
  logprobs?: TokenLogprob[]
}

export type ResponsePart = TextPart | ThinkingPart | ToolCall | RefusalPart | ImagePart | AudioPart | NativePart

export interface Finish {
  reason: FinishReason
  /** The stop sequence that was met. */
  sequence?: string
  /** The reason in the words of the format that it came in, which may have more of them. */
  native?: { format: FormatName; word: string }
}

export const finishReasons = [
  'stop',
  'stop_sequence',
  'length',
  'context_full',
  'tool_calls',
  'filter',
  'refusal',
  'pause',
  'broken_call',
] as const
export type FinishReason = (typeof finishReasons)[number]

export interface TokenLogprob extends Alternative {
  alternatives: Alternative[]
}

export interface Alternative {
  token: string
  logprob: number
  bytes?: number[] | null
}

/** Parts are numbered within their choice in the order in which they open; several may be open at once. */
export type StreamEvent =
  | { kind: 'start'; id: string; model: string; created?: number; usage?: Usage }
  /** A part as it begins: nothing is in it that a delta can add. */
  | { kind: 'open'; choice: number; part: number; opening: ResponsePart }
  | { kind: 'delta'; choice: number; part: number; delta: Delta }
  | { kind: 'close'; choice: number; part: number }
  | { kind: 'logprobs'; choice: number; tokens: TokenLogprob[] }
  | { kind: 'finish'; choice: number; finish: Finish }
  /** Replaces what was told before. */
  | { kind: 'usage'; usage: Usage; doubts: string[] }
  | { kind: 'error'; failure: ApiError }
  /** The answer is complete. */
  | { kind: 'end' }

/** What is added to an open part: to its text, its arguments, its sound. */
export type Delta =
  | { text: string }
  | { arguments: string }
  | { signature: Signature }
  | { citation: Citation }
  | { audio: string }
  | { transcript: string }

/** Why there is no answer. The status says what kind of failure it is, in words that every format shares. */
export interface ApiError {
  status: number
  message: string
  type: string
  code: string
  param: string | null
}
