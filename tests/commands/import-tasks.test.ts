/** `tollgate import`: finished drawings, songs and videos. */
import { expect, test } from 'bun:test'
import { setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { ANN, channel, fileOf, KEYS, peopled } from '../support/moving-in/house.ts'
import { moved, rowsOf } from '../support/moving-in/moved.ts'

const SECONDS = Math.floor(Date.now() / 1000) - 3600
const IMAGE = 'https://cdn.example/1.png'

const drawing = (id: number, more: object = {}) => ({
  ...{ id, code: 1, user_id: 2, action: 'IMAGINE', mj_id: `17500000000000${id}`, prompt: 'a bridge', state: 'mine' },
  ...{
    submit_time: SECONDS * 1000,
    start_time: SECONDS * 1000 + 5,
    finish_time: SECONDS * 1000 + 9,
    status: 'SUCCESS',
  },
  ...{
    image_url: IMAGE,
    progress: '100%',
    channel_id: 3,
    quota: 500,
    buttons: '[{"customId":"x","label":"U1"}]',
    ...more,
  },
})
const task = (id: number, more: object = {}) => ({
  ...{ id, task_id: `song-${id}`, platform: 'suno', user_id: 2, channel_id: 3, quota: 70, action: 'MUSIC' },
  ...{ status: 'SUCCESS', submit_time: SECONDS, start_time: SECONDS + 1, finish_time: SECONDS + 60, progress: '100%' },
  ...{
    data: '[{"title":"Toll","audio_url":"https://cdn.example/1.mp3"}]',
    private_data: '{"key":"sk-private"}',
    ...more,
  },
})

const rows = {
  ...peopled('new-api', [channel(3, 1)]),
  midjourneys: [
    ...[drawing(1), drawing(2, { status: 'FAILURE', fail_reason: 'banned prompt', image_url: '' })],
    ...[drawing(3, { status: 'IN_PROGRESS' }), drawing(4, { user_id: 9 }), drawing(5, { mj_id: '175000000000001' })],
    drawing(6, { buttons: '{broken', properties: null, start_time: -1 }),
  ],
  tasks: [
    ...[task(1), task(2, { status: 'QUEUED' }), task(3, { action: 'LYRICS', data: '{"title":"Toll","text":"la"}' })],
    task(4, {
      ...{ platform: '50', action: 'textGenerate', data: '{}', fail_reason: 'https://cdn.example/1.mp4' },
      properties: '{"input":"a river","origin_model_name":"kling-v2"}',
    }),
  ],
}

test('finished drawings, songs and videos are carried once, and their owner finds them', async () => {
  const place = await setUpInstallation()
  const file = fileOf('new-api', rows)
  const report = await moved(place, file)
  expect(report.counts).toMatchObject({ drawing: { found: 6, carried: 3 }, task: { found: 4, carried: 3 } })
  expect(report.totals).toMatchObject({
    ...{ 'moving.task_unfinished': 2, 'moving.task_of_deleted': 1, 'moving.task_taken': 1 },
  })
  const columns = 'task_id, platform, model, status, fail_reason, charged, submit_ms, channel_id, next_look_ms'
  const read = () => rowsOf(place, `select ${columns} from tasks order by task_id`)
  const carried = await read()
  const common = { submit_ms: SECONDS * 1000, channel_id: 3, next_look_ms: null, fail_reason: '', status: 'SUCCESS' }
  expect(carried).toEqual([
    ...[
      { ...common, task_id: 175000000000001, platform: 'midjourney', model: 'mj_imagine', charged: 500 },
      {
        ...{ ...common, task_id: 175000000000002, platform: 'midjourney', model: 'mj_imagine', charged: 0 },
        ...{ status: 'FAILURE', fail_reason: 'banned prompt' },
      },
      { ...common, task_id: 175000000000006, platform: 'midjourney', model: 'mj_imagine', charged: 500 },
    ],
    { ...common, task_id: 'song-1', platform: 'suno', model: 'suno_music', charged: 70 },
    { ...common, task_id: 'song-3', platform: 'suno', model: 'suno_lyrics', charged: 70 },
    { ...common, task_id: 'song-4', platform: 'video', model: 'kling-v2', charged: 70 },
  ])
  expect(JSON.stringify(await place.read('select * from tasks'))).not.toContain('sk-private')
  await moved(place, file)
  expect(await read()).toEqual(carried)
  expect((await run(['audit'], place)).out).toContain('audit: clean (')

  const server = await startAt(place)
  const authorization = `Bearer sk-${KEYS.ann}`
  const get = async (path: string) => (await fetch(server.url + path, { headers: { authorization } })).json()
  expect(await get('/mj/task/175000000000001/fetch')).toMatchObject({ status: 'SUCCESS', imageUrl: expect.any(String) })
  expect(await get('/suno/fetch/song-1')).toMatchObject({ data: { status: 'SUCCESS', data: [{ title: 'Toll' }] } })
  expect(await get('/v1/videos/song-4')).toMatchObject({ status: 'completed', model: 'kling-v2' })
  const { headers } = await signInAt(server, ANN)
  for (const [path, words] of [
    ['/app/logs/drawing', 'a bridge'],
    ['/app/logs/tasks', 'Toll'],
  ] as const)
    expect(await (await fetch(server.url + path, { headers })).text()).toContain(words)
})
