/** Veo at Vertex AI with a service account: tokens, regions, files inside the answer and in Cloud Storage. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { expectCleanBooks, rowOf } from '../../support/people/tasks.ts'
import { begun, looks, priced, SECOND_QUOTA, seen } from '../../support/people/videos.ts'
import { GoogleCloud } from '../../support/upstream/google-cloud.ts'
import { vertexChannel } from '../../support/upstream/vertex-channel.ts'
import { FILM } from '../../support/upstream/videos/server.ts'

const MODEL = 'veo-3.0-generate-001'
const place = `projects/test-project/locations/us-central1/publishers/google/models/${MODEL}`
const name = (at: number) => `${place}/operations/made-${at}`

const google = new GoogleCloud()
await vertexChannel(google, { models: MODEL })

let made = 0
let videos: object[] = []
let filtered: string[] | undefined
const asked: [path: string, body: any][] = []
let ann: Client
beforeEach(async () => {
  google.reset()
  asked.length = 0
  filtered = undefined
  google.answer = (path, body) => {
    asked.push([path, body])
    if (path.endsWith(':predictLongRunning')) return Response.json({ name: name(++made) })
    const response = filtered ? { raiMediaFilteredCount: 1, raiMediaFilteredReasons: filtered } : { videos }
    return Response.json({ name: body.operationName, done: true, response })
  }
  await priced(MODEL)
  ann = await client()
})
afterEach(expectCleanBooks)

test('a video is submitted and asked for in the region of its project, and lies in the answer', async () => {
  videos = [{ bytesBase64Encoded: FILM.toString('base64'), mimeType: 'video/mp4' }]
  const id = await begun(ann, { model: MODEL, seconds: 6, sound: false })
  expect(RICH - (await ann.balance())).toBe(6 * SECOND_QUOTA)
  await looks(1)
  expect(await seen(ann, id)).toMatchObject({
    status: 'completed',
    metadata: { url: expect.stringMatching(/content$/) },
  })
  expect(asked).toMatchObject([
    [
      `/v1/${place}:predictLongRunning`,
      {
        instances: [{ prompt: 'A toll gate at dawn' }],
        parameters: {
          sampleCount: 1,
          durationSeconds: 6,
          aspectRatio: '16:9',
          resolution: '720p',
          generateAudio: false,
        },
      },
    ],
    [`/v1/${place}:fetchPredictOperation`, { operationName: name(made) }],
  ])
  const file = await ann.get(`/v1/videos/${id}/content`, { range: 'bytes=4-7' })
  expect([file.status, await file.text()]).toEqual([206, 'ftyp'])
  expect(google.violations).toEqual([])
})

test('a video in Cloud Storage is at an address that needs the key', async () => {
  videos = [{ gcsUri: 'gs://bucket-1/folder/a film.mp4', mimeType: 'video/mp4' }]
  const id = await begun(ann, { model: MODEL })
  await looks(1)
  expect(await seen(ann, id)).toMatchObject({
    status: 'completed',
    metadata: { url: expect.stringMatching(/content$/) },
  })
  expect((await rowOf(id)).result).toEqual({
    url: 'https://storage.googleapis.com/storage/v1/b/bucket-1/o/folder%2Fa%20film.mp4?alt=media',
    needs_key: true,
  })
})

test('a video that was filtered has failed, and is refunded', async () => {
  filtered = ['Veo could not generate videos because the input violates its guidelines.']
  const id = await begun(ann, { model: MODEL })
  await looks(1)
  expect(await seen(ann, id)).toMatchObject({ status: 'failed', error: { message: filtered[0] } })
  expect(await ann.balance()).toBe(RICH)
})
