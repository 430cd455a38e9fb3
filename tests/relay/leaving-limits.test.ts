/** How far an upstream is read on once its client has left, and what is billed without a report. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { skipTime } from '../../src/process/clock.ts'
import { setCoarseTimer } from '../../src/process/coarse-timer.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setPrice } from '../support/app/prices.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { until } from '../support/until.ts'
import { hangs, hangsAfter, inTurn, refuses, chat as says } from '../support/upstream/chat-scripts.ts'
import { sounds } from '../support/upstream/endpoint-scripts.ts'
import type { Call, Script } from '../support/upstream/openai.ts'
import { Park, parkedStream } from '../support/upstream/parked.ts'
import { channelTo, deleteChannels, startUpstream } from '../support/upstream/served-channel.ts'

const THINKER = 'o3'
/** Its most output is 32,768 tokens, which it thinks in 547 s. */
const LONG_THINKER = 'o1-preview'
const PAINTER = 'gpt-image-1'
await setPrice('ModelRatio', { [MODEL]: 1.25, [THINKER]: 1, [LONG_THINKER]: 1, [PAINTER]: 1, flux: 2, 'tts-1': 1 })
await setPrice('CompletionRatio', { [MODEL]: 4, [THINKER]: 4, [LONG_THINKER]: 4, [PAINTER]: 8 })
const upstream = await startUpstream()
afterAll(() => expect(upstream.complaints).toEqual([]))
beforeEach(async () => {
  await channelTo(upstream, { models: [MODEL, THINKER, LONG_THINKER, PAINTER, 'flux', 'tts-1'].join() })
})
afterEach(deleteChannels)

const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

/** Sends a call, waits until its upstream is at work and some of its answer has come, and leaves. */
async function leave(ann: Client, body: object, { path = '/v1/chat/completions', when = '' } = {}): Promise<Call> {
  const before = upstream.journal.length
  const leaving = new AbortController()
  const response = ann.postTo(path, body, { signal: leaving.signal })
  const call = await until(() => upstream.journal[before])
  if (when) await comes(await response, when)
  leaving.abort()
  await response.catch(() => undefined)
  await until(() => app.server!.pendingRequests === 0)
  return call
}

async function comes(response: Response, words: string) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes(words); ) text += (await reader.read()).value
  reader.releaseLock()
}

