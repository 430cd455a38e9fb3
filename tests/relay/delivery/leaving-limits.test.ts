/** How far an upstream is read on once its client has left, and what is billed without a report. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { skipTime } from '../../../src/process/clock.ts'
import { setCoarseTimer } from '../../../src/process/coarse-timer.ts'
import { logsOf } from '../../support/app/logs.ts'
import { grownSince, readMetrics } from '../../support/app/metrics.ts'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { leavingClient } from '../../support/people/leaving-client.ts'
import { until } from '../../support/until.ts'
import { hangs, hangsAfter, inTurn, refuses, chat as says } from '../../support/upstream/chat-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { Pause, pausedStream } from '../../support/upstream/paused-upstream.ts'
import { channelTo, deleteChannels, startUpstream } from '../../support/upstream/served-channel.ts'

const THINKER = 'o3'
/** Its most output is 32,768 tokens, which it thinks in 547 s. */
const LONG_THINKER = 'o1-preview'
await setPrice('ModelRatio', { [MODEL]: 1.25, [THINKER]: 1, [LONG_THINKER]: 1 })
await setPrice('CompletionRatio', { [MODEL]: 4, [THINKER]: 4, [LONG_THINKER]: 4 })
const upstream = await startUpstream()
afterAll(() => expect(upstream.violations).toEqual([]))
beforeEach(async () => {
  await channelTo(upstream, { models: [MODEL, THINKER, LONG_THINKER].join() })
})
afterEach(deleteChannels)

const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

