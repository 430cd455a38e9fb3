/** OpenAI's own client makes videos at makers that know nothing of OpenAI. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { setEnv } from '../support/env.ts'
import { type Client, client, RICH } from '../support/people/client.ts'
import { openAiOf } from '../support/people/openai-client.ts'
import { expectCleanBooks, rowOf } from '../support/people/tasks.ts'
import { looks, priced, SECOND_QUOTA, videoChannel } from '../support/people/videos.ts'
import { ali, ark, veo } from '../support/upstream/videos/clouds.ts'
import { kling } from '../support/upstream/videos/makers.ts'
import { FILM, type VideoWire, videoServer } from '../support/upstream/videos/server.ts'
import { vertexVeo } from '../support/upstream/videos/vertex.ts'

const wires = [kling, veo, vertexVeo, ark(45), ali]
const served = await Promise.all(
  wires.map(async wire => {
    const maker = await videoServer(wire)
    await videoChannel(wire, maker)
    return [`${wire.channel.type} ${wire.model}`, wire, maker] as const
  }),
)

let ann: Client
beforeEach(async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  await priced(...wires.map(({ model }) => model))
  ann = await client()
})
afterEach(expectCleanBooks)

/** Sizes that a maker takes, in pixels. */
const sizeFor = ({ model }: VideoWire) => (model.startsWith('kling') ? '1920x1080' : '1280x720')
const secondsFor = ({ channel: { type } }: VideoWire) => ([24, 41].includes(type) ? '8' : '10')

test.each(served)('%s: creates, polls, downloads, remixes, lists and deletes', async (_, wire, maker) => {
  maker.plays('ok')
  const { videos } = openAiOf(ann)
  const [seconds, size] = [secondsFor(wire), sizeFor(wire)]
  const asked = { model: wire.model, prompt: 'A toll gate at dawn', seconds, size }
  const begun = await videos.create(asked as Parameters<typeof videos.create>[0])
  expect(begun).toMatchObject({ object: 'video', status: 'queued', model: wire.model, seconds, size })
  await looks(3)
  const done = await videos.retrieve(begun.id)
  expect(done).toMatchObject({ id: begun.id, status: 'completed', progress: 100, error: null })
  const film = await videos.downloadContent(begun.id)
  expect([film.headers.get('content-type'), Buffer.from(await film.arrayBuffer())]).toEqual(['video/mp4', FILM])

  const remix = await videos.remix(begun.id, { prompt: 'The same by night' })
  expect(remix).toMatchObject({ status: 'queued', remixed_from_video_id: begun.id, seconds, size })
  expect(JSON.stringify(maker.submits().at(-1)!.body)).toContain('The same by night')
  expect(await rowOf(remix.id)).toMatchObject({ action: 'remix', origin_id: begun.id })
  await looks(3)
  expect(await videos.retrieve(remix.id)).toMatchObject({ status: 'completed' })
  expect(RICH - (await ann.balance())).toBe(2 * Number(seconds) * SECOND_QUOTA)

  const listed = []
  for await (const video of videos.list()) listed.push(video.id)
  expect(listed).toEqual([remix.id, begun.id])
  expect(await videos.delete(remix.id)).toMatchObject({ deleted: true })
  expect(await videos.retrieve(remix.id).catch(({ status }) => status)).toBe(404)
  expect(maker.complaints).toEqual([])
})