const stream = (model = MODEL) => ({ model, stream: true, messages: [{ role: 'user', content: 'Say hello' }] })
const whole = (model = MODEL) => ({ ...stream(model), stream: false })
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`

test('an upstream that never reports is aborted after the time of the option', async () => {
  upstream.says(MODEL, hangsAfter(4))
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
] as const)('an upstream is aborted at once %s, whole answers too', async (_, cancel) => {
  upstream.says(MODEL, hangsAfter(4))
  await cancel()
  const ann = await client()
  expect(await (await leave(ann, stream(), { when: 'three' })).ended).toBe('aborted')
  const entry = await entryOf(ann)
  expect(entry).toMatchObject({ other: { stream_status: 'abandoned' } })
  expect(entry.completion_tokens).toBeOneOf([3, 4])
  upstream.says(MODEL, hangs())
  const bea = await client()
  expect(await (await leave(bea, whole())).ended).toBe('aborted')
  expect(await entryOf(bea)).toMatchObject({ completion_tokens: 0, other: { partial: true } })
  await setOption('SettleAfterLeave', 10)
})

test('an endless stream is read on for a megabyte', async () => {
  const park = new Park()
  upstream.says(MODEL, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(chunk({ content: 'begun' }))
    await park.wait()
    while (!answer.gone) await answer.write(chunk({ content: 'x'.repeat(1000) }))
  })
  const ann = await client({}, 2_000_000_000)
  const call = await leave(ann, stream(), { when: 'begun' })
  park.release()
  expect(await call.ended).toBe('aborted')
  const { completion_tokens } = await entryOf(ann)
  // A megabyte of such events is as much text, of 8 characters a token.
  expect(completion_tokens).toBeGreaterThan(900_000 / 10)
  expect(completion_tokens).toBeLessThan(1_200_000 / 4)
})

test.each([
  ['stream', { ...stream(THINKER) }],
  ['whole answer', { ...whole(THINKER) }],
])('a model that thinks unseen is read on for a minute, then billed by the time: %s', async (_, body) => {
  upstream.says(THINKER, body.stream ? hangsAfter(1) : hangs())
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
  upstream.says(THINKER, hangs())
  const ann = await client()
  const call = await leave(ann, { ...whole(THINKER), max_tokens: 100 })
  skipTime(61)
  expect(await call.ended).toBe('aborted')
  expect(await entryOf(ann)).toMatchObject({ completion_tokens: 100 })
})

test('hidden thinking outgrows its reservation while the stream is silent, and ends where nothing is free', async () => {
  const parks = [new Park(), new Park()]
  upstream.says(LONG_THINKER, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(chunk({ role: 'assistant' }))
    for (const [index, park] of parks.entries()) {
      await park.wait()
      await answer.write(`: still ${index}\n\n`)
    }
    await answer.left
  })
  const holding = new Park()
  upstream.says(MODEL, async (call, answer) => {
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
  for (const [index, park] of parks.entries()) {
    skipTime(280)
    park.release()
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
  const park = new Park()
  const usage = { prompt_tokens: 9, completion_tokens: 5000 }
  const rest = [chunk({}, { usage }), 'data: [DONE]\n\n']
  upstream.says(MODEL, (_, answer) => parkedStream([chunk({ content: 'begun' })], rest, park)(answer))
  const ann = await client()
  await leave(ann, stream(), { when: 'begun' })
  expect((await ann.chat()).status).toBe(429)
  park.release()
  expect(await entryOf(ann)).toMatchObject({ completion_tokens: 5000, other: { stream_status: 'abandoned' } })
  upstream.says(MODEL, says())
  expect((await ann.chat()).status).toBe(200)
  await setOption('UserConcurrencyLimit', 0)
})

test('a call whose client has left is not tried on another channel', async () => {
  await channelTo(upstream)
  await setOption('RetryTimes', 3)
  const park = new Park()
  const fails: Script = async (call, answer) => {
    await park.wait()
    await refuses(500)(call, answer)
  }
  upstream.says(MODEL, inTurn(fails, says()))
  await setOption('UserConcurrencyLimit', 1)
  const ann = await client()
  const before = upstream.journal.length
  await leave(ann, whole())
  park.release()
  await until(async () => (await ann.chat()).status === 200)
  expect(upstream.journal).toHaveLength(before + 2)
  expect(await logsOf(ann.person)).toHaveLength(1)
  await setOption('UserConcurrencyLimit', 0)
  await setOption('RetryTimes', 0)
})

const partial = (index: number) =>
  `data: ${JSON.stringify({ type: 'image_generation.partial_image', partial_image_index: index, b64_json: 'aGk=' })}\n\n`
const picture = {
  type: 'image_generation.completed',
  b64_json: 'aGk=',
  usage: { input_tokens: 10, output_tokens: 1056, total_tokens: 1066 },
}
const paint = { model: PAINTER, prompt: 'A cat', stream: true, partial_images: 3, size: '1024x1024', quality: 'medium' }
const images = { path: '/v1/images/generations', when: 'partial' }

test('a picture that is left at a partial one is read on to its report', async () => {
  const park = new Park()
  const before = [partial(0), partial(1), partial(2)]
  const rest = [`data: ${JSON.stringify(picture)}\n\n`]
  upstream.says(PAINTER, (_, answer) => parkedStream(before, rest, park)(answer))
  const ann = await client()
  await leave(ann, paint, images)
  park.release()
  expect(await entryOf(ann)).toMatchObject({ prompt_tokens: 10, completion_tokens: 1056, other: { partial: true } })
})

test.each(['left', 'broken'])('a partial picture that is %s is billed as complete', async how => {
  upstream.says(PAINTER, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(partial(0))
    if (how === 'left') await answer.left
  })
  const ann = await client()
  if (how === 'left') {
    const call = await leave(ann, { ...paint, n: 2 }, images)
    skipTime(11)
    expect(await call.ended).toBe('aborted')
  } else {
    upstream.says(PAINTER, async (_, answer) => {
      await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
      await answer.write(partial(0))
      await Bun.sleep(20)
      answer.reset()
    })
    await (await ann.postTo(images.path, { ...paint, n: 2 })).text()
  }
  const { completion_tokens, other } = await entryOf(ann)
  expect(completion_tokens).toBe(2 * 1056)
  expect(other).toMatchObject({ partial: true, stream_status: how === 'left' ? 'abandoned' : 'broken' })
})

test('speech that is left early costs its whole text, and its upstream is aborted', async () => {
  upstream.says('tts-1', async (_, answer) => {
    await answer.head(200, { 'content-type': 'audio/mpeg' }, 'chunked')
    await answer.write('begun')
    await answer.left
  })
  const speech = { model: 'tts-1', voice: 'alloy', input: 'Twenty characters...' }
  const ann = await client()
  const call = await leave(ann, speech, { path: '/v1/audio/speech', when: 'begun' })
  expect(await call.ended).toBe('aborted')
  expect(await entryOf(ann)).toMatchObject({ prompt_tokens: 20 })
  upstream.says('tts-1', sounds(Buffer.from('all of it')))
  const bea = await client()
  await (await bea.postTo('/v1/audio/speech', speech)).arrayBuffer()
  expect(await bea.balance()).toBe(await ann.balance())
  expect((await auditWallets()).difference).toBeUndefined()
})