const leave = leavingClient(upstream)
const stream = (model = MODEL) => ({ model, stream: true, messages: [{ role: 'user', content: 'Say hello' }] })
const whole = (model = MODEL) => ({ ...stream(model), stream: false })
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`

test('an upstream that never reports is aborted after the time of the option', async () => {
  upstream.scripts(MODEL, hangsAfter(4))
  const ann = await client()
  const call = await leave(ann, stream(), { when: 'three' })
  skipTime(10)
  expect(await call.ended).toBe('aborted')
  const entry = await entryOf(ann)
  expect(entry).toMatchObject({ other: { stream_status: 'abandoned', counted_locally: true } })
  expect(entry.completion_tokens).toBeOneOf([3, 4])
  expect(await ann.balance()).toBe(RICH - quotaOf(entry.prompt_tokens, entry.completion_tokens))
})

test.each([
  ['with 0 seconds', async () => setOption('SettleAfterLeave', 0)],
  [
    'on a channel that cancels',
    async () => {
      await deleteChannels()
      await channelTo(upstream, { models: `${MODEL},${THINKER}`, setting: JSON.stringify({ cancel_on_leave: true }) })
    },
  ],
] as const)('an upstream is aborted at once %s, whole answers too', async (how, cancel) => {
  upstream.scripts(MODEL, hangsAfter(4))
  await cancel()
  const ann = await client()
  expect(await (await leave(ann, stream(), { when: 'three' })).ended).toBe('aborted')
  const entry = await entryOf(ann)
  expect(entry).toMatchObject({ other: { stream_status: 'abandoned' } })
  expect(entry.completion_tokens).toBeOneOf([3, 4])
  upstream.scripts(MODEL, hangs())
  const bea = await client()
  expect(await (await leave(bea, whole())).ended).toBe('aborted')
  const { completion_tokens, other, use_time } = await entryOf(bea)
  expect(other).toMatchObject({ partial: true })
  // A whole answer counts by its time, unless the channel charges for what it has sent alone.
  expect(completion_tokens).toBeWithin(0, how === 'with 0 seconds' ? 20 * (use_time + 1) : 1)
  await setOption('SettleAfterLeave', 10)
})

test('an endless stream is read on for a megabyte', async () => {
  const pause = new Pause()
  upstream.scripts(MODEL, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(chunk({ content: 'begun' }))
    await pause.wait()
    while (!answer.gone) await answer.write(chunk({ content: 'x'.repeat(1000) }))
  })
  const ann = await client({}, 2_000_000_000)
  const call = await leave(ann, stream(), { when: 'begun' })
  pause.release()
  expect(await call.ended).toBe('aborted')
  const { completion_tokens } = await entryOf(ann)
  // A megabyte of such events is as much text: of 8 characters a token, estimated as more beyond what is kept.
  expect(completion_tokens).toBeGreaterThan(900_000 / 10)
  expect(completion_tokens).toBeLessThan(1_600_000 / 2)
})

test.each([
  ['stream', { ...stream(THINKER) }],
  ['whole answer', { ...whole(THINKER) }],
])('a model that thinks unseen is read on for a minute, then billed by the time: %s', async (_, body) => {
  upstream.scripts(THINKER, body.stream ? hangsAfter(1) : hangs())
  const ann = await client()
  const call = await leave(ann, { ...body, max_tokens: 10_000 }, { when: body.stream ? 'data:' : '' })
  skipTime(40)
  // The limits of time are looked at every second, by a timer that ticks with this one.
  await new Promise<void>(resolve => setCoarseTimer(1100, resolve))
  expect(await logsOf(ann.person)).toEqual([])
  skipTime(20)
  expect(await call.ended).toBe('aborted')
  const { completion_tokens, quota, other } = await entryOf(ann)
  // 60 tokens a second.
  expect(completion_tokens).toBeGreaterThanOrEqual(60 * 60)
  expect(completion_tokens).toBeLessThanOrEqual(10_000)
  expect(other).toMatchObject({ partial: true, reasoning_tokens: completion_tokens })
  expect(await ann.balance()).toBe(RICH - quota)
})

test('a budget for thinking and a limit of output limit what is billed by time', async () => {
  upstream.scripts(THINKER, hangs())
  for (const n of [1, 2]) {
    const ann = await client()
    const call = await leave(ann, { ...whole(THINKER), max_tokens: 100, n })
    skipTime(61)
    expect(await call.ended).toBe('aborted')
    expect(await entryOf(ann)).toMatchObject({ completion_tokens: 100 * n })
  }
})

test('hidden thinking outgrows its reservation while the stream is silent, and ends where nothing is free', async () => {
  const pauses = [new Pause(), new Pause()]
  upstream.scripts(LONG_THINKER, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(chunk({ role: 'assistant' }))
    for (const [index, pause] of pauses.entries()) {
      await pause.wait()
      await answer.write(`: still ${index}\n\n`)
    }
    await answer.left
  })
  const holding = new Pause()
  upstream.scripts(MODEL, async (call, answer) => {
    await holding.wait()
    await says()(call, answer)
  })
  const ann = await client({}, 4 * 4 * 33_000)
  const response = await ann.stream({ model: LONG_THINKER })
  const other = ann.chat({ max_tokens: 1_000_000 }) // holds what is free
  await holding.arrived
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    const { value, done } = await reader.read()
    text += value ?? ''
    return !done
  }
  for (const [index, pause] of pauses.entries()) {
    skipTime(280)
    pause.release()
    while (!text.includes(`still ${index}`)) await read()
  }
  while (await read());
  expect(text).toContain('insufficient_user_quota')
  const entry = await until(async () =>
    (await logsOf(ann.person)).find((entry: { model_name: string }) => entry.model_name === LONG_THINKER),
  )
  expect(entry).toMatchObject({ other: { stream_status: 'exhausted' } })
  holding.release()
  expect((await other).status).toBe(200)
})

test('a caller who hangs up keeps the slot until the upstream has ended', async () => {
  await setOption('UserConcurrencyLimit', 1)
  const pause = new Pause()
  const usage = { prompt_tokens: 9, completion_tokens: 5000 }
  const rest = [chunk({}, { usage }), 'data: [DONE]\n\n']
  upstream.scripts(MODEL, (_, answer) => pausedStream([chunk({ content: 'begun' })], rest, pause)(answer))
  const ann = await client()
  await leave(ann, stream(), { when: 'begun' })
  expect((await ann.chat()).status).toBe(429)
  pause.release()
  expect(await entryOf(ann)).toMatchObject({ completion_tokens: 5000, other: { stream_status: 'abandoned' } })
  upstream.scripts(MODEL, says())
  expect((await ann.chat()).status).toBe(200)
  await setOption('UserConcurrencyLimit', 0)
})

test('a call whose client has left is not tried on another channel', async () => {
  await channelTo(upstream)
  await setOption('RetryTimes', 3)
  const pause = new Pause()
  const fails: Script = async (call, answer) => {
    await pause.wait()
    await refuses(500)(call, answer)
  }
  upstream.scripts(MODEL, inTurn(fails, says()))
  await setOption('UserConcurrencyLimit', 1)
  const ann = await client()
  const before = upstream.journal.length
  const counted = await readMetrics()
  await leave(ann, whole())
  pause.release()
  await until(async () => (await ann.chat()).status === 200)
  expect(upstream.journal).toHaveLength(before + 2)
  const attempts = Object.keys(grownSince(counted, await readMetrics())).join('\n')
  expect(attempts).toContain('outcome="500"')
  expect(attempts).not.toContain('outcome="left"')
  expect(await logsOf(ann.person)).toHaveLength(1)
  await setOption('UserConcurrencyLimit', 0)
  await setOption('RetryTimes', 0)
})

test('a whole answer that does not come within a minute is billed by the time: 20 tokens a second', async () => {
  upstream.scripts(MODEL, hangs())
  const ann = await client()
  const call = await leave(ann, { ...whole(), max_tokens: 1500 })
  skipTime(40)
  await new Promise<void>(resolve => setCoarseTimer(1100, resolve))
  expect(await logsOf(ann.person)).toEqual([])
  skipTime(20)
  expect(await call.ended).toBe('aborted')
  const { completion_tokens, other } = await entryOf(ann)
  expect(completion_tokens).toBeWithin(60 * 20, 1501)
  expect(other.reasoning_tokens).toBeUndefined()
})
