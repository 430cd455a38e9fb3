/** The usage log in the API: types of entries, filters, fields. */
import { z } from 'zod'
import type { BillLine } from '../billing/bill-line.ts'
import type { TaskChoice } from '../billing/task-price.ts'
import type { StoredMessage } from '../locales/index.ts'
import type { MessageSpans } from './logged-messages.ts'
import { absent, type Listing, optional, PAGE_SIZE_MAX } from './paging.ts'

/** `untyped` entries are from before types existed; they are consumption. */
export const LogType = { untyped: 0, topUp: 1, consume: 2, manage: 3, system: 4, checkIn: 5, error: 6 } as const
export type LogType = (typeof LogType)[keyof typeof LogType]

export const LOGS_PATH = '/app/logs/api-usage'

/** Each starts at a midnight in the visitor's zone and ends in an hour; `yesterday` ends at the next midnight. */
export const LOGS_RANGES = ['today', 'yesterday', '3d', '30d', 'month', 'custom'] as const
export type LogsRange = (typeof LOGS_RANGES)[number]

/** The range in the address of a list that has no usual one. Times are values of `datetime-local` fields, for `custom`. */
export const rangeFields = { range: z.enum(LOGS_RANGES).optional().catch(undefined), from: optional, to: optional }

export const LOGS_RANGE_DEFAULT: LogsRange = '3d'

/** Entries of a list are counted up to here; then `capped` is true. */
export const LOGS_COUNTED_MAX = 10_000

const presentText = (text: unknown) => (typeof text === 'string' && absent.has(text) ? undefined : text)

/** PostgreSQL text cannot hold U+0000. */
const text = z.preprocess(
  presentText,
  z
    .string()
    .refine(value => !value.includes('\0'))
    .optional(),
)
const whole = z.preprocess(presentText, z.coerce.number().int().min(0).optional())

/** `username` and `channel` apply only to entries of all users. Times are unix seconds, inclusive. */
export const LogFilter = z.object({
  /** 0 or absent: all types. */
  type: whole,
  username: text,
  token_name: text,
  /** `*` stands for any text; `*` alone matches every entry. */
  model_name: text,
  group: text,
  channel: whole,
  start_timestamp: whole,
  end_timestamp: whole,
})
export type LogFilter = z.output<typeof LogFilter>

export const LogQuery = LogFilter.extend({ p: z.string().optional(), page_size: z.string().optional() })

/** The entries of one token of the caller, by its key. */
export const TokenLogQuery = z.object({
  key: z.string('log.key_required').min(1, 'log.key_required'),
  p: z.string().optional(),
  page_size: z.string().default(String(PAGE_SIZE_MAX)),
})

/** `keyword` is the number of a type, or the beginning of a content. */
export const LogKeyword = z.object({
  keyword: z.preprocess(
    presentText,
    z.string('log.keyword_required').refine(value => !value.includes('\0')),
  ),
})

/** Entries that a search by keyword returns at most. */
export const LOGS_FOUND_MAX = 100

/** Deletes the entries before `target_timestamp`. */
export const LogsBefore = z.object({
  target_timestamp: z.preprocess(
    presentText,
    z.coerce.number('log.target_required').int('log.target_required').min(1, 'log.target_required'),
  ),
})

/** A clearing of the log by an administrator, and how far it is. Times are unix seconds. */
export interface LogClearing {
  before: number
  /** Entries at the start. */
  total: number
  deleted: number
  started_time: number
  /** null while it runs. */
  ended_time: number | null
}

/** One attempt of a call: its channel and the result. */
export interface Attempt {
  channel: number
  name: string
  status: number
  reason: string
  ms: number
}

/** A group with a model that could not serve a call, which went on to the next. */
export interface PassedGroup {
  group: string
  model: string
  why: 'no_channel' | 'cooling_down' | 'full' | 'failed' | 'unpaid' | 'unpriced' | 'forbidden' | 'refused'
}

/** Of a conversation: on one channel, or shared call by call for comparison. */
export type AffinityKind = 'kept' | 'sample'

