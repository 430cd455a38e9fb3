/** Calls that a collector is sent the spans of. Loading this file switches traces on for its tests. */
import { afterAll, afterEach, beforeEach, expect } from 'bun:test'
import type { Env } from '../../../src/env.ts'
import { setEnv } from '../env.ts'
import { client } from '../people/client.ts'
import { until } from '../until.ts'
import { chat } from '../upstream/chat-scripts.ts'
import { served } from '../upstream/served-channel.ts'
import { otlpReceiver } from './receiver.ts'

export const collector = otlpReceiver()
afterAll(() => collector.stop())

const on: Partial<Env> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: 1 }
beforeEach(() => void setEnv(on))
afterEach(() => expect(collector.flaws).toEqual([]))

const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } }
export const answer = chat({ usage, text: 'An answer of the model' })
export const { id, upstream, scripts } = await served(answer)
export const bob = await client()

let count = 0
/** The trace that a client has begun. */
export const context = (flags = '01') => {
  const trace = (++count).toString(16).padStart(32, 'a')
  const span = count.toString(16).padStart(16, 'b')
  return { trace, span, headers: { traceparent: `00-${trace}-${span}-${flags}`, tracestate: 'shop=cart-7' } }
}

/** All spans of a call come at one time. */
export async function spansOf(trace: string, ends = 'settle') {
  await until(() => collector.named(trace).has(ends))
  return collector.named(trace)
}

export async function traced(call: (init: RequestInit) => Promise<Response>, ends?: string) {
  const { trace, span, headers } = context()
  const response = await call({ headers })
  await response.text().catch(() => {})
  return { spans: await spansOf(trace, ends), parent: span, status: response.status, trace }
}
