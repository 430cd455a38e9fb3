/** Clients of Kling and Jimeng, each in its own form, over upstreams of other makers. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { type Client, client } from '../../support/people/client.ts'
import { expectCleanBooks, rowsOf } from '../../support/people/tasks.ts'
import { asks, looks, priced, told, videoChannel } from '../../support/people/videos.ts'
import { xai } from '../../support/upstream/videos/clouds.ts'
import { jimeng, kling } from '../../support/upstream/videos/makers.ts'
import { type VideoWire, videoServer } from '../../support/upstream/videos/server.ts'

const makers = await Promise.all(
  [xai, kling, jimeng].map(async (wire: VideoWire) => {
    const maker = await videoServer(wire)
    const channel = await videoChannel(wire, maker)
    return { maker, channel }
  }),
)
const [byXai, byKling, byJimeng] = makers.map(({ maker }) => maker)
const PICTURE = Buffer.from('a picture that is long enough to be one')

let ann: Client
beforeEach(async () => {
  for (const { maker } of makers) maker.plays('ok')
  await priced(xai.model, kling.model, jimeng.model)
  ann = await client()
})
afterEach(async () => {
  await expectCleanBooks()
  for (const { maker, channel } of makers) {
    expect(maker.complaints).toEqual([])
    resetCircuits(channel.id)
  }
})

const at = '/kling/v1/videos/text2video'

test('a client of Kling has its video from Kling, or from another maker', async () => {
  for (const [maker, model_name, expected] of [
    [byKling!, kling.model, { model_name: kling.model, mode: 'pro', duration: '5' }],
    [byXai!, xai.model, { model: xai.model, resolution: '720p', duration: 5 }],
  ] as const) {
    const mode = model_name === kling.model ? 'pro' : 'std'
    const { status, body } = await asks(ann, { model_name, prompt: 'A gate', duration: '5', mode }, at)
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 0, data: { task_status: 'submitted' } } })
    expect(maker.submits()[0]!.body).toMatchObject(expected)
    await looks(4)
    const { body: done } = await told(await ann.get(`${at}/${body.data.task_id}`))
    expect(done).toMatchObject({
      code: 0,
      data: { task_id: body.data.task_id, task_status: 'succeed', task_result: { videos: [{ duration: '5' }] } },
    })
  }
})

test('pictures reach Kling without a prefix, and its other model in a list', async () => {
  const image = `data:image/png;base64,${PICTURE.toString('base64')}`
  await asks(ann, { model_name: kling.model, prompt: 'A gate', image }, '/kling/v1/videos/image2video')
  expect(byKling!.submits()[0]).toMatchObject({
    target: '/v1/videos/image2video',
    body: { image: PICTURE.toString('base64') },
  })
})

test('errors are in the form of Kling', async () => {
  const refused = async (body: object) => asks(ann, { model_name: kling.model, prompt: 'A gate', ...body }, at)
  for (const body of [{ duration: '7' }, { prompt: '' }, { mode: 'ultra' }, { aspect_ratio: '4:3' }])
    expect(await refused(body)).toMatchObject({ status: 400, body: { code: 1201, message: expect.any(String) } })
  expect(await told(await ann.get(`${at}/task_x`))).toMatchObject({ status: 404, body: { code: 1203 } })
  expect(await rowsOf(ann)).toEqual([])
})

const action = (name: string) => `/jimeng/?Action=${name}&Version=2022-08-31`

test('a client of Jimeng submits and fetches by actions', async () => {
  const submit = { req_key: 'jimeng_t2v_v30', prompt: 'A gate', frames: 241, aspect_ratio: '16:9' }
  const { body } = await asks(ann, submit, action('CVSync2AsyncSubmitTask'))
  const { task_id } = body.data
  expect([body.code, task_id]).toEqual([10000, expect.stringMatching(/^task_/)])
  expect(byJimeng!.submits()[0]!.body).toMatchObject(submit)
  const fetched = () => asks(ann, { req_key: 'jimeng_t2v_v30', task_id }, action('CVSync2AsyncGetResult'))
  expect((await fetched()).body).toMatchObject({ code: 10000, data: { status: 'in_queue' } })
  await looks(4)
  expect((await fetched()).body).toMatchObject({ data: { status: 'done', video_url: expect.stringMatching(/^http/) } })
  expect(await asks(ann, submit, action('Other'))).toMatchObject({ status: 400, body: { code: 50200 } })
  const frames = await asks(ann, { ...submit, frames: 7 }, action('CVSync2AsyncSubmitTask'))
  expect(frames).toMatchObject({ status: 400, body: { code: 50200 } })
})
