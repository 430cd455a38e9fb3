/**
 * The canonical form: requests, responses and streams of chats, in the vocabulary that all formats share. An absent
 * field was absent in the body; nothing here has a default.
 */
import type { Usage } from '../../billing/usage.ts'
import type { Reasoning } from '../../models/effort.ts'
import type { Json } from '../../pure/json.ts'
import type { Modality } from './modalities.ts'
import type { Overflow } from './overflow.ts'
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
export { type FunctionTool, type HostedOffer, type HostedTool, hostedName, type Tool, type ToolChoice } from './tool.ts'

/** Fields of one format that the others do not have, by format. */
export type Extra = Partial<Record<FormatName, Json>>

export interface ChatRequest {
  model: string
  stream: boolean
  /** The client wants a stream to end with its usage; only clients of OpenAI chat can choose. */
  wants_usage: boolean
  /** Instructions before the conversation. */
  system: TextPart[]
  messages: ChatMessage[]
  tools: Tool[]
  tool_choice?: ToolChoice
  /** `false` for one tool call at a time. */
  parallel_tools?: boolean
  max_output?: number
  /** Choices that the client asks for. */
  choices?: number
  sampling: Sampling
  stop: string[]
  /** Alternatives for each token of the output; 0 for the chosen token alone. */
  logprobs?: number
  reasoning?: Reasoning
  output?: OutputFormat
  verbosity?: string
  /** Kinds of content of the response; text by default. */
  modalities?: Modality[]
  /** The client's own user, for the provider's abuse checks. */
  user?: string
  /** The format of the provider that stores earlier messages of the conversation. */
  stored_by?: FormatName
  /** Id of a conversation that the app of an upstream keeps: only the last message is new to it. */
  conversation?: string
  extra: Extra
}

/** `system` is an instruction in the middle of a conversation. Tool results stand in messages of the user. */
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
  /** Id under which the upstream keeps the conversation. */
  conversation?: string
  choices: ChatChoice[]
  usage?: Usage
  /** Figures of the reported usage that cannot be true. */
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
  /** The upstream's own word for the reason. */
  native?: { format: FormatName; value: string }
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

/** Parts are numbered within their choice in the order in which they open. Several may be open at once. */
export type StreamEvent =
  | { kind: 'start'; id: string; model: string; created?: number; conversation?: string; usage?: Usage }
  /** Opens a part, without what deltas add to it. `replaces`: a whole response has it in place of the texts before. */
  | { kind: 'open'; choice: number; part: number; opening: ResponsePart; replaces?: true }
  | { kind: 'delta'; choice: number; part: number; delta: Delta }
  | { kind: 'close'; choice: number; part: number }
  | { kind: 'logprobs'; choice: number; tokens: TokenLogprob[] }
  | { kind: 'finish'; choice: number; finish: Finish }
  /** Replaces the usage reported before. */
  | { kind: 'usage'; usage: Usage; doubts: string[] }
  | { kind: 'error'; failure: ApiError; frame?: FailureFrame }
  /** The response is complete. */
  | { kind: 'end' }

/** An event that is a failure in the words of its own format, so that clients of that format know it as it is. */
export interface FailureFrame {
  /** What the upstream says of the failure; the rest of the event repeats the response. */
  words: Json
  /** Whether the stream ends with it; else more of the failure follows. */
  is_last: boolean
}

/** Content added to an open part. */
export type Delta =
  | { text: string }
  | { arguments: string }
  | { signature: Signature }
  | { citation: Citation }
  | { audio: string }
  | { transcript: string }

/** An error of an upstream or of the gateway. Its kind is the HTTP status, which every format shares. */
export interface ApiError {
  status: number
  message: string
  type: string
  code: string
  param: string | null
  /** The prompt is longer than the model's context. */
  overflow?: Overflow
  /** Milliseconds after which a repetition may succeed. */
  retry_after_ms?: number
  /** Limit that was reached, as Google's errors name it. */
  quota_details?: Json[]
  /** Id of the call; it follows the message. */
  request_id?: string
  /** What Anthropic's clients read beside the type. */
  details?: Json
}
