/** What calls count when they end. */
import { type Bucket, buckets, completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { type Counter, counter } from '../../process/metrics/counter.ts'
import { type Histogram, histogram, LONG_SECONDS, SHORT_SECONDS } from '../../process/metrics/histogram.ts'
import { store } from '../../process/stores.ts'
import type { Operation } from '../../providers/index.ts'
import { genAiSeries } from './gen-ai.ts'
import { channelLabel, groupLabel, modelLabel, providerLabel } from './labels.ts'

const requests = counter(
  'tollgate_requests_total',
  'Calls that have ended, by the status that they ended with. Refused calls have no provider, channel and model.',
  ['operation', 'provider', 'channel', 'model', 'status', 'streamed'],
)
const requestSeconds = histogram(
  'tollgate_request_seconds',
  'From the request to the durable bill.',
  ['operation'],
  LONG_SECONDS,
)
const firstToken = histogram(
  'tollgate_first_token_seconds',
  'From the request to the first event of a stream.',
  ['provider'],
  LONG_SECONDS,
)
const added = histogram(
  'tollgate_added_seconds',
  'What Tollgate adds: the duration of a call without that of its attempts.',
  ['operation'],
  SHORT_SECONDS,
)
const upstream = histogram(
  'tollgate_upstream_seconds',
  'From the start of the attempt that answered to the end of its response.',
  ['channel'],
  LONG_SECONDS,
)
const tokens = counter('tollgate_tokens_total', 'Billed tokens, each in one kind.', ['model', 'kind'])
const quota = counter('tollgate_quota_total', 'Charged quota, of calls or of accepted tasks.', ['group', 'kind'])

/** Where and how a call has ended. */
export interface CallKind {
  operation: Operation
  /** Undefined where no channel was asked. */
  channel: number | undefined
  channel_type: number | undefined
  model: string
  group: string
  status: number
  streamed: boolean
}

/** The series of all calls of one kind. */
interface CallSeries {
  requests: Counter
  duration: Histogram
  added: Histogram
  upstream: Histogram | undefined
  firstToken: Histogram
  charged: Counter
  tokens: Partial<Record<Bucket, Counter>>
  model: string
  genAi: ReturnType<typeof genAiSeries>
}

/** By kind. Emptied when it is full: the series themselves have their own bounds. */
const known = store('call-series', new Map<string, CallSeries>())
const KNOWN_MAX = 10_000

function seriesOf(kind: CallKind): CallSeries {
  const { operation, channel, group, status, streamed } = kind
  // By its label: a million names are 201 kinds.
  const model = modelLabel(kind.model)
  const key = `${status} ${streamed} ${channel} ${operation} ${group}\n${model}`
  const found = known.get(key)
  if (found) return found
  if (known.size >= KNOWN_MAX) known.clear()
  const made = makeSeries(kind, model)
  known.set(key, made)
  return made
}

const OK = 200
const CLIENT_ERRORS = 400

function makeSeries({ operation, channel, channel_type, group, status, streamed }: CallKind, name: string): CallSeries {
  const provider = providerLabel(channel_type)
  const at = channel === undefined ? '' : channelLabel(channel)
  return {
    requests: requests.of(operation, provider, at, name, String(status), String(streamed)),
    duration: requestSeconds.of(operation),
    added: added.of(operation),
    upstream: at && status === OK ? upstream.of(at) : undefined,
    firstToken: firstToken.of(provider),
    charged: quota.of(groupLabel(group), operationKind(operation)),
    tokens: {},
    model: name,
    genAi: genAiSeries(operation, provider, name, status < CLIENT_ERRORS ? '' : String(status)),
  }
}

/** Drawings and videos are charged when an upstream accepts them. */
const operationKind = (operation: Operation) => (tasks.test(operation) ? 'tasks' : 'calls')
const tasks = /^(drawing_|music$|lyrics$|videos$)/

export interface CallTimes {
  /** From the request to the durable bill. */
  total_ms: number
  /** Of the last attempt. */
  upstream_ms: number
  /** Of the attempts before it. */
  failed_ms: number
  /** Until the first event of a stream; undefined for other calls. */
  first_ms?: number
}

const MS_PER_SECOND = 1000

/** Counts a call that has ended, served or not. @param bill undefined where nothing was billed */
export function countCall(kind: CallKind, times: CallTimes, bill?: { usage: Usage; quota: number }) {
  const { total_ms, upstream_ms, failed_ms, first_ms } = times
  const series = seriesOf(kind)
  series.requests.add()
  series.duration.observe(total_ms / MS_PER_SECOND)
  series.added.observe(Math.max(0, total_ms - upstream_ms - failed_ms) / MS_PER_SECOND)
  series.upstream?.observe(upstream_ms / MS_PER_SECOND)
  series.genAi.duration.observe(total_ms / MS_PER_SECOND)
  if (first_ms !== undefined) series.firstToken.observe(first_ms / MS_PER_SECOND)
  if (bill) countBill(series, bill)
}

function countBill(series: CallSeries, { usage, quota }: { usage: Usage; quota: number }) {
  series.charged.add(quota)
  for (const bucket of buckets) {
    if (!usage[bucket]) continue
    series.tokens[bucket] ??= tokens.of(series.model, bucket)
    series.tokens[bucket].add(usage[bucket])
  }
  const [input, output] = [promptTokens(usage), completionTokens(usage)]
  if (input) series.genAi.input.observe(input)
  if (output) series.genAi.output.observe(output)
}

/** Counts a call that was refused before it had a channel. */
export const countRefused = (operation: Operation, status: number) =>
  requests.of(operation, '', '', '', String(status), '').add()
