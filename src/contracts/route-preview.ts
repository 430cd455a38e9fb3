/** A route preview: the channels that a call of a group and a model tries, in order, and why it tries no others. */
import { z } from 'zod'
import type { Cooldown } from './channel.ts'
import type { ServingStep } from './fallback-model.ts'
import type { PassedGroup } from './log.ts'
import { DEFAULT_GROUP } from './pricing.ts'

export const ROUTES_PATH = '/admin/routes'

const MODEL_MAX = 255

const INPUT_TOKENS_DIGITS_MAX = 9

export const RoutePreviewQuery = z.object({
  group: z
    .string()
    .trim()
    .optional()
    .transform(group => group || DEFAULT_GROUP),
  model: z.string('route.model_required').trim().min(1, 'route.model_required').max(MODEL_MAX, 'route.model_required'),
  /** Length of the prompt; absent for one that no channel is too small for. */
  input_tokens: z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{0,${INPUT_TOKENS_DIGITS_MAX}}$`), 'route.input_tokens_number')
    .optional()
    .transform(text => (text ? Number(text) : undefined)),
  /** Id of an API key: its groups and fallback models are shown, and its group counts. */
  key: z
    .string()
    .trim()
    .regex(/^\d{0,15}$/, 'route.key_number')
    .optional()
    .transform(text => (text ? Number(text) : undefined)),
})
export type RoutePreviewQuery = z.output<typeof RoutePreviewQuery>

/** Why a call does not try a channel. */
export type ObstacleCode =
  | 'disabled'
  | 'auto_disabled'
  | 'not_in_group'
  | 'not_listed'
  | 'shorter_prefix'
  | 'no_api'
  | 'prompt_too_long'
  | 'keys_disabled'
  | 'cooling'
  | 'limit_rpm'
  | 'limit_tpm'
  | 'limit_concurrency'
  | 'limit_maker'
  | 'budget'
  | 'budget_spent'
  | 'trial_running'

export interface Obstacle {
  code: ObstacleCode
  /** Of an automatic disabling or a cooldown: the upstream's words, or a message key. Of a budget its name. */
  reason?: string
  /** Until a cooldown, limit or budget ends. */
  seconds?: number
  scope?: Cooldown['scope']
  model?: string
  /** Unix seconds of an automatic disabling. */
  at?: number
  /** Input tokens that a channel takes; what its limit allows. */
  limit?: number
}

interface PreviewedChannel {
  id: number
  name: string
  /** Label of its provider. */
  label: string
  priority: number
  weight: number
}

/** A channel that a call may try. */
export interface PreviewStep extends PreviewedChannel {
  /** Probability of being the first of its tier, 0 to 1. */
  share: number
  /** Its keys that are enabled, of all. */
  good_keys: number
  keys: number
  /** What the upstream is asked for, and the format of that request. */
  upstream_model: string
  format: string
  /** Longer prompts go to other channels; 0 for no limit. */
  max_input_tokens: number
}

export interface PassedOver extends PreviewedChannel {
  obstacles: Obstacle[]
}

/** What clients usually ask of a model. */
export type PreviewedOperation =
  | 'chat'
  | 'embeddings'
  | 'rerank'
  | 'moderations'
  | 'image_generations'
  | 'speech'
  | 'transcriptions'
  | 'realtime'
  | 'drawing_imagine'
  | 'music'
  | 'videos'

export interface RoutePreview extends RoutePreviewQuery {
  operation: PreviewedOperation
  /** Channels of one priority; the highest comes first. */
  tiers: { priority: number; steps: PreviewStep[] }[]
  /** Attempts of one call. */
  attempts_max: number
  /** Id of the channel that is tried although it cools down; absent while another one takes calls. */
  trial?: number
  /** Channels nearest to being tried come first, `OTHERS_MAX` at most of `others_total`. */
  others: PassedOver[]
  others_total: number
  /** How many of them do not list the model. */
  unlisted_total: number
  /** Whether a channel of the group lists the model, enabled or not. */
  listed: boolean
  /** Names that are similar to an unlisted model's. */
  near: string[]
}

/** A group and a model that may serve the call, and why they would be passed over now; absent for none. */
export interface PreviewedFallback extends ServingStep {
  why?: PassedGroup['why']
}

/** With what is known of the price, and where the call goes on. */
export interface PricedRoutePreview extends RoutePreview {
  /** Calls of a model without a price are refused. */
  priced: boolean
  /** In the order in which they are tried, what is asked for first. */
  fallbacks: PreviewedFallback[]
}

export const OTHERS_MAX = 50