/** The JSON object in the `other` field of an entry. */
export interface LogDetails {
  model_ratio?: number
  completion_ratio?: number
  /** USD per call; -1 for a price by ratios. */
  model_price?: number
  /** The ratio that was billed. */
  group_ratio?: number
  /** The same, where the user's own group set it. */
  user_group_ratio?: number
  /** Prompt tokens from which the billed tier applies; the ratios are the tier's. */
  tier?: number
  reasoning_tokens?: number
  reasoning_ratio?: number
  /** Factor on the listed price, for size, quality, length or tariff; 1 if absent. */
  multiplier?: number
  /** Tariffs that `multiplier` contains, by the request field that chooses them. */
  tariffs?: Record<string, string>
  /** The model that answered, where it is dearer than the requested one: the bill has its price. */
  answered_by?: string
  /** Units of a price per call, where there is more than one. */
  calls?: number
  /** What a task asked for, as far as its price depends on it. */
  task?: TaskChoice
  /** What the task does, in the words of its platform. */
  action?: string
  /** A call of the Messages API. */
  claude?: boolean
  cache_tokens?: number
  cache_ratio?: number
  cache_creation_tokens?: number
  cache_creation_ratio?: number
  /** The part of `cache_creation_tokens` that is kept for one hour. */
  cache_creation_tokens_1h?: number
  cache_creation_ratio_1h?: number
  audio_input?: number
  audio_output?: number
  image_input?: number
  is_model_mapped?: boolean
  upstream_model_name?: string
  /** First response time: milliseconds to the first token. */
  frt?: number
  /** Milliseconds of the call; the entry's `use_time` has whole seconds. */
  duration_ms?: number
  lines?: BillLine[]
  price_version?: string
  request_path?: string
  partial?: boolean
  stream_status?: string
  /** A realtime session. */
  ws?: boolean
  reasoning_effort?: string
  /** What was asked for first, and then each fallback before the one that served, whose group and model the entry has. */
  passed_over?: readonly PassedGroup[]
  /** With content logging: system prompt, earlier messages, last input and output. */
  system_prompt?: string
  context?: string
  context_spans?: MessageSpans
  input_content?: string
  output_content?: string
  error_type?: string
  error_code?: string
  status_code?: number
  channel_id?: number
  channel_name?: string
  channel_type?: number
  /** The gateway's own message of a failure, whose `content` is in the language of the call. */
  message_key?: string
  /** Quota by placeholder, of an entry whose `content` is a message key. */
  values?: Record<string, number>
  /** Its other parameters. */
  params?: StoredMessage['params']
  /** `admin` is the acting administrator of a change. */
  admin_info?: {
    use_channel?: string[]
    attempts?: readonly Attempt[]
    affinity?: AffinityKind
    /** Of the channel's key, where a budget counts that by itself: refunds are given back to it. */
    key_hash?: string
    admin_id?: number
    admin?: string
  }
  [more: string]: unknown
}

/** @returns an empty object for an entry without `other`, or with broken JSON in it. */
export function detailsOf({ other }: { other: string }): LogDetails {
  try {
    const details = other === '' ? {} : JSON.parse(other)
    return typeof details === 'object' && details !== null ? (details as LogDetails) : {}
  } catch {
    return {}
  }
}

/** An entry in the API. Fields for operators are blank for users. */
export const LogEntry = z
  .object({
    id: z.int(),
    created_at: z.int(),
    type: z.int().describe('1 top-up, 2 consumption, 3 management, 4 system, 5 check-in, 6 error.'),
    user_id: z.int(),
    username: z.string(),
    token_id: z.int(),
    token_name: z.string(),
    model_name: z.string(),
    group: z.string(),
    channel: z.int(),
    channel_name: z.string(),
    is_stream: z.boolean(),
    use_time: z.int().describe('Seconds.'),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    quota: z.int(),
    content: z.string(),
    request_id: z.string(),
    /** `LogDetails`. */
    other: z.string().describe('JSON text: ratios, lines of the bill, timing.'),
  })
  .meta({ id: 'LogEntry' })
export type LogEntry = z.output<typeof LogEntry>

export interface LogListing extends Listing<LogEntry> {
  /** Counting stopped at `total`; more entries match. */
  capped: boolean
}

/** A span of the pulse above the log. Times are unix seconds, `until` is exclusive. */
export interface PulseBar {
  from: number
  until: number
  quota: number
  calls: number
  /** Failed attempts; absent where they are not known. */
  failed?: number
}

/** Failed calls under a filter, and how often the latest failed for which reason. */
export interface LogFailures {
  failed: number
  reasons: { reason: string; failed: number }[]
}

/** New entries are counted up to here; then there are more. */
export const NEW_LOGS_MAX = 20

/** Names that a filter may be filled with. */
export interface LogSuggestions {
  users: string[]
  tokens: string[]
  models: string[]
}

/** A filter that its owner keeps; `query` is that of the page, as `range=30d&type=6`. */
export interface SavedFilter {
  id: number
  name: string
  query: string
}

export const SAVED_FILTERS_MAX = 20
const FILTER_NAME_MAX = 40

export const NewFilter = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'log.filter_name_required')
    .refine(name => [...name].length <= FILTER_NAME_MAX, 'log.filter_name_long')
    .refine(name => !name.includes('\0'), 'log.filter_name_required'),
})

/** Totals of the entries that match; without a type in the filter, of consumption. */
export const LogStat = z
  .object({
    quota: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    /** Entries and tokens of the last 60 seconds. */
    rpm: z.int(),
    tpm: z.int(),
  })
  .meta({ id: 'LogStat' })
export type LogStat = z.output<typeof LogStat>
