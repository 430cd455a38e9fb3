/** Model name suffixes and the operator's model settings, applied to a request of one format. */
import type { Json } from '../../pure/json.ts'

/** A request to an upstream. */
export interface OutgoingRequest {
  /** The upstream's name for the model; some formats have it in the URL, not in the body. */
  model: string
  body: Json
  headers?: Record<string, string>
  /** API version, if a setting names one. */
  version?: string
}

/** The operator's settings, and fields of the client's request that the translated body no longer shows. */
export interface ModelSettings {
  readonly claude: ClaudeSettings
  readonly gemini: GeminiSettings
  /** The client's name for the model. */
  readonly requested_model: string
  /** Output tokens that the client allows. */
  readonly requested_output: number | undefined
}

/** Thinking that a suffix of the model name asks for. */
export interface ThinkingSettings {
  enabled: boolean
  /** Part of the allowed output tokens that may be thoughts, 0 to 1. */
  share: number
}

export interface ClaudeSettings {
  thinking: ThinkingSettings
  /** Output tokens by model, for requests without a limit; `default` for all others, where the operator sets one. */
  max_tokens: Partial<Record<string, number>>
  headers: Record<string, Record<string, string[]>>
}

export interface GeminiSettings {
  thinking: ThinkingSettings
  /** Models that accept a thinking budget; other models are only asked to show their thoughts. */
  budgeted: readonly string[]
  /** Thresholds by category; `default` for all others. */
  safety: Record<string, string>
  /** API versions by model; `default` for all others. */
  versions: Record<string, string>
  /** Models that can generate images. */
  imagining: readonly string[]
}

/** @returns the same object when nothing changes */
export type ApplyModelSettings = (out: OutgoingRequest, settings: ModelSettings) => OutgoingRequest
