/** Crowds at every type of channel: all leave at moments that are spread over the answers, or spend a balance at once. */
import { expect } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { app } from '../app/app.ts'
import { logsOf } from '../app/logs.ts'
import { setOption } from '../app/options.ts'
import { setPrice } from '../app/prices.ts'
import { loadTokenTables } from '../app/token-tables.ts'
import { until } from '../until.ts'
import { makeChannel } from '../upstream/channel.ts'
import type { RecordedProvider } from '../upstream/fixtures.ts'
import { Pause } from '../upstream/paused-upstream.ts'
import { type AnswerPlan, askIn, clientFormats, modelFor, play } from '../upstream/recorded-chats.ts'
import { withUpstream } from '../upstream/strict-provider.ts'
import { type Client, client, RICH } from './client.ts'
import { setUp } from './person.ts'

export interface Row {
  provider: RecordedProvider
  format: ClientFormatName
  stream: boolean
}

export const rowsOf = (providers: RecordedProvider[], formats: ClientFormatName[]) =>
  providers.flatMap(provider =>
    formats.flatMap(format =>
      [true, false].map(stream => {
        const row: Row = { provider, format, stream }
        return [provider.name, format, stream ? 'streamed' : 'whole', row] as const
      }),
    ),
  )

const REPORT = { prompt: 20, output: 4000 }
const OUTPUT_RATIO = 4
const COST = REPORT.prompt + OUTPUT_RATIO * REPORT.output

/** Every chat model of these costs one a token of the prompt, four of the output. */
export async function priceChats(providers: RecordedProvider[]) {
  const models = providers.flatMap(provider => clientFormats.map(format => modelFor(provider, format)))
  await setPrice('ModelRatio', Object.fromEntries(models.map(model => [model, 1])))
  await setPrice('CompletionRatio', Object.fromEntries(models.map(model => [model, OUTPUT_RATIO])))
  await setOption('SettleAfterLeave', 60)
  await loadTokenTables('gpt-4o')
  await setOption('ServerAddress', 'https://gate.example')
}

/** A channel to the provider for as long as a test runs. */
async function channelOf({ provider, format }: Row, plan: AnswerPlan) {
  const { server, upstream } = provider
  const fields = withUpstream(server.channel, upstream.url)
  const root = await setUp()
  const { id } = await makeChannel(root, {
    ...fields,
    models: modelFor(provider, format),
    base_url: upstream.url + (server.base ?? ''),
  })
  play(provider, server.channel, plan)
  return {
    async [Symbol.asyncDispose]() {
      await root.delete(`/api/channel/${id}`)
      expect(upstream.violations()).toEqual([])
    },
  }
}

const ask = (ann: Client, { provider, format, stream }: Row, signal?: AbortSignal): Promise<Response> => {
  const [path, body] = askIn(format, modelFor(provider, format), stream)
  return ann.postTo(path, body, { signal })
}

/** What a call costs whose client stays to the end; `isReported` where that is the report. */
async function costOf(row: Row): Promise<{ cost: number; isReported: boolean }> {
  await using _ = await channelOf(row, { report: () => REPORT })
  const ann = await client()
  const response = await ask(ann, row)
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  const { quota, other } = await until(async () => (await logsOf(ann.person))[0])
  const isReported = !other.counted_locally
  // Some charge a fee beside.
  if (isReported) expect(quota).toBeGreaterThanOrEqual(COST)
  return { cost: quota, isReported }
}

/**
 * Each upstream stops at its own step, all clients leave, and the upstreams go on.
 * @returns what was charged, and the cost of the same calls with clients that stay
 */
export async function leaveAtMoments(row: Row, calls: number) {
  const { cost, isReported } = await costOf(row)
  const pauses = Array.from({ length: calls }, () => new Pause())
  let begun = 0
  const stepper = (steps: number) => {
    const moment = begun++
    const at = Math.round((moment / (calls - 1)) * (steps - 1))
    let step = 0
    return async () => {
      if (step++ === at) await pauses[moment]!.wait()
    }
  }
  await using _ = await channelOf(row, { report: () => REPORT, stepper })
  const ann = await client()
  const leaving = new AbortController()
  const sent = pauses.map(() => ask(ann, row, leaving.signal).catch(() => undefined))
  await Promise.all(pauses.map(pause => pause.arrived))
  leaving.abort()
  await Promise.all(sent)
  await until(() => app.server!.pendingRequests === 0)
  for (const pause of pauses) pause.release()
  await until(async () => (await ann.person.get('/api/user/self')).data.request_count === calls)
  return { charged: RICH - (await ann.balance()), cost: calls * cost, isReported }
}

/** Output of an upstream that is told no limit. */
const MOST_OUTPUT = 100_000

/** All calls run at once; each upstream produces what it is told at most. @returns the balance then */
export async function spendAtOnce(row: Row, calls: number, quota: number): Promise<number> {
  const pause = new Pause()
  let waiting = 0
  const report = (limit = MOST_OUTPUT) => ({ prompt: 8, output: Math.min(limit, MOST_OUTPUT) })
  await using _ = await channelOf(row, {
    report,
    stepper: () => {
      let begun = false
      return async () => {
        if (begun) return
        begun = true
        waiting++
        await pause.wait()
      }
    },
  })
  const ann = await client({}, quota)
  let refused = 0
  const sent = Array.from({ length: calls }, async () => {
    const response = await ask(ann, row)
    if (response.status !== 200) refused++
    await response.text()
  })
  await until(() => waiting + refused === calls)
  pause.release()
  await Promise.all(sent)
  await until(async () => (await ann.person.get('/api/user/self')).data.request_count === waiting)
  return ann.balance()
}
