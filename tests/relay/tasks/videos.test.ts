/** Videos in OpenAI's form: requests are checked, priced and written upstream; answers are for their owner alone. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { resetCircuits } from '../../../src/domain/routing/health/breaker.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { expectCleanBooks, refundsOf, rowOf, rowsOf } from '../../support/people/tasks.ts'
import { asks, begun, looks, priced, SECOND_QUOTA, seen, told, videoChannel } from '../../support/people/videos.ts'
import { openAiWire } from '../../support/upstream/videos/openai.ts'
import { FILM, videoServer } from '../../support/upstream/videos/server.ts'

const wire = openAiWire(55)
const maker = await videoServer(wire)
const channel = await videoChannel(wire, maker, { models: 'sora-2,sora-2-pro,other-video' })

let ann: Client
beforeEach(async () => {
  maker.plays('ok')
  await priced('sora-2')
  ann = await client()
})
afterEach(async () => {
  await expectCleanBooks()
  resetCircuits(channel.id)
  resetStores()
})

const film = { model: 'sora-2', prompt: 'A toll gate at dawn' }
const finished = async (who = ann, body: object = film) => {
  const id = await begun(who, { ...body })
  await looks(3)
  expect(await seen(who, id)).toMatchObject({ status: 'completed' })
  return id
}

test('a video is charged by its seconds, watched while it is made, and told when it is finished', async () => {
  const id = await begun(ann, { ...film, seconds: '8', size: '1280x720' })
  expect(id).toMatch(/^task_\w{32}$/)
  expect(maker.submits().map(({ body }) => body)).toEqual([{ ...film, seconds: '8', size: '1280x720' }])
  expect(RICH - (await ann.balance())).toBe(8 * SECOND_QUOTA)
  const waiting = await told(await ann.get(`/v1/videos/${id}`))
  expect(waiting.headers.get('retry-after')).toBe('10')
  expect(waiting.body).toMatchObject({
    id,
    status: 'queued',
    progress: 10,
    seconds: '8',
    size: '1280x720',
    error: null,
  })
  const asked = maker.calls.length
  await seen(ann, id)
  expect(maker.calls.length).toBe(asked)
  await looks(2)
  expect(await seen(ann, id)).toMatchObject({ status: 'in_progress', progress: 35 })
  await looks(1)
  const { headers, body } = await told(await ann.get(`/v1/videos/${id}`))
  expect(body).toMatchObject({ id, status: 'completed', progress: 100, completed_at: expect.any(Number) })
  expect(headers.get('retry-after')).toBeNull()
  const { upstream_id } = await rowOf(id)
  expect(JSON.stringify({ ...body, metadata: undefined })).not.toContain(upstream_id)
  expect(body.metadata.url).toEndWith(`/v1/videos/${id}/content`)
  expect(maker.complaints).toEqual([])
})

test('length and size that a request leaves open are settled, priced and written', async () => {
  const id = await begun(ann, film)
  expect(maker.submits()[0]!.body).toEqual({ ...film, seconds: '4', size: '720x1280' })
  expect(RICH - (await ann.balance())).toBe(4 * SECOND_QUOTA)
  expect((await rowOf(id)).price_basis.choice).toEqual({
    units: 4,
    traits: { resolution: '720p', ratio: '9:16', input: 'text' },
  })
})

test('a resolution has its own price, and pictures are counted', async () => {
  const price = { unit: 'second', price: 0.3, when: [{ resolution: '1024p', price: 0.5 }], add: { image: 0.01 } }
  await setOption('TaskPrice', JSON.stringify({ 'sora-2-pro': price, 'sora-2': { unit: 'second', price: 0.1 } }))
  const picture = 'https://files.example/gate.png'
  await begun(ann, { model: 'sora-2-pro', seconds: 4, size: '1792x1024', input_reference: { image_url: picture } })
  expect(maker.submits()[0]!.body).toMatchObject({ size: '1792x1024', input_reference: { image_url: picture } })
  expect(RICH - (await ann.balance())).toBe(1_005_000)
})

test('a form with a picture is a request as JSON is', async () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...film, seconds: '12' })) form.append(name, value)
  form.append('input_reference', new File(['a picture'], 'gate.png', { type: 'image/png' }))
  expect((await asks(ann, form)).status).toBe(200)
  const image_url = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
  expect(maker.submits()[0]!.body).toMatchObject({ seconds: '12', input_reference: { image_url } })
  expect((await rowsOf(ann))[0]!.input).toMatchObject({ first_frame: 'data:image/png;base64,' })
})

const wrong: [body: object, code: string][] = [
  [{ prompt: 'x' }, 'missing_model'],
  [{ ...film, prompt: '' }, 'field_required'],
  [{ ...film, prompt: '  ' }, 'field_required'],
  ...[0, -1, 3601, '8.5', 8.5, 'long', '1e1', 5].map((seconds): [object, string] => [
    { ...film, seconds },
    'invalid_seconds',
  ]),
  [{ ...film, duration: 0 }, 'invalid_seconds'],
  ...['123x456', '1792x1024', 'big', '720', '1280×72', '0x0'].map((size): [object, string] => [
    { ...film, size },
    'invalid_size',
  ]),
  [{ ...film, resolution: '7k' }, 'invalid_size'],
  [{ ...film, resolution: '1080p' }, 'invalid_size'],
  [{ ...film, aspect_ratio: '5:1' }, 'invalid_size'],
  [{ ...film, metadata: { model: 'sora-2-pro' } }, 'field_wrong'],
  [{ ...film, metadata: { duration: 60 } }, 'invalid_request'],
  [{ ...film, metadata: 'text' }, 'field_wrong'],
  [{ ...film, sound: true }, 'invalid_request'],
  [{ ...film, image: 'data:text/html;base64,PGh0bWw+' }, 'field_wrong'],
  [{ ...film, image: 'file:///etc/passwd' }, 'field_wrong'],
  [{ ...film, last_frame: 'https://files.example/end.png' }, 'invalid_request'],
]
test.each(wrong)('%j is refused before money moves: %s', async (body, code) => {
  const { status, body: answer } = await asks(ann, body)
  expect({ status, code: answer.error?.code }).toEqual({ status: 400, code })
  const older = await asks(ann, body, '/v1/video/generations')
  expect(older).toMatchObject({ status: 400, body: { code, data: null, message: expect.any(String) } })
  expect(await rowsOf(ann)).toEqual([])
  expect(maker.calls).toEqual([])
})

test('the older form of gateways is answered in its own shape', async () => {
  const { body } = await asks(ann, { ...film, duration: 8 }, '/v1/video/generations')
  expect(body).toEqual({ task_id: expect.stringMatching(/^task_/), status: 'queued' })
  const at = `/v1/video/generations/${body.task_id}`
  const waiting = await told(await ann.get(at))
  expect(waiting.headers.get('retry-after')).toBe('10')
  expect(waiting.body).toMatchObject({ code: 'success', data: { status: 'queued' } })
  await looks(3)
  const { data } = (await told(await ann.get(at))).body
  expect(data).toMatchObject({ task_id: body.task_id, status: 'succeeded', format: 'mp4', metadata: { duration: 8 } })
  expect(data.url).toEndWith('/content')
  expect(await told(await ann.get('/v1/video/generations/task_x'))).toMatchObject({
    status: 400,
    body: { code: 'task_not_exist' },
  })
})

test('lists are pages of the own videos, the newest first', async () => {
  const ids = [await begun(ann, film), await begun(ann, film), await begun(ann, film)]
  await begun(await client(), film)
  const page = async (query: string) => (await told(await ann.get(`/v1/videos?${query}`))).body
  const first = await page('limit=2')
  expect(first).toMatchObject({ object: 'list', first_id: ids[2], last_id: ids[1], has_more: true })
  expect(first.data.map(({ id }: any) => id)).toEqual([ids[2], ids[1]])
  expect(await page(`limit=2&after=${ids[1]}`)).toMatchObject({ data: [{ id: ids[0] }], has_more: false })
  expect((await page('order=asc')).data.map(({ id }: any) => id)).toEqual(ids)
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'order=up'])
    expect((await ann.get(`/v1/videos?${query}`)).status).toBe(400)
  expect((await ann.get('/v1/videos?after=task_x')).status).toBe(404)
})

test('the content is the file of the maker, asked for with the key that made it', async () => {
  const id = await begun(ann, film)
  expect(await told(await ann.get(`/v1/videos/${id}/content`))).toMatchObject({
    status: 400,
    body: { error: { code: 'task_unfinished' } },
  })
  await looks(3)
  const whole = await ann.get(`/v1/videos/${id}/content`)
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(FILM)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'cache-control': 'private, max-age=86400',
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="${id}.mp4"`,
  })
  const part = await ann.get(`/v1/videos/${id}/content`, { range: 'bytes=4-7' })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    `bytes 4-7/${FILM.length}`,
    'ftyp',
  ])
  expect((await ann.get(`/v1/videos/${id}/content?variant=thumbnail`)).status).toBe(200)
  expect((await ann.get(`/v1/videos/${id}/content?variant=else`)).status).toBe(400)
  const { upstream_id } = await rowOf(id)
  expect(maker.calls.at(-1)!.target).toBe(`/v1/videos/${upstream_id}/content?variant=thumbnail`)
})

test('another user finds no video of ann at any path', async () => {
  const id = await finished()
  const bob = await client()
  const asked = maker.calls.length
  const answers = await Promise.all([
    bob.get(`/v1/videos/${id}`),
    bob.get(`/v1/videos/${id}/content`),
    bob.postTo(`/v1/videos/${id}`, '', { method: 'DELETE' }),
    bob.postTo(`/v1/videos/${id}/remix`, { prompt: 'Mine' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await bob.get(`/v1/video/generations/${id}`)).status).toBe(400)
  const { upstream_id } = await rowOf(id)
  expect((await ann.get(`/v1/videos/${upstream_id}`)).status).toBe(404)
  expect(maker.calls.length).toBe(asked)
  expect(await bob.balance()).toBe(RICH)
})

test('a deleted video is nowhere to be had, and its charge stays', async () => {
  const id = await begun(ann, film)
  const deleted = () => ann.postTo(`/v1/videos/${id}`, '', { method: 'DELETE' })
  expect((await deleted()).status).toBe(409)
  await looks(3)
  expect(await told(await deleted())).toMatchObject({
    status: 200,
    body: { id, object: 'video.deleted', deleted: true },
  })
  expect(maker.calls.at(-1)).toMatchObject({ method: 'DELETE', target: `/v1/videos/${(await rowOf(id)).upstream_id}` })
  expect((await ann.get(`/v1/videos/${id}`)).status).toBe(404)
  expect((await deleted()).status).toBe(404)
  expect((await told(await ann.get('/v1/videos'))).body.data).toEqual([])
  expect(RICH - (await ann.balance())).toBe(4 * SECOND_QUOTA)
})

test('a remix goes to the channel and key of its origin, and is charged as that was', async () => {
  const id = await finished(ann, { ...film, seconds: '12' })
  const other = await videoChannel({ ...wire, channel: { ...wire.channel, key: 'sk-of-another' } }, maker, {
    priority: 100,
  })
  const { upstream_id } = await rowOf(id)
  maker.plays('ok')
  const { body } = await asks(ann, { prompt: 'By night' }, `/v1/videos/${id}/remix`)
  expect(body).toMatchObject({ object: 'video', status: 'queued', remixed_from_video_id: id, seconds: '12' })
  expect(maker.submits()).toMatchObject([{ target: `/v1/videos/${upstream_id}/remix`, body: { prompt: 'By night' } }])
  expect(RICH - (await ann.balance())).toBe(2 * 12 * SECOND_QUOTA)
  expect(await rowOf(body.id)).toMatchObject({ action: 'remix', origin_id: id, channel_id: channel.id })
  expect((await asks(ann, { prompt: 'Again' }, `/v1/videos/${body.id}/remix`)).status).toBe(400)
  expect((await asks(ann, { prompt: '' }, `/v1/videos/${id}/remix`)).status).toBe(400)
  await (await setUp()).delete(`/api/channel/${other.id}`)
})

test('a failed video tells its reason, and is refunded', async () => {
  maker.plays('fail')
  const id = await begun(ann, film)
  await looks(2)
  expect(await seen(ann, id)).toMatchObject({
    status: 'failed',
    error: { code: 'video_generation_failed', message: 'the prompt is not allowed' },
  })
  expect(await refundsOf(ann)).toMatchObject([{ delta: 4 * SECOND_QUOTA, reference: id }])
  expect((await ann.get(`/v1/videos/${id}/content`)).status).toBe(400)
  expect((await asks(ann, { prompt: 'x' }, `/v1/videos/${id}/remix`)).status).toBe(400)
})
