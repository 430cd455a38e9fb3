/** Channels in the API and the form: fields, limits, validation. */
import { z } from 'zod'
import { commaList } from '../pure/lists.ts'
import { isWebAddress } from './address.ts'
import { bodyOf } from './body.ts'
import { DEFAULT_GROUP } from './pricing.ts'

export const ChannelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

export const PRIORITY_MIN = -999
export const PRIORITY_MAX = 1_000_000
export const WEIGHT_MAX = 1_000_000
export const CHANNEL_NAME_MAX = 100
const MODEL_NAME_MAX = 255
export const MODEL_PREFIX_MAX = 64
const NOTE_MAX = 255
const TEXT_MAX = 100_000

/** One key of a channel, masked. */
export interface KeyState {
  id: string
  key: string
  /** A `ChannelStatus`. */
  status: number
  /** Reason and unix time of the disabling; empty and 0 for an enabled key. */
  reason: string
  time: number
  rest: Cooldown | undefined
}

/** Time for which the circuit of a channel or key is open: it takes no calls. */
export interface Cooldown {
  reason: string
  seconds: number
}

export const HEALTH_HOURS = 24

/** Names separated by white space, commas or full-width commas. */
const modelNames = (text: string): string[] => [...new Set(text.split(/[\s,，]+/).filter(Boolean))]

const text = (max: number) => z.string().trim().max(max, 'channel.text_too_long')

/** A whole number, or the text of one from a form. */
const whole = (min: number, max: number, message: string) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^-?\d{1,15}$/, message)
          .transform(Number),
      ],
      message,
    )
    .pipe(z.int(message).min(min, message).max(max, message))

const listField = (split: (text: string) => string[]) =>
  z
    .union([z.string(), z.array(z.string()).transform(items => items.join(','))], 'channel.list_expected')
    .transform(items => split(items).join(','))

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The text of a JSON object whose entries all pass `fits`; an empty text is accepted. */
const objectText = (message: string, fits: (entry: [string, unknown]) => boolean = () => true) =>
  z
    .string()
    .trim()
    .max(TEXT_MAX, 'channel.text_too_long')
    .refine(text => {
      if (text === '') return true
      const value = jsonObject(text)
      return value !== undefined && Object.entries(value).every(fits)
    }, message)

/** @returns a name of a circle of two or more names; a name mapped to itself is no circle. */
function circleIn(mapping: Record<string, unknown>): string | undefined {
  return Object.keys(mapping).find(start => {
    const seen = new Set<unknown>()
    let name: unknown = start
    while (Object.hasOwn(mapping, String(name)) && mapping[String(name)] !== name && !seen.has(name)) {
      seen.add(name)
      name = mapping[String(name)]
    }
    return seen.has(name)
  })
}

const Flag = z.boolean()
const ProxyAddress = z.string().regex(/^(https?|socks5h?):\/\/[^\s/]+/)

/** Types of the known settings; unknown ones are stored without effect. */
const settings: Record<string, z.ZodType> = {
  proxy: ProxyAddress,
  force_format: Flag,
  thinking_to_content: Flag,
  pass_through_body: Flag,
  cancel_on_leave: Flag,
  stream_support: z.string(),
  system_prompt: z.string(),
  system_prompt_override: Flag,
  allowed_fields: z.array(z.string()),
}

const isStatus = (value: unknown) => /^[1-5]\d\d$/.test(String(value))
const isFailure = (value: unknown) => /^[45]\d\d$/.test(String(value))

/** Without a trailing slash; empty means the provider's own. */
const baseUrl = z
  .string()
  .trim()
  .max(NOTE_MAX, 'channel.text_too_long')
  .transform(url => url.replace(/\/+$/, ''))
  .refine(url => url === '' || isWebAddress(url), 'channel.base_url_invalid')

