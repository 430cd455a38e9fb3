/** How many calls one account may have running at once. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { open } from '../../src/console/wallet/reservations.ts'
import { channelTo, client, clientOf, readStream, setOption, startUpstream, told, until } from '../support/relay.ts'
import { chat, hangs, hangsAfter } from '../support/scripts.ts'
import type { Script } from '../support/upstream.ts'

const SECOND = 1000
const upstream = await startUpstream(chat())
await channelTo(upstream)
await setOption('UserConcurrencyLimit', 20)
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

test(
  'of 500 streams at once, exactly as many as allowed run; the others leave nothing behind, and nobody else notices',
  async () => {
    const held = gate()
    upstream.says('gpt-4o', held.script)
    const answers = await Promise.all(Array.from({ length: 500 }, () => ann.stream()))
    const admitted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([admitted.length, refused.length]).toEqual([20, 480])
    expect(open.size).toBe(20)
    expect(refused.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
    expect(await told(refused[0]!)).toMatchObject({ code: 'too_many_at_once' })

    const other = await eve.stream()
    expect(other.status).toBe(200)
    held.open()
    for (const answer of [...admitted, other]) expect(await readStream(answer)).toMatchObject({ done: true })
    upstream.says('gpt-4o', chat())
    expect((await ann.chat()).status).toBe(200)
  },
  30 * SECOND,
)

test('every key of an account counts; a place is free again however its call ended', async () => {
  await setOption('UserConcurrencyLimit', 1)
  const again = await clientOf(ann.person)
  upstream.says('gpt-4o', hangs())
  const leaving = new AbortController()
  const waiting = ann.chat({}, { signal: leaving.signal }).catch(error => error.name)
  await until(() => open.size === 1)
  expect((await again.chat()).status).toBe(429)
  leaving.abort()
  expect(await waiting).toBe('AbortError')
  await until(async () => (await again.chat({ model: 'nobody-serves-this' })).status === 503)

  upstream.says('gpt-4o', hangsAfter(2))
  const stream = await ann.stream()
  expect((await again.chat()).status).toBe(429)
  await stream.body!.cancel()
  upstream.says('gpt-4o', chat())
  await until(async () => (await again.chat()).status === 200)
})

test('the exempt group has no limit', async () => {
  await setOption('UserConcurrencyLimit', 1)
  await setOption('global.rate_limit_exempt_group', 'default')
  await setOption('global.rate_limit_exempt_enabled', true)
  const answers = await Promise.all(Array.from({ length: 5 }, () => ann.chat()))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await setOption('global.rate_limit_exempt_enabled', false)
})
