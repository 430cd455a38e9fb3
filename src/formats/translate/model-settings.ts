/** What names and settings ask for, put into a request on its way to an upstream of one format. */
import type { Json } from '../../pure/json.ts'

/** A request as it leaves. */
export interface OutgoingRequest {
  /** The upstream's name for the model; some formats have it in the address, not in the body. */
  model: string
  body: Json
  headers?: Record<string, string>
  /** Of the API, where a setting names one. */
  version?: string
}

/** What the operator has set, and what the caller said that no longer shows in the body. */
export interface ModelSettings {
  readonly claude: ClaudeSettings
  readonly gemini: GeminiSettings
  /** The model by the caller's name. */
  readonly requested_model: string
  /** Output tokens that the caller allows. */
  readonly requested_output: number | undefined
}

/** Thinking that a model's name asks for. */
export interface ThinkingSettings {
  enabled: boolean
  /** Of the output tokens that are allowed, how many may be thoughts. */
  share: number
}

export interface ClaudeSettings {
  thinking: ThinkingSettings
  /** Output tokens by model, for callers who name no limit; `default` for all others. */
  max_tokens: Record<string, number>
  headers: Record<string, Record<string, string[]>>
}

export interface GeminiSettings {
  thinking: ThinkingSettings
  /** Models that take a number of tokens to think with; of others only the thoughts are asked for. */
  budgeted: readonly string[]
  /** Thresholds by category; `default` for all others. */
  safety: Record<string, string>
  /** Versions of the API by model; `default` for all others. */
  versions: Record<string, string>
  /** Models that draw when they are asked to. */
  imagining: readonly string[]
}

/** @returns the very same where there is nothing to do. */
export type ApplyModelSettings = (out: OutgoingRequest, settings: ModelSettings) => OutgoingRequest
