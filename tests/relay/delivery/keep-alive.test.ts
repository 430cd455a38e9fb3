// @engine sqlite
// @waits
/** Comments for clients that wait for a stream. */
import { afterAll, expect, test } from 'bun:test'
import { open } from '../../../src/domain/wallet/reservations.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { client, quotaOf, RICH } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, hangs, refuses } from '../../support/upstream/chat-scripts.ts'
import type { Script } from '../../support/upstream/openai.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
await setOption('general_setting.ping_interval_seconds', 1)
await setOption('general_setting.ping_interval_enabled', true)
afterAll(() => setOption('general_setting.ping_interval_enabled', false))

const late =
  (script: Script, ms: number): Script =>
  async (call, answer) => {
    await Bun.sleep(ms)
    await script(call, answer)
  }

test('comments are no part of the response and not billed, before and after its first event', async () => {
  const ann = await client()
  const usage = { prompt_tokens: 9, completion_tokens: 2 }
  upstream.scripts('gpt-4o', late(chat({ text: 'slow answer', usage, pause_ms: 1200 }), 1200))
  const stream = await readStream(await ann.stream({ stream_options: { include_usage: true } }))
  expect(stream).toMatchObject({ text: 'slow answer', done: true, usage })
  expect(stream.raw.match(/^: PING$/gm)!.length).toBeGreaterThanOrEqual(3)
  expect(stream.raw.replaceAll(': PING\n\n', '')).toMatch(/^(data: .+\n\n)+$/)
  expect(await ann.balance()).toBe(RICH - quotaOf(9, 2))
})

test('a slow response arrives without comments while they are off', async () => {
  await setOption('general_setting.ping_interval_enabled', false)
  const ann = await client()
  upstream.scripts('gpt-4o', late(chat({ text: 'slow answer' }), 1500))
  const stream = await readStream(await ann.stream())
  await setOption('general_setting.ping_interval_enabled', true)
  expect(stream).toMatchObject({ text: 'slow answer', done: true })
  expect(stream.raw).not.toContain('PING')
})

test('a client that disconnects while waiting aborts the upstream and pays for the prompt', async () => {
  const ann = await client()
  const before = upstream.journal.length
  upstream.scripts('gpt-4o', hangs())
  await setOption('SettleAfterLeave', 0)
  const answer = await ann.stream()
  const reader = answer.body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe(': PING\n\n')
  await reader.cancel()
  expect(await upstream.journal[before]!.ended).toBe('aborted')
  await setOption('SettleAfterLeave', 10)
  await until(() => open.size === 0)
  const [entry] = await until(async () => {
    const entries = await logsOf(ann.person)
    return entries.length && entries
  })
  expect(entry).toMatchObject({ completion_tokens: 0, other: { partial: true, stream_status: 'abandoned' } })
})

test('an error after a comment becomes an event, costs nothing and frees the slot', async () => {
  await setOption('UserConcurrencyLimit', 1)
  const ann = await client()
  upstream.scripts('gpt-4o', late(refuses(500), 1500))
  const stream = await readStream(await ann.stream())
  expect(stream).toMatchObject({ done: false, error: { type: 'server_error' } })
  upstream.scripts('gpt-4o', chat())
  expect((await ann.chat()).status).toBe(200)
  await setOption('UserConcurrencyLimit', 0)
})
