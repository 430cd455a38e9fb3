/** The usage log on the wire: kinds of entries, filters, what an entry tells. */
import { z } from 'zod'
import type { BillLine } from './bill.ts'
import { absent, type Listing } from './paging.ts'

export const LogType = { topUp: 1, consume: 2, manage: 3, system: 4, checkIn: 5, error: 6 } as const
export type LogType = (typeof LogType)[keyof typeof LogType]

export const LOGS_PATH = '/app/logs/api-usage'

/** Each begins at a midnight of the reader's and ends an hour ahead, `yesterday` at the next midnight. */
export const LOGS_RANGES = ['today', 'yesterday', '3d', '30d', 'custom'] as const
export type LogsRange = (typeof LOGS_RANGES)[number]
export const LOGS_RANGE_DEFAULT: LogsRange = '3d'

/** Lists are counted up to here; beyond, the total is "at least". */
export const LOGS_COUNTED_MAX = 10_000

const given = (text: unknown) => (typeof text === 'string' && absent.has(text) ? undefined : text)

/** PostgreSQL has no text with a zero byte in it. */
const text = z.preprocess(
  given,
  z
    .string()
    .refine(value => !value.includes('\0'))
    .optional(),
)
const whole = z.preprocess(given, z.coerce.number().int().min(0).optional())

/** `username` and `channel` count only where everyone's entries are read. Moments are unix seconds, inclusive. */
export const LogFilter = z.object({
  /** 0 or absent is every type. */
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

/** Everything before this moment goes. */
export const LogsBefore = z.object({
  target_timestamp: z.preprocess(
    given,
    z.coerce.number('log.target_required').int('log.target_required').min(1, 'log.target_required'),
  ),
})

/** One channel that a call was sent to, and how it answered. */
export interface Attempt {
  channel: number
  name: string
  status: number
  reason: string
  ms: number
}

/** What `other` may hold, as JSON text. */
export interface LogDetails {
  model_ratio?: number
  completion_ratio?: number
  /** USD per call; -1 where ratios count. */
  model_price?: number
  group_ratio?: number
  user_group_ratio?: number
  cache_tokens?: number
  cache_ratio?: number
  cache_creation_tokens?: number
  cache_creation_ratio?: number
  is_model_mapped?: boolean
  upstream_model_name?: string
  /** Milliseconds to the first token. */
  frt?: number
  /** Milliseconds of the whole call; `use_time` of the entry has whole seconds. */
  duration_ms?: number
  lines?: BillLine[]
  price_version?: string
  request_path?: string
  partial?: boolean
  stream_status?: string
  /** A session over a socket. */
  ws?: boolean
  reasoning_effort?: string
  /** The texts of a call, where logs keep them: the instructions, what was said before, what was asked and answered. */
  system_prompt?: string
  context?: string
  input_content?: string
  output_content?: string
  error_type?: string
  error_code?: string
  status_code?: number
  channel_id?: number
  channel_name?: string
  channel_type?: number
  admin_info?: { use_channel?: string[]; attempts?: Attempt[] }
  [more: string]: unknown
}

/** What `other` tells; an entry that tells nothing, or nothing legible, has no details. */
export function detailsOf({ other }: { other: string }): LogDetails {
  try {
    const details = other === '' ? {} : JSON.parse(other)
    return typeof details === 'object' && details !== null ? (details as LogDetails) : {}
  } catch {
    return {}
  }
}

/** An entry as the wire has it. For users, what belongs to the operator is blank. */
export interface LogEntry {
  id: number
  created_at: number
  type: number
  user_id: number
  username: string
  token_id: number
  token_name: string
  model_name: string
  group: string
  channel: number
  channel_name: string
  is_stream: boolean
  use_time: number
  prompt_tokens: number
  completion_tokens: number
  quota: number
  content: string
  request_id: string
  /** JSON text of `LogDetails`. */
  other: string
}

export interface LogListing extends Listing<LogEntry> {
  /** More than `total` match: counting stopped there. */
  capped: boolean
}

export interface LogStat {
  /** Totals of the entries that match; without a type in the filter, of consumption. */
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** Entries and tokens of the last 60 seconds. */
  rpm: number
  tpm: number
}
