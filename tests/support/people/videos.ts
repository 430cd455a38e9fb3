/** What clients of videos do. */
import { expect } from 'bun:test'
import { lookAfterTasks } from '../../../src/domain/tasks/index.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import type { Json } from '../../../src/pure/json.ts'
import { setOption } from '../app/options.ts'
import { makeChannel } from '../upstream/channel.ts'
import type { VideoServer, VideoWire } from '../upstream/videos/server.ts'
import type { Client } from './client.ts'
import { setUp } from './person.ts'

/** 0.1 USD a second. */
export const SECOND_QUOTA = 50_000

export const priced = (...models: string[]) =>
  setOption(
    'TaskPrice',
    JSON.stringify(Object.fromEntries(models.map(model => [model, { unit: 'second', price: 0.1 }]))),
  )

export async function videoChannel(wire: VideoWire, { url }: Pick<VideoServer, 'url'>, fields: Json = {}) {
  return makeChannel(await setUp(), { ...wire.channel, base_url: url, models: wire.model, ...fields })
}

export interface Answer {
  status: number
  headers: Headers
  body: any
}

export async function told(response: Response): Promise<Answer> {
  const text = await response.text()
  const { status, headers } = response
  return {
    status,
    headers,
    body: headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
  }
}

export const asks = async (who: Client, body: object, path = '/v1/videos'): Promise<Answer> =>
  told(await who.postTo(path, body))

export async function begun(who: Client, body: Json, path = '/v1/videos'): Promise<string> {
  const { status, body: video } = await asks(who, { prompt: 'A toll gate at dawn', ...body }, path)
  expect({ status, video }).toMatchObject({ status: 200, video: { object: 'video', status: 'queued' } })
  return video.id
}

export const seen = async (who: Client, id: string): Promise<Json> =>
  (await told(await who.get(`/v1/videos/${id}`))).body

/** Rounds of the job, as long after each other as tasks are left alone. */
export async function looks(rounds: number, seconds = 400) {
  for (let round = 0; round < rounds; round++) {
    shiftClock(seconds)
    await lookAfterTasks(new AbortController().signal)
  }
}
