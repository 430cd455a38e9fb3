/** Pictures and speech whose client leaves: priced by the report, else by all that is in the making. */
import { afterAll, expect, test } from 'bun:test'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { skipTime } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { comes, leavingClient } from '../../support/people/leaving-client.ts'
import { until } from '../../support/until.ts'
import { hangs } from '../../support/upstream/chat-scripts.ts'
import { sounds } from '../../support/upstream/endpoint-scripts.ts'
import { Pause, pausedStream } from '../../support/upstream/paused-upstream.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const PAINTER = 'gpt-image-1'
await setPrice('ModelRatio', { [PAINTER]: 1, 'tts-1': 1 })
await setPrice('CompletionRatio', { [PAINTER]: 8 })
const upstream = await startUpstream()
afterAll(() => expect(upstream.violations).toEqual([]))
await channelTo(upstream, { models: `${PAINTER},tts-1` })

const leave = leavingClient(upstream)
const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])

const partial = (index: number) =>
  `data: ${JSON.stringify({ type: 'image_generation.partial_image', partial_image_index: index, b64_json: 'aGk=' })}\n\n`
const picture = {
  type: 'image_generation.completed',
  b64_json: 'aGk=',
  usage: { input_tokens: 10, output_tokens: 1056, total_tokens: 1066 },
}
const paint = { model: PAINTER, prompt: 'A cat', stream: true, partial_images: 3, size: '1024x1024', quality: 'medium' }
const images = { path: '/v1/images/generations', when: 'partial' }

test('pictures that are left before they come are billed as complete', async () => {
  upstream.scripts(PAINTER, hangs())
  const ann = await client()
  const call = await leave(ann, { ...paint, stream: false, partial_images: undefined, n: 2 }, { path: images.path })
  skipTime(11)
  expect(await call.ended).toBe('aborted')
  expect(await entryOf(ann)).toMatchObject({ completion_tokens: 2 * 1056, other: { partial: true } })
})

test('a picture that is left at a partial one is read on to its report', async () => {
  const pause = new Pause()
  const before = [partial(0), partial(1), partial(2)]
  const rest = [`data: ${JSON.stringify(picture)}\n\n`]
  upstream.scripts(PAINTER, (_, answer) => pausedStream(before, rest, pause)(answer))
  const ann = await client()
  await leave(ann, paint, images)
  pause.release()
  expect(await entryOf(ann)).toMatchObject({ prompt_tokens: 10, completion_tokens: 1056, other: { partial: true } })
})

test.each(['left', 'broken'])('a partial picture that is %s is billed as complete', async how => {
  const pause = new Pause()
  upstream.scripts(PAINTER, async (_, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    await answer.write(partial(0))
    await pause.wait()
    if (how === 'broken') answer.reset()
    await answer.left
  })
  const ann = await client()
  if (how === 'left') {
    const call = await leave(ann, { ...paint, n: 2 }, images)
    pause.release()
    skipTime(11)
    expect(await call.ended).toBe('aborted')
  } else {
    const response = await ann.postTo(images.path, { ...paint, n: 2 })
    await comes(response, images.when)
    pause.release()
  }
  const { completion_tokens, other } = await entryOf(ann)
  expect(completion_tokens).toBe(2 * 1056)
  expect(other).toMatchObject({ partial: true, stream_status: how === 'left' ? 'abandoned' : 'broken' })
})

test('speech that is left early costs its whole text, and its upstream is aborted', async () => {
  upstream.scripts('tts-1', async (_, answer) => {
    await answer.head(200, { 'content-type': 'audio/mpeg' }, 'chunked')
    await answer.write('begun')
    await answer.left
  })
  const speech = { model: 'tts-1', voice: 'alloy', input: 'Twenty characters...' }
  const ann = await client()
  const call = await leave(ann, speech, { path: '/v1/audio/speech', when: 'begun' })
  expect(await call.ended).toBe('aborted')
  expect(await entryOf(ann)).toMatchObject({ prompt_tokens: 20 })
  upstream.scripts('tts-1', sounds(Buffer.from('all of it')))
  const bea = await client()
  await (await bea.postTo('/v1/audio/speech', speech)).arrayBuffer()
  expect(await bea.balance()).toBe(await ann.balance())
  expect((await auditWallets()).difference).toBeUndefined()
})
