/** Tasks of the playground: by session, in a group of the user, charged and refunded as those of keys. */
import { afterEach, expect, test } from 'bun:test'
import { Role } from '../../../src/contracts/account.ts'
import { lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { listen } from '../../support/app/app.ts'
import { setOption } from '../../support/app/options.ts'
import { Client, RICH } from '../../support/people/client.ts'
import { balance, type Person, visitor } from '../../support/people/person.ts'
import { keyOf, playError } from '../../support/people/playground.ts'
import { expectCleanBooks, MUSIC_QUOTA, rowOf } from '../../support/people/tasks.ts'
import { until } from '../../support/until.ts'
import { drawingChannel, drawn, midjourneyUpstream } from '../../support/upstream/midjourney.ts'
import { PICTURE_MODEL, pictureChannel, pictureUpstream } from '../../support/upstream/pictures.ts'
import { song, sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
const drawer = await midjourneyUpstream()
const painter = await pictureUpstream()
await sunoChannel(maker)
await drawingChannel(drawer)
await pictureChannel(painter)
await setOption('ModelPrice', JSON.stringify({ [PICTURE_MODEL]: 0.04 }))
afterEach(expectCleanBooks)

const headersOf = (person: Person) => ({
  ...{ cookie: person.cookie, 'tollgate-user': String(person.id), 'content-type': 'application/json' },
  ...{ 'accept-language': 'en', 'sec-fetch-site': 'same-origin' },
})
const make = (person: Person, path: string, body: object, more: Record<string, string> = {}) =>
  fetch(`${listen()}/pg/tasks/${path}`, {
    ...{ method: 'POST', headers: { ...headersOf(person), ...more }, body: JSON.stringify(body) },
  })
const seen = async (person: Person, id: string): Promise<any> =>
  (await fetch(`${listen()}/pg/tasks/${id}`, { headers: headersOf(person) })).json()
const look = async () => {
  shiftClock(60)
  await lookAfterTasks(new AbortController().signal)
}

test('a song is made, shown with its files, and charged to the user alone', async () => {
  const ann = await visitor(Role.user, RICH)
  const response = await make(ann, 'music', { prompt: 'Toll', title: 'Gate', tags: '' })
  const { id, ...told }: any = await response.json()
  expect({ status: response.status, told }).toMatchObject({ status: 200, told: { status: 'NOT_START', files: [] } })
  expect(RICH - (await balance(ann))).toBe(MUSIC_QUOTA)
  maker.tells((await rowOf(id)).upstream_id, { status: 'SUCCESS', data: [song()] })
  await look()
  expect(await seen(ann, id)).toMatchObject({
    ...{ status: 'SUCCESS', progress: 100, charged: MUSIC_QUOTA, refunded: 0 },
    files: [
      { kind: 'audio', url: expect.stringContaining(`/${id}/`) },
      { kind: 'image', url: expect.any(String) },
    ],
  })
  expect(JSON.stringify(await seen(ann, id))).not.toContain((await rowOf(id)).upstream_id)
})

test('a drawing that fails shows its reason and its refund', async () => {
  const ann = await visitor(Role.user, RICH)
  const { id }: any = await (await make(ann, 'drawings', { prompt: 'A gate' })).json()
  drawer.tells((await rowOf(id)).upstream_id, { status: 'FAILURE', failReason: 'banned words' })
  await look()
  const failed = await seen(ann, id)
  expect(failed).toMatchObject({ status: 'FAILURE', fail_reason: 'banned words', files: [] })
  expect([failed.refunded, await balance(ann)]).toEqual([failed.charged, RICH])
  const another: any = await (await make(ann, 'drawings', { prompt: 'A gate' })).json()
  drawer.tells((await rowOf(another.id)).upstream_id, drawn())
  await look()
  expect((await seen(ann, another.id)).files).toMatchObject([{ kind: 'image' }])
})

test('a picture of any channel of pictures is made once, shown, and charged to the user alone', async () => {
  painter.plays()
  const ann = await visitor(Role.user, RICH)
  const response = await make(ann, 'pictures', { model: PICTURE_MODEL, prompt: 'A gate' })
  const { id, ...told }: any = await response.json()
  expect({ status: response.status, told }).toMatchObject({ status: 200, told: { status: 'NOT_START', files: [] } })
  const done = await until(async () => {
    const task = await seen(ann, id)
    return task.status === 'SUCCESS' && task
  })
  expect((await fetch(listen() + done.files[0].url)).headers.get('content-type')).toBe('image/png')
  expect(done).toMatchObject({ charged: 20_000, refunded: 0, files: [{ kind: 'image' }] })
  expect(RICH - (await balance(ann))).toBe(20_000)
  const foreign = await make(ann, 'pictures?group=hidden', { model: PICTURE_MODEL, prompt: 'A gate' })
  expect(await playError(foreign)).toMatchObject({ status: 403, code: 'group_forbidden' })
})

test('only pages of this site with a session may, in groups of the user, and see own tasks alone', async () => {
  const [ann, bob] = [await visitor(Role.user, RICH), await visitor(Role.user, RICH)]
  const { id }: any = await (await make(ann, 'music', { prompt: 'Toll' })).json()
  expect((await fetch(`${listen()}/pg/tasks/${id}`, { headers: headersOf(bob) })).status).toBe(404)
  expect((await fetch(`${listen()}/pg/tasks/${id}`)).status).toBe(401)
  const byKey = new Client(ann, await keyOf(ann))
  expect((await byKey.postTo('/pg/tasks/music', { prompt: 'Toll' })).status).toBe(401)
  expect((await make(ann, 'music', { prompt: 'Toll' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const foreign = await make(ann, 'music?group=hidden', { prompt: 'Toll' })
  expect(await playError(foreign)).toMatchObject({ status: 403, code: 'group_forbidden' })
  expect((await make(ann, 'drawings', { prompt: ' ' })).status).toBe(400)
  await setOption('UserConcurrencyLimit', 0)
})

test('the page offers what the groups of the user make', async () => {
  const ann = await visitor(Role.user, RICH)
  for (const [language, words] of [
    ['en', 'Make pictures, songs, videos'],
    ['zh', '生成图片、歌曲、视频'],
  ] as const) {
    const html = await (await ann.page('/playground/make', { language })).text()
    expect(html).toContain(words)
    for (const model of ['suno_music', PICTURE_MODEL]) expect(html).toContain(model)
    expect(html).not.toContain('suno_lyrics')
  }
})
