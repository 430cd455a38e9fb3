/** Channels in the API and the form: fields, limits, validation. */
import { z } from 'zod'
import { commaList } from '../pure/lists.ts'
import { isWebAddress } from './address.ts'
import { bodyOf } from './body.ts'
import { circleIn, isFailure, isStatus, jsonObject, settingFits } from './channel-json.ts'
import { DEFAULT_GROUP } from './pricing.ts'

export const CHANNELS_PATH = '/admin/channels'

export const ChannelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

export const PRIORITY_MIN = -999
export const PRIORITY_MAX = 1_000_000
export const WEIGHT_MAX = 1_000_000
export const CHANNEL_NAME_MAX = 100
const MODEL_NAME_MAX = 255
/** With a model of the longest name it fits into an index of PostgreSQL. */
const GROUP_NAME_MAX = 100
export const MODEL_PREFIX_MAX = 64
const NOTE_MAX = 255
const TEXT_MAX = 100_000
/** Characters of all keys of a channel. */
export const KEYS_LENGTH_MAX = 500_000

/** One key of a channel, masked. */
export interface KeyState extends Cooldowns {
  id: string
  key: string
  /** A `ChannelStatus`. */
  status: number
  /** Reason and unix time of the disabling; empty and 0 for an enabled key. */
  reason: string
  time: number
}

/** Time for which a circuit is open: the channel, one of its keys or one of their models takes no calls. */
export interface Cooldown {
  reason: string
  seconds: number
  scope: 'channel' | 'key' | 'model'
  /** The provider's name for it; of the scope `model`. */
  model?: string
}

/** Cooldowns of a channel, where every key of it cools down, or of one key. */
export interface Cooldowns {
  cooldown: Cooldown | undefined
  /** The models of which it takes no calls. */
  model_cooldowns: Cooldown[]
}

export const HEALTH_HOURS = 24

/** Names separated by white space, commas or full-width commas. */
export const modelNames = (text: string): string[] => [...new Set(text.split(/[\s,，]+/).filter(Boolean))]

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

/** A WebSocket URL counts as one of the web: the type decides whether it accepts that. */
const isBaseUrl = (url: string): boolean => isWebAddress(url.replace(/^ws(?=s?:)/i, 'http'))

/** Without a trailing slash; empty means the provider's own. */
const baseUrl = z
  .string()
  .trim()
  .max(NOTE_MAX, 'channel.text_too_long')
  .transform(url => url.replace(/\/+$/, ''))
  .refine(url => url === '' || isBaseUrl(url), 'channel.base_url_invalid')

const fields = z.object({
  name: z.string().trim().min(1, 'channel.name_required').max(CHANNEL_NAME_MAX, 'channel.text_too_long'),
  type: whole(1, 999, 'channel.type_unknown'),
  key: z.string().trim().max(KEYS_LENGTH_MAX, 'channel.keys_too_long'),
  status: whole(ChannelStatus.enabled, ChannelStatus.autoDisabled, 'channel.status_unknown'),
  base_url: baseUrl,
  other: text(TEXT_MAX),
  // It is sent as a header.
  openai_organization: text(NOTE_MAX).refine(id => /^[\x20-\x7e]*$/.test(id), 'channel.organization_characters'),
  models: listField(modelNames)
    .refine(models => models !== '', 'channel.models_required')
    .refine(models => models.split(',').every(model => model.length <= MODEL_NAME_MAX), 'channel.model_too_long'),
  group: listField(commaList)
    .refine(groups => groups.split(',').every(group => group.length <= GROUP_NAME_MAX), 'channel.group_too_long')
    .transform(groups => groups || DEFAULT_GROUP),
  model_mapping: objectText('mapping.model_mapping_json', ([, to]) => typeof to === 'string').refine(
    text => !circleIn(jsonObject(text) ?? {}),
    'mapping.circle',
  ),
  status_code_mapping: objectText(
    'mapping.status_code_mapping_json',
    ([upstream, client]) => isStatus(upstream) && isFailure(client),
  ),
  model_prefix: text(MODEL_PREFIX_MAX),
  param_override: objectText('channel.param_override_json'),
  setting: objectText('channel.setting_json', settingFits),
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
  ...['created_time', 'test_time', 'test_failure', 'response_time', 'balance', 'balance_updated_time', 'used_quota'],
  ...['other_info', 'cooldown', 'model_cooldowns', 'keys'],
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

/** POST: name and models are required, as is a key for most types; the rest has defaults. */
export const NewChannel = bodyOf(
  fields
    .partial()
    .extend({
      name: fields.shape.name.default(''),
      key: fields.shape.key.default(''),
      models: fields.shape.models.default(''),
    })
    .refine(channel => channel.name !== '', { message: 'channel.name_required', path: ['name'] })
    .refine(channel => channel.models !== '', { message: 'channel.models_required', path: ['models'] }),
  [...readOnly, 'id'],
  presentFields,
)

/** A channel that is not saved yet, as far as a query or a test needs it. */
export const UnsavedChannel = bodyOf(
  fields
    .pick({
      base_url: true,
      key: true,
      guarded: true,
      other: true,
      openai_organization: true,
      setting: true,
      models: true,
      model_mapping: true,
      model_prefix: true,
      test_model: true,
    })
    .partial()
    .extend({ type: fields.shape.type, id: whole(1, Number.MAX_SAFE_INTEGER, 'error.not_found').optional() }),
  [],
  presentFields,
)
export type UnsavedChannel = z.output<typeof UnsavedChannel>

/** Outcome of a test of the typed values. */
export interface UnsavedTest {
  ok: boolean
  /** The first failure, in the caller's language. */
  message: string
  seconds: number
  model: string
  /** Number of tested keys, and of all. */
  tested: number
  keys: number
}

/** Models whose price is looked up, and the prefix under which clients request them. */
export const ModelNames = bodyOf(
  z.object({ models: text(TEXT_MAX).transform(modelNames), prefix: text(MODEL_PREFIX_MAX).default('') }),
)

/** Enables or disables one key of a channel. */
export const KeyChange = bodyOf(
  z.object({
    status: whole(ChannelStatus.enabled, ChannelStatus.disabled, 'channel.status_unknown'),
  }),
)
