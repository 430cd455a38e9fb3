/**
 * Sends spans to a collector by OTLP, in batches, some at once. One that is dead, refuses or hangs costs a warning a minute
 * and bounded memory. https://opentelemetry.io/docs/specs/otlp/#otlphttp-response (read 2026-11)
 */
import { env } from '../env.ts'
import { now_ms, stopwatch } from '../process/clock.ts'
import { log } from '../process/log.ts'
import { parseObject } from '../pure/json.ts'
import { type SpanBatch, SpanWriter } from './span-batch.ts'
import { NetworkError, readErrorBody, upstreamFetch } from './upstream-fetch.ts'

export interface Collector {
  url: string
  headers: Record<string, string>
  timeout_ms: number
  /** What stands in the body of a request before the spans, and after them. */
  begin: string
  end: string
}

/** Spans that wait or are being sent. */
const KEPT_BYTES_MAX = 8_388_608
const SENDS_MAX = 4
const RETRY_MIN_MS = 1000
const RETRY_MAX_MS = 30_000
const WARNING_EVERY_MS = 60_000
/** At the end of the process. */
const LAST_FLUSH_TIMEOUT_MS = 2000
/** A collector that is busy or away; any other refusal is one of the spans. */
const retried = new Set([429, 502, 503, 504])

type Outcome = { isRetried: boolean; reason: string; wait_ms?: number }

export class SpanExporter {
  readonly #writer = new SpanWriter()
  /** Batches that wait, the oldest first. */
  #batches: SpanBatch[] = []
  /** Of batches, those that are being sent included. */
  #bytes = 0
  #timer: Timer | undefined
  #sends = new Set<Promise<boolean>>()
  /** The collector is left alone until then. */
  #pause: Timer | undefined
  #dropped = 0
  #lastWarning: (() => number) | undefined
  /** Of what has been cleared, nothing comes back. */
  #generation = 0

  constructor(private readonly collector: () => Collector) {}

  /** @param spans of one trace, as JSON, comma-separated. A full batch is sent at once, others after a delay */
  add(spans: string, count: number) {
    if (!this.#writer.hasRoom(spans)) this.#takeBatch()
    if (this.size + spans.length > KEPT_BYTES_MAX) {
      this.#dropped += count
      return
    }
    this.#writer.write(spans, count)
    this.#timer ??= setTimeout(() => this.#takeBatch(), env.OTEL_BSP_SCHEDULE_DELAY).unref()
  }

  /** Bytes that wait or are being sent. */
  get size() {
    return this.#bytes + this.#writer.size
  }

  clear() {
    this.#writer.clear()
    this.#batches = []
    this.#bytes = this.#dropped = 0
    this.#generation++
    clearTimeout(this.#timer)
    clearTimeout(this.#pause)
    this.#timer = this.#pause = this.#lastWarning = undefined
    this.#sends.clear()
  }

  /** What waits, as far as the collector takes it within the time that the end of a process has. */
  async flush() {
    const elapsed = stopwatch()
    const limited = () => Math.max(1, LAST_FLUSH_TIMEOUT_MS - elapsed())
    this.#queueWritten()
    clearTimeout(this.#pause)
    while ((this.#sends.size || this.#batches.length) && elapsed() < LAST_FLUSH_TIMEOUT_MS) {
      // Each that ends begins the next one.
      if (this.#sends.size) await Promise.race([...this.#sends, Bun.sleep(limited())])
      else if (!(await this.#send(limited()))) return
    }
  }

  #takeBatch() {
    this.#queueWritten()
    this.#sendWaiting()
  }

  #queueWritten() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#writer.size) return
    const batch = this.#writer.take(this.collector())
    this.#batches.push(batch)
    this.#bytes += batch.body.length
  }

  #sendWaiting() {
    while (!this.#pause && this.#batches.length && this.#sends.size < SENDS_MAX) {
      const send = this.#send(this.collector().timeout_ms)
      this.#sends.add(send)
      void send.then(() => {
        if (this.#sends.delete(send)) this.#sendWaiting()
      })
    }
  }

  /** @returns false when the collector is to be left alone for a while */
  async #send(timeout_ms: number): Promise<boolean> {
    const generation = this.#generation
    const batch = this.#batches.shift()!
    const outcome = await ask(this.collector(), batch, timeout_ms)
    if (generation !== this.#generation) return false
    if (outcome?.isRetried) {
      this.#batches.unshift(batch)
      this.#pauseFor(outcome.wait_ms ?? RETRY_MIN_MS)
    } else {
      this.#bytes -= batch.body.length
      if (outcome) this.#dropped += batch.count
    }
    if (outcome) this.#warn(outcome.reason)
    return !outcome?.isRetried
  }

  #pauseFor(ms: number) {
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#sendWaiting()
    }, ms).unref()
  }

  #warn(reason: string) {
    if (this.#lastWarning && this.#lastWarning() < WARNING_EVERY_MS) return
    this.#lastWarning = stopwatch()
    log.warn('traces not sent', { reason, dropped_spans: this.#dropped })
    this.#dropped = 0
  }
}

/** @returns undefined when the collector has taken all */
async function ask({ url, headers }: Collector, { body }: SpanBatch, timeout_ms: number): Promise<Outcome | undefined> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new NetworkError('timeout')), timeout_ms)
  try {
    const sent = { ...headers, 'content-type': 'application/json' }
    const response = await upstreamFetch({ url, headers: sent, body }, abort, timeout_ms)
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
