/** The limit of concurrent calls of a user. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { open } from '../../../src/domain/wallet/reservations.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf } from '../../support/people/client.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, hangs, hangsAfter, refuses, resetsAfter } from '../../support/upstream/chat-scripts.ts'
import { sounds } from '../../support/upstream/endpoint-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream, { models: 'gpt-4o,tts-1' })
const TALKER = 'gpt-4o-realtime-preview'
const talking = realtimeUpstream()
afterAll(() => talking.stop())
await channelTo(talking.url, { models: TALKER })
await setOption('UserConcurrencyLimit', 20)
await setOption('SettleAfterLeave', 0)
const ann = await client()
const eve = await client()

afterAll(() => setOption('UserConcurrencyLimit', 0))
afterEach(() => until(() => open.size === 0))

/** Streams that say one thing and go on when they are let. */
function gate(): { script: Script; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const [start, rest] = [hangsAfter(2), promise]
  return {
    script: async (call, answer) => {
      await Promise.race([start(call, answer), rest])
      await answer.write('data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
      await answer.write('data: [DONE]\n\n')
      await answer.end()
    },
    open: resolve,
  }
}

test('exactly as many of 500 streams run as allowed, and no slot is left behind', async () => {
  const held = gate()
  upstream.scripts('gpt-4o', held.script)
  const answers = await Promise.all(Array.from({ length: 500 }, () => ann.stream()))
  const admitted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  expect([admitted.length, refused.length]).toEqual([20, 480])
  expect(open.size).toBe(20)
  expect(refused.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
  expect(await errorOf(refused[0]!)).toMatchObject({ code: 'too_many_at_once' })

  const other = await eve.stream()
  expect(other.status).toBe(200)
  held.open()
  for (const answer of [...admitted, other]) expect(await readStream(answer)).toMatchObject({ done: true })
  upstream.scripts('gpt-4o', chat())
  expect((await ann.chat()).status).toBe(200)
})

test('all keys of a user share the limit, and every ending frees the slot', async () => {
  await setOption('UserConcurrencyLimit', 1)
  const again = await clientOf(ann.person)
  upstream.scripts('gpt-4o', hangs())
  const leaving = new AbortController()
  const waiting = ann.chat({}, { signal: leaving.signal }).catch(error => error.name)
  await until(() => open.size === 1)
  expect((await again.chat()).status).toBe(429)
  leaving.abort()
  expect(await waiting).toBe('AbortError')
  await until(async () => (await again.chat({ model: 'nobody-serves-this' })).status === 404)

  upstream.scripts('gpt-4o', hangsAfter(2))
  const stream = await ann.stream()
  expect((await again.chat()).status).toBe(429)
  await stream.body!.cancel()
  upstream.scripts('gpt-4o', chat())
  await until(async () => (await again.chat()).status === 200)
})

const drained = async (answer: Promise<Response>) => void (await (await answer).text().catch(() => {}))
const abandoned = async (answer: Promise<Response>) => void (await (await answer).body!.cancel())
const speech = { model: 'tts-1', voice: 'alloy', input: 'Hello' }

/** Opens a session, as far as it opens, and ends it. */
async function converse(who: Client) {
  const headers = { authorization: `Bearer sk-${who.key}` }
  const socket = new WebSocket(`${who.url.replace('http', 'ws')}/v1/realtime?model=${TALKER}`, { headers } as never)
  await new Promise<void>(done => {
    socket.onmessage = () => socket.close()
    socket.onclose = () => done()
  })
}

const endings: [string, Script, (who: Client) => Promise<unknown>][] = [
  ['answered', chat(), who => drained(who.chat())],
  ['streamed', chat(), who => drained(who.stream())],
  ['refused by the upstream', refuses(500), who => drained(who.chat())],
  ['broken off', resetsAfter(2), who => drained(who.stream())],
  ['left', hangsAfter(2), who => abandoned(who.stream())],
  ['full of words', chat(), who => drained(who.chat({ messages: [{ role: 'user', content: 'test_sensitive' }] }))],
  ['too dear', chat(), who => drained(who.chat({ max_tokens: 1_000_000_000 }))],
  ['nobody’s', chat(), who => drained(who.chat({ model: 'nobody-serves-this' }))],
  ['a file', sounds(Buffer.alloc(1000)), who => drained(who.postTo('/v1/audio/speech', speech))],
  ['a file that is left', sounds(Buffer.alloc(8_000_000)), who => abandoned(who.postTo('/v1/audio/speech', speech))],
  ['a session', chat(), converse],
]

test.each(endings)('a call that is %s frees its slot once', async (_, script, call) => {
  await setOption('UserConcurrencyLimit', 1)
  const bob = await client()
  for (const model of ['gpt-4o', 'tts-1']) upstream.scripts(model, script)
  await call(bob)
  await until(() => open.size === 0)
  const held = gate()
  upstream.scripts('gpt-4o', held.script)
  const stream = await until(async () => {
    const answer = await bob.stream()
    return answer.status === 200 ? answer : undefined
  })
  expect((await bob.chat()).status).toBe(429)
  held.open()
  expect(await readStream(stream)).toMatchObject({ done: true })
  upstream.scripts('gpt-4o', chat())
})

test('the exempt group has no concurrency limit', async () => {
  await setOption('UserConcurrencyLimit', 1)
  await setOption('global.rate_limit_exempt_group', 'default')
  await setOption('global.rate_limit_exempt_enabled', true)
  const answers = await Promise.all(Array.from({ length: 5 }, () => ann.chat()))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await setOption('global.rate_limit_exempt_enabled', false)
})
