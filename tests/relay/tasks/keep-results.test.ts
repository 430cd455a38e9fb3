/** Copies of results: made before a task counts as finished, sent when the maker's files are gone, deleted after their days. */
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expireResults, fail, lookAfterTasks, saveResults } from '../../../src/domain/tasks/index.ts'
import { now_ms, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { expectCleanBooks, fetched, MUSIC_QUOTA, rowOf, submitted } from '../../support/people/tasks.ts'
import { seededRandom } from '../../support/random.ts'
import { listen } from '../../support/upstream/http-server.ts'
import { s3Bucket } from '../../support/upstream/s3-bucket.ts'
import { song, sunoUpstream } from '../../support/upstream/suno.ts'
import { sunoChannel } from '../../support/upstream/suno-channel.ts'

const maker = await sunoUpstream()
await sunoChannel(maker)

const folder = mkdtempSync(join(tmpdir(), 'results-'))
const SOUND = Buffer.from('ID3 the sound of a toll gate')
const COVER = Buffer.from('\x89PNG\r\n\x1a\n a cover', 'latin1')
const file = ({ url }: Request) =>
  url.endsWith('.png')
    ? new Response(COVER, { headers: { 'content-type': 'image/png' } })
    : new Response(SOUND, { headers: { 'content-type': 'audio/mpeg' } })
let served: (request: Request) => Response | Promise<Response> = file
let asks = 0
const files = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch(request) {
    asks++
    return served(request)
  },
})
afterAll(() => {
  files.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const signal = new AbortController().signal
let ann: Client
beforeEach(async () => {
  maker.reset()
  served = file
  asks = 0
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'], RESULTS_URL: folder })
  await setOption('TaskKeepResults', 3)
  ann = await client()
})
afterEach(async () => {
  await setOption('TaskKeepResults', 0)
  await expectCleanBooks()
})

/** A song that its maker has finished. */
async function made(image_url = `http://127.0.0.1:${files.port}/a.png`): Promise<string> {
  const id = await submitted(ann)
  const own = { audio_url: `http://127.0.0.1:${files.port}/a.mp3`, image_url }
  maker.tells((await rowOf(id)).upstream_id, { status: 'SUCCESS', data: [{ ...song(), ...own }] })
  await lookAfterTasks(signal)
  return id
}

/** Until the copies are made. */
async function saved(id: string) {
  for (let times = 0; times < 200 && (await rowOf(id)).status === 'SAVING'; times++) {
    await saveResults(signal)
    await Bun.sleep(5)
  }
  return rowOf(id)
}

/** Once no attempt is under way. */
async function tried(id: string) {
  for (let times = 0; times < 400; times++) {
    const row = await rowOf(id)
    if (row.save_tries > 0 && row.next_save_ms! - now_ms() < 900_000) return row
    await Bun.sleep(5)
  }
  throw new Error('the attempt does not end')
}

test('a song is told to be finished once its files are copied, and the copies outlive the originals', async () => {
  const gate = Promise.withResolvers<void>()
  served = async request => {
    await gate.promise
    return file(request)
  }
  const id = await made()
  expect(await rowOf(id)).toMatchObject({ status: 'SAVING', charged: MUSIC_QUOTA, refunded: 0 })
  expect(await fetched(ann, id)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%' })
  expect(await fail((await rowOf(id)).id, { fail_reason: 'too late' })).toBe(false)
  gate.resolve()
  const { kept } = await saved(id)
  expect(kept).toMatchObject([
    { name: 'audio-0', type: 'audio/mpeg', bytes: SOUND.length },
    { name: 'cover-0', type: 'image/png', bytes: COVER.length },
  ])
  served = () => new Response('gone', { status: 404 })
  const { status, data } = await fetched(ann, id)
  expect(status).toBe('SUCCESS')
  expect(Buffer.from(await (await fetch(data[0].audio_url)).arrayBuffer())).toEqual(SOUND)
  expect(Buffer.from(await (await fetch(data[0].image_large_url)).arrayBuffer())).toEqual(COVER)
  const part = await fetch(data[0].audio_url, { headers: { range: 'bytes=4-6' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 4-6/28', 'the'])
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
})

test('copies are deleted when their days are over', async () => {
  const { kept, task_id } = await saved(await made())
  const path = join(folder, kept![0]!.key)
  expect(existsSync(path)).toBe(true)
  await expireResults(signal)
  expect(existsSync(path)).toBe(true)
  shiftClock(3 * 86_400 + 1)
  await expireResults(signal)
  expect(existsSync(path)).toBe(false)
  expect(await rowOf(task_id)).toMatchObject({ status: 'SUCCESS', kept: null, kept_until_ms: null })
})

test('a result that cannot be copied is tried again, and ends without a copy or a move of money', async () => {
  served = () => new Response('<html>', { headers: { 'content-type': 'audio/mpeg' } })
  const id = await made()
  for (let tries = 1; tries <= 4; tries++) {
    expect(await tried(id)).toMatchObject({ status: 'SAVING', save_tries: tries })
    shiftClock(600)
    await saveResults(signal)
  }
  expect(await saved(id)).toMatchObject({
    status: 'SUCCESS',
    kept: null,
    save_tries: 5,
    charged: MUSIC_QUOTA,
    refunded: 0,
  })
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
})

test('a result without a file waits for nothing', async () => {
  const id = await submitted(ann, { prompt: 'Verses about rain' }, '/suno/submit/lyrics')
  maker.tells((await rowOf(id)).upstream_id, { status: 'SUCCESS', data: { title: 'Rain', text: 'It rains' } })
  await lookAfterTasks(signal)
  expect(await saved(id)).toMatchObject({ status: 'SUCCESS', kept: null })
  expect(asks).toBe(0)
})

function useBucket(url: string) {
  const s3 = { S3_ENDPOINT: url, S3_ACCESS_KEY_ID: 'key-1', S3_SECRET_ACCESS_KEY: 's', S3_REGION: 'r1' }
  setEnv({ ...s3, RESULTS_URL: 's3://bucket-1/of/tasks' })
}

test('copies lie in a bucket of S3, and what breaks off is deleted there', async () => {
  using bucket = s3Bucket('key-1')
  const { objects } = bucket
  useBucket(bucket.url)
  const { kept, task_id } = await saved(await made())
  expect([...objects.keys()].sort()).toEqual(kept!.map(({ key }) => `/bucket-1/of/tasks/${key}`).sort())
  const part = await ann.get(`/v1/tasks/${task_id}/files/audio-0`, { range: 'bytes=4-6' })
  expect([part.status, await part.text()]).toEqual([206, 'the'])
  shiftClock(3 * 86_400 + 1)
  await expireResults(signal)
  expect(objects.size).toBe(0)
  const host = await listen(async (_, answer) => {
    await answer.head(200, { 'content-type': 'image/png' }, 999)
    await answer.write(COVER)
    answer.reset()
  })
  const id = await made(`http://127.0.0.1:${host.port}/a.png`)
  expect(await tried(id)).toMatchObject({ status: 'SAVING', save_tries: 1 })
  expect([...objects.keys()].filter(key => key.includes('cover'))).toEqual([])
  host.stop()
})

test('a large file is uploaded to S3 in parts, and read as the maker made it', async () => {
  using bucket = s3Bucket('key-1')
  useBucket(bucket.url)
  const random = seededRandom(1)
  const sound = Buffer.concat([SOUND, Buffer.from(Uint8Array.from({ length: 12 * 1024 * 1024 }, () => random(256)))])
  served = request =>
    request.url.endsWith('.mp3') ? new Response(sound, { headers: { 'content-type': 'audio/mpeg' } }) : file(request)
  const { kept, task_id } = await saved(await made())
  expect(kept).toContainEqual(expect.objectContaining({ name: 'audio-0', bytes: sound.length }))
  expect(bucket.parts).toHaveLength(1)
  expect(bucket.parts[0]!.length).toBeGreaterThan(1)
  served = () => new Response('gone', { status: 404 })
  const whole = await ann.get(`/v1/tasks/${task_id}/files/audio-0`)
  expect(Buffer.from(await whole.arrayBuffer()).equals(sound)).toBe(true)
})

test('without a place nothing is kept', async () => {
  setEnv({ RESULTS_URL: undefined })
  expect(await rowOf(await made())).toMatchObject({ status: 'SUCCESS', kept: null })
})
