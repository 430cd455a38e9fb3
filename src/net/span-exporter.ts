/**
 * Sends spans to a collector by OTLP, in batches. One that is dead, refuses or hangs costs a warning a minute and bounded
 * memory. https://opentelemetry.io/docs/specs/otlp/#otlphttp-response (read 2026-11)
 */
import { env } from '../env.ts'
import { now_ms, stopwatch } from '../process/clock.ts'
import { log } from '../process/log.ts'
import { parseObject } from '../pure/json.ts'
import { NetworkError, readErrorBody, upstreamFetch } from './upstream-fetch.ts'

export interface Collector {
  url: string
  headers: Record<string, string>
  timeout_ms: number
  /** @returns the body of a request */
  envelope(spans: readonly string[]): string
}

/** Spans that wait, as JSON. */
const QUEUE_CHARS_MAX = 8_388_608
const BATCH_CHARS_MAX = 1_048_576
const BATCH_SPANS_MAX = 2048
const RETRY_MIN_MS = 1000
const RETRY_MAX_MS = 30_000
const WARNING_EVERY_MS = 60_000
/** At the end of the process. */
const LAST_FLUSH_TIMEOUT_MS = 2000
/** A collector that is busy or away; any other refusal is one of the spans. */
const retried = new Set([429, 502, 503, 504])

type Outcome = { isRetried: boolean; reason: string; wait_ms?: number }

export class SpanExporter {
  #queue: string[] = []
  #chars = 0
  #timer: Timer | undefined
  #sending: Promise<boolean> | undefined
  #wait_ms = 0
  #dropped = 0
  #lastWarning: (() => number) | undefined
  /** Of what has been cleared, nothing comes back. */
  #generation = 0

  constructor(private readonly collector: () => Collector) {}

  add(spans: readonly string[]) {
    for (const span of spans) {
      if (this.#chars + span.length > QUEUE_CHARS_MAX) {
        this.#dropped++
        continue
      }
      this.#queue.push(span)
      this.#chars += span.length
    }
    this.#schedule(env.OTEL_BSP_SCHEDULE_DELAY)
  }

  /** Characters that wait. */
  get size() {
    return this.#chars
  }

  clear() {
    this.#queue = []
    this.#chars = this.#wait_ms = this.#dropped = 0
    this.#generation++
    clearTimeout(this.#timer)
    this.#timer = this.#lastWarning = undefined
  }

  /** What waits, as far as the collector takes it within the time that the end of a process has. */
  async flush() {
    clearTimeout(this.#timer)
    const elapsed = stopwatch()
    const limited = () => Math.max(1, LAST_FLUSH_TIMEOUT_MS - elapsed())
    await Promise.race([this.#sending, Bun.sleep(limited())])
    while (this.#queue.length && elapsed() < LAST_FLUSH_TIMEOUT_MS && (await this.#send(limited())));
  }

  #schedule(ms: number) {
    if (this.#timer || this.#sending || !this.#queue.length) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sending = this.#send(this.collector().timeout_ms)
      void this.#sending.then(() => {
        this.#sending = undefined
        this.#schedule(this.#wait_ms || (this.#queue.length > BATCH_SPANS_MAX ? 1 : env.OTEL_BSP_SCHEDULE_DELAY))
      })
    }, ms).unref()
  }

  /** @returns false when the collector is to be left alone for a while */
  async #send(timeout_ms: number): Promise<boolean> {
    const generation = this.#generation
    const batch = this.#take()
    const outcome = await ask(this.collector(), batch, timeout_ms)
    if (generation !== this.#generation) return false
    this.#wait_ms = 0
    if (!outcome) return true
    if (outcome.isRetried) {
      this.#queue.unshift(...batch)
      for (const span of batch) this.#chars += span.length
      this.#wait_ms = outcome.wait_ms ?? RETRY_MIN_MS
    } else this.#dropped += batch.length
    this.#warn(outcome.reason)
    return !outcome.isRetried
  }

  #take(): string[] {
    let chars = 0
    let count = 0
    while (count < Math.min(this.#queue.length, BATCH_SPANS_MAX) && chars < BATCH_CHARS_MAX)
      chars += this.#queue[count++]!.length
    this.#chars -= chars
    return this.#queue.splice(0, count)
  }

  #warn(reason: string) {
    if (this.#lastWarning && this.#lastWarning() < WARNING_EVERY_MS) return
    this.#lastWarning = stopwatch()
    log.warn('traces not sent', { reason, dropped_spans: this.#dropped })
    this.#dropped = 0
  }
}

/** @returns undefined when the collector has taken all */
async function ask(
  { url, headers, envelope }: Collector,
  batch: string[],
  timeout_ms: number,
): Promise<Outcome | undefined> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new NetworkError('timeout')), timeout_ms)
  try {
    const sent = { ...headers, 'content-type': 'application/json' }
    const response = await upstreamFetch({ url, headers: sent, body: envelope(batch) }, abort, timeout_ms)
    const text = await readErrorBody(response, abort)
    if (!response.ok)
      return {
        isRetried: retried.has(response.status),
        reason: `status ${response.status}`,
        wait_ms: waitOf(response.headers.get('retry-after')),
      }
    const rejected = Number((parseObject(text)?.partialSuccess as { rejectedSpans?: unknown })?.rejectedSpans ?? 0)
    return rejected > 0 ? { isRetried: false, reason: `the collector has refused ${rejected} of them` } : undefined
  } catch (error) {
    return { isRetried: true, reason: (error as Error).message }
  } finally {
    clearTimeout(timer)
  }
}

const MS_PER_SECOND = 1000

/** @param header seconds, or a date */
function waitOf(header: string | null): number | undefined {
  if (!header) return undefined
  const asked = Number(header) * MS_PER_SECOND || Date.parse(header) - now_ms()
  return asked > 0 ? Math.min(RETRY_MAX_MS, asked) : undefined
}