const fields = z.object({
  name: z.string().trim().min(1, 'channel.name_and_key').max(CHANNEL_NAME_MAX, 'channel.text_too_long'),
  type: whole(1, 999, 'channel.type_unknown'),
  key: text(TEXT_MAX),
  status: whole(ChannelStatus.enabled, ChannelStatus.autoDisabled, 'channel.status_unknown'),
  base_url: baseUrl,
  other: text(TEXT_MAX),
  openai_organization: text(NOTE_MAX),
  models: listField(modelNames)
    .refine(models => models !== '', 'channel.models_required')
    .refine(models => models.split(',').every(model => model.length <= MODEL_NAME_MAX), 'channel.model_too_long'),
  group: listField(commaList).transform(groups => groups || DEFAULT_GROUP),
  model_mapping: objectText('channel.model_mapping_json', ([, to]) => typeof to === 'string').refine(
    text => !circleIn(jsonObject(text) ?? {}),
    'channel.model_mapping_circle',
  ),
  status_code_mapping: objectText(
    'channel.status_code_mapping_json',
    ([upstream, client]) => isStatus(upstream) && isFailure(client),
  ),
  model_prefix: text(MODEL_PREFIX_MAX),
  param_override: objectText('channel.param_override_json'),
  setting: objectText('channel.setting_json', ([name, value]) => settings[name]?.safeParse(value).success ?? true),
  system_prompt: text(TEXT_MAX),
  test_model: text(MODEL_NAME_MAX),
  tag: text(CHANNEL_NAME_MAX),
  priority: whole(PRIORITY_MIN, PRIORITY_MAX, 'channel.priority_range'),
  weight: whole(0, WEIGHT_MAX, 'channel.weight_range'),
  auto_ban: whole(0, 1, 'channel.auto_ban_range'),
  /** Only root's has an effect. */
  guarded: z.boolean('channel.guarded_flag'),
  max_input_tokens: whole(0, Number.MAX_SAFE_INTEGER, 'channel.max_input_tokens_range'),
})

/** Fields of a channel that only the server writes. */
const readOnly = [
  ...['created_time', 'test_time', 'response_time', 'balance', 'balance_updated_time', 'used_quota', 'other_info'],
  ...['rest', 'keys'],
]

/** Drops null and undefined fields, which clients send for unchanged ones; some name the list of groups `groups`. */
function presentFields({ groups, ...body }: Record<string, unknown>) {
  const fields = Object.entries({ group: groups, ...body })
  return Object.fromEntries(fields.filter(([, field]) => field !== null && field !== undefined))
}

export { fields as channelFields }

/** PUT: absent fields stay unchanged. */
export const ChannelChange = bodyOf(
  fields.partial().extend({ id: whole(1, Number.MAX_SAFE_INTEGER, 'error.not_found') }),
  readOnly,
  presentFields,
)

/** POST: name, key and models are required; the rest has defaults. */
export const NewChannel = bodyOf(
  fields
    .partial()
    .extend({
      name: fields.shape.name.default(''),
      key: fields.shape.key.default(''),
      models: fields.shape.models.default(''),
    })
    .refine(channel => channel.name !== '', { message: 'channel.name_and_key', path: ['name'] })
    .refine(channel => channel.key !== '', { message: 'channel.name_and_key', path: ['key'] })
    .refine(channel => channel.models !== '', { message: 'channel.models_required', path: ['models'] }),
  [...readOnly, 'id'],
  presentFields,
)

/** Provider, base URL and key of a channel that is not saved yet. */
export const UnsavedChannel = bodyOf(
  z.object({
    type: fields.shape.type,
    base_url: fields.shape.base_url.default(''),
    key: fields.shape.key.default(''),
  }),
)
export type UnsavedChannel = z.output<typeof UnsavedChannel>

/** Enables or disables one key of a channel. */
export const KeyChange = bodyOf(
  z.object({
    status: whole(ChannelStatus.enabled, ChannelStatus.disabled, 'channel.status_unknown'),
  }),
)
