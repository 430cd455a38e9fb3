/** A channel as calls read it: its row parsed, its keys unsealed. */

import type { LimitSetting, ModelLimits } from '../../contracts/channel-limits.ts'
import { commaList } from '../../pure/lists.ts'
import type { ChannelRow } from '../channels/table.ts'

export interface RoutedChannel {
  id: number
  name: string
  type: number
  status: number
  /** Empty means the provider's default. */
  base_url: string
  /** Refuses private addresses that root has not opened. */
  guarded: boolean
  keys: string[]
  /** The keys that are not disabled. */
  good_keys: string[]
  models: string[]
  groups: string[]
  model_prefix: string
  model_mapping: Record<string, string>
  status_code_mapping: Record<string, string>
  param_override: Record<string, unknown>
  setting: ChannelSetting
  system_prompt: string
  openai_organization: string
  other: string
  test_model: string
  priority: number
  weight: number
  auto_ban: boolean
  max_input_tokens: number
  /** JSON text: reason and time of the last disabling. */
  other_info: string
}

/** JSON of the column `setting`; unknown keys are stored and ignored. */
export interface ChannelSetting extends Partial<Record<LimitSetting, number>> {
  /** Of each key, by the name of the model at the upstream. */
  model_limits?: ModelLimits
  force_format?: boolean
  proxy?: string
  thinking_to_content?: boolean
  stream_support?: string
  pass_through_body?: boolean
  /** The upstream is aborted when the client leaves: it charges for what it has sent alone. */
  cancel_on_leave?: boolean
  /** `false`: prompts of clients that expect caching by itself are not marked for Anthropic's cache. */
  auto_cache?: boolean
  system_prompt?: string
  /** The channel's system prompt replaces the client's instead of preceding it. */
  system_prompt_override?: boolean
  /** Request fields that pass although they choose a model, route or tariff without a price: billed at the plain price. */
  allowed_fields?: string[]
  /** Midjourney: the mode of the path goes on to the upstream, which charges by it. */
  mj_keep_mode?: boolean
  /** Midjourney: the upstream pushes states, or does not, whatever `MjNotifyEnabled` says. */
  mj_notify?: boolean
  /** Ids of stored objects that no call here has made pass to this channel. */
  allow_unknown_ids?: boolean
}

/** A row with its JSON parsed and these keys, all enabled. */
export function routedOf(row: Omit<ChannelRow, 'key_sealed'>, keys: string[]): RoutedChannel {
  return {
    ...row,
    keys,
    good_keys: keys,
    models: commaList(row.models),
    groups: commaList(row.group),
    model_mapping: objectOf(row.model_mapping),
    status_code_mapping: objectOf(row.status_code_mapping),
    param_override: objectOf(row.param_override),
    setting: objectOf(row.setting),
    auto_ban: row.auto_ban === 1,
  }
}

/** @throws SyntaxError or TypeError for text that is no JSON object */
function objectOf(text: string) {
  const value = text ? JSON.parse(text) : {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not a JSON object')
  return value
}

/**
 * The provider's name for a requested model: the channel's prefix is removed, then the mapping is followed to its end.
 * A cycle in the mapping ends where it began.
 */
export function upstreamModel({ model_mapping, model_prefix }: RoutedChannel, requested: string): string {
  const withoutPrefix = requested.startsWith(model_prefix) ? requested.slice(model_prefix.length) : requested
  let name = Object.hasOwn(model_mapping, requested) ? requested : withoutPrefix
  if (!Object.hasOwn(model_mapping, name)) return name
  const seen = new Set<string>()
  while (Object.hasOwn(model_mapping, name) && !seen.has(name)) {
    seen.add(name)
    name = model_mapping[name]!
  }
  return name
}
