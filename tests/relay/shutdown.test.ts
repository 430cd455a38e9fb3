/** The end of the process: new calls are refused, running ones are ended and billed. */
import { expect, test } from 'bun:test'
import { SETTLE_AFTER_LEAVE_MAX } from '../../src/contracts/relay.ts'
import { abortCalls, beginStopping } from '../../src/process/shutdown.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client, MODEL } from '../support/people/client.ts'
import { errorOf, readStream, textArrives } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { hangs, hangsAfter } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

test('streams run until the deadline, then end with an error and a bill; files and calls that are left are aborted and billed', async () => {
  const upstream = await startUpstream(hangsAfter(4))
  await channelTo(upstream, { models: `${MODEL},tts-1,gpt-4o-mini` })
  const ann = await client()
  const bea = await client()
  upstream.scripts('gpt-4o-mini', hangs())
  const leaving = new AbortController()
  const left = bea.chat({ model: 'gpt-4o-mini' }, { signal: leaving.signal }).catch(() => undefined)
  await until(() => upstream.journal[0])
  leaving.abort()
  await left
  await until(() => app.server!.pendingRequests === 0)
  // Nothing has come of it yet, so that the deadline leaves it alone until its client leaves.
  const waits = new AbortController()
  const waiting = (await client()).chat({ model: 'gpt-4o-mini' }, { signal: waits.signal }).catch(() => undefined)
  const asked = await until(() => upstream.journal[1])
  upstream.scripts('tts-1', async (_, answer) => {
    await answer.head(200, { 'content-type': 'audio/mpeg' }, 'chunked')
    await answer.write('begun')
    await answer.left
  })
  const running = await ann.stream()
  await textArrives(running, 'three')
  const file = await ann.postTo('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'Hello' })
  beginStopping()
  const late = await ann.chat()
  expect(late.headers.get('retry-after')).toBe('1')
  expect(await errorOf(late)).toMatchObject({ status: 503, code: 'stopping' })
  abortCalls()
  expect(await readStream(running)).toMatchObject({ text: 'one two three ', done: false, error: { code: 'stopping' } })
  await setOption('SettleAfterLeave', SETTLE_AFTER_LEAVE_MAX)
  waits.abort()
  await waiting
  const left_at = performance.now()
  await asked.ended
  expect(performance.now() - left_at).toBeLessThan((SETTLE_AFTER_LEAVE_MAX * 1000) / 2)
  for (const { ended } of upstream.journal) expect(await ended).toBe('aborted')
  expect(await until(async () => (await logsOf(bea.person))[0])).toMatchObject({ other: { partial: true } })
  await expect(file.arrayBuffer()).rejects.toThrow()
  const [spoken, entry] = (
    await until(async () => {
      const entries = await logsOf(ann.person)
      return entries.length === 2 && entries
    })
  ).sort((one: any, other: any) => other.model_name.localeCompare(one.model_name))
  expect(spoken).toMatchObject({ model_name: 'tts-1', other: { partial: true } })
  expect(entry).toMatchObject({ completion_tokens: 4, other: { stream_status: 'stopped', partial: true } })
})
