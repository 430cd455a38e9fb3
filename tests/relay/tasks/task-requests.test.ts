/** Requests for songs: what is refused before money moves, whose tasks are seen, and where a continuation goes. */
import { beforeEach, expect, test } from 'bun:test'
import { lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { fetched, music, rowOf, rowsOf, submitted } from '../../support/people/tasks.ts'
import { SUNO_KEY, song, sunoUpstream } from '../../support/upstream/suno.ts'
import { closeOthers, sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
const channel = await sunoChannel(maker, { key: `${SUNO_KEY}` })

let [ann, bob]: Client[] = []
beforeEach(async () => {
  maker.reset()
  ;[ann, bob] = [await client(), await client()]
})

const asked = async (who: Client, path: string, body: object | string) => {
  const response = await who.postTo(path, body)
  return { status: response.status, body: (await response.json()) as any }
}

async function finished(who: Client, clip = 'clip-1'): Promise<string> {
  const id = await submitted(who)
  maker.tells((await rowOf(id)).upstream_id, { status: 'SUCCESS', data: [song(clip)] })
  shiftClock(20)
  await lookAfterTasks(new AbortController().signal)
  expect(await fetched(who, id)).toMatchObject({ status: 'SUCCESS' })
  return id
}

test.each([
  ['/suno/submit/lyrics', {}, 'invalid_request', 'prompt_empty'],
  ['/suno/submit/lyrics', { prompt: '  ' }, 'invalid_request', 'prompt_empty'],
  ['/suno/submit/music', {}, 'invalid_request', 'prompt_empty'],
  ['/suno/submit/music', { prompt: 7 }, 'invalid_request', 'invalid prompt'],
  ['/suno/submit/music', { prompt: 'x', mv: ['chirp'] }, 'invalid_request', 'invalid mv'],
  ['/suno/submit/music', { prompt: 'x', continue_clip_id: 'c' }, 'invalid_request', 'task id is empty'],
  ['/suno/submit/music', { continue_clip_id: 'c', task_id: 'task_unknown' }, 'task_not_exist', 'task_not_exist'],
  ['/suno/submit/dance', { prompt: 'x' }, 'invalid_request', 'invalid_action'],
  ['/suno/fetch', { ids: 'task_1' }, 'invalid_request', 'invalid ids'],
  ['/suno/fetch', { ids: [7] }, 'invalid_request', 'invalid ids'],
  ['/suno/fetch', { ids: Array.from({ length: 10_000 }, (_, at) => `task_${at}`) }, 'invalid_request', 'invalid ids'],
])('%s with %j is refused in words of Suno-API, and moves no money', async (path, body, code, message) => {
  expect(await asked(ann!, path, body)).toEqual({ status: 400, body: { code, message, data: null } })
  expect(maker.calls).toEqual([])
  expect(await rowsOf(ann!)).toEqual([])
  expect(await ann!.balance()).toBe(RICH)
})

test.each(['', '[]', '{"prompt":', 'null'])('the body %j is refused', async body => {
  const { status, body: told } = await asked(ann!, '/suno/submit/music', body)
  expect({ status, told }).toMatchObject({ status: 400, told: { data: null, message: expect.any(String) } })
  expect(maker.calls).toEqual([])
})

test('errors of every path below /suno have the form of Suno-API', async () => {
  const answers = await Promise.all([
    fetch(`${ann!.url}/suno/fetch/task_1`),
    ann!.get('/suno/nothing'),
    ann!.get('/suno/submit/music'),
    ann!.get('/suno/fetch/task_1'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 405, 400])
  for (const answer of answers)
    expect(await answer.json()).toEqual({ code: expect.any(String), message: expect.any(String), data: null })
})

test('a description, and a song without words, are songs too', async () => {
  await submitted(ann!, { gpt_description_prompt: 'rain on a toll gate', make_instrumental: true, mv: 'chirp-v4' })
  await submitted(ann!, { prompt: '', title: 'Gate', tags: 'ambient', make_instrumental: true })
  expect(maker.submits().map(({ body }) => body)).toEqual([
    { gpt_description_prompt: 'rain on a toll gate', make_instrumental: true, mv: 'chirp-v4' },
    { prompt: '', title: 'Gate', tags: 'ambient', make_instrumental: true, mv: 'chirp-v3-0' },
  ])
})

test("another model, a hook and an upstream's task in the body reach no upstream", async () => {
  const hidden = { model: 'suno_lyrics', notify_hook: 'https://spy.example', task_id: 'upstream-1' }
  await submitted(ann!, { ...music, ...hidden })
  expect(maker.submits()[0]!.body).toEqual({ ...music, mv: 'chirp-v3-0' })
})

test("another user's task is nowhere, by its own id and by its upstream's", async () => {
  const id = await finished(ann!)
  const { upstream_id } = await rowOf(id)
  for (const guess of [id, upstream_id, 'task_1', `${id}%00`]) {
    expect((await bob!.get(`/suno/fetch/${guess}`)).status).toBe(400)
    const continued = { continue_clip_id: 'clip-1', task_id: guess }
    expect((await asked(bob!, '/suno/submit/music', continued)).body.code).toBe('task_not_exist')
  }
  expect((await ann!.get(`/suno/fetch/${upstream_id}`)).status).toBe(400)
  expect((await asked(bob!, '/suno/fetch', { ids: [id, upstream_id] })).body.data).toEqual([])
  expect(JSON.stringify(await fetched(ann!, id))).not.toContain(upstream_id)
  expect(await bob!.balance()).toBe(RICH)
})

test('many tasks are fetched at once, each of the own ones once', async () => {
  const ids = [await submitted(ann!), await submitted(ann!), await submitted(bob!)]
  const { body } = await asked(ann!, '/suno/fetch', { ids: [...ids, ids[0], 'task_unknown'], action: 'MUSIC' })
  expect(body).toMatchObject({ code: 'success', data: [{ task_id: ids[0] }, { task_id: ids[1] }] })
  expect(body.data).toHaveLength(2)
})

test('a continuation goes to the channel and key of its origin, under the id that is known there', async () => {
  const id = await finished(ann!, 'clip-7')
  await sunoChannel(maker, { priority: 100, key: 'sk-of-another' })
  maker.reset()
  await submitted(ann!, { prompt: 'More', continue_clip_id: 'clip-7', continue_at: 60, task_id: id })
  const { upstream_id } = await rowOf(id)
  const body = { prompt: 'More', continue_clip_id: 'clip-7', continue_at: 60, task_id: upstream_id, mv: 'chirp-v3-0' }
  expect(maker.submits()).toEqual([{ path: '/suno/submit/MUSIC', key: SUNO_KEY, body }])
  expect((await rowsOf(ann!)).at(-1)).toMatchObject({ origin_id: id, channel_id: channel.id, input: { task_id: id } })
  await closeOthers()
})

test('an origin that is unfinished, failed, or without that song is refused', async () => {
  const unfinished = await submitted(ann!)
  const continued = (task_id: string, clip = 'clip-1') =>
    asked(ann!, '/suno/submit/music', { continue_clip_id: clip, task_id })
  expect(await continued(unfinished)).toMatchObject({ status: 400, body: { message: 'task is not finished' } })
  maker.tells((await rowOf(unfinished)).upstream_id, { status: 'FAILURE', fail_reason: 'no' })
  const done = await finished(ann!)
  expect(await continued(unfinished)).toMatchObject({ status: 400, body: { message: 'task is not finished' } })
  expect(await continued(done, 'clip-of-another')).toMatchObject({ status: 400, body: { code: 'task_not_exist' } })
})

test('a continuation is refused while its channel is disabled', async () => {
  const id = await finished(ann!)
  await sunoChannel(maker)
  const root = await setUp()
  await root.put('/api/channel/', { id: channel.id, status: 2 })
  const answer = await asked(ann!, '/suno/submit/music', { continue_clip_id: 'clip-1', task_id: id })
  expect(answer).toMatchObject({ status: 400, body: { code: 'task_channel_disable' } })
  await root.put('/api/channel/', { id: channel.id, status: 1 })
  await closeOthers()
})

test('limits of the key and sensitive words hold for songs as for chats', async () => {
  const limited = await client({ model_limits_enabled: true, model_limits: 'suno_lyrics' })
  expect(await asked(limited, '/suno/submit/music', music)).toMatchObject({
    status: 403,
    body: { code: 'model_forbidden' },
  })
  await submitted(limited, { prompt: 'Verses' }, '/suno/submit/lyrics')
  await setOption('CheckSensitiveEnabled', true)
  await setOption('SensitiveWords', 'dragonfruit')
  const spoken = await asked(ann!, '/suno/submit/music', { ...music, title: 'My Dragonfruit' })
  expect(spoken).toMatchObject({ status: 400, body: { code: 'sensitive_words_detected' } })
  await setOption('SensitiveWords', '')
  expect(maker.submits()).toHaveLength(1)
})
