/** The demo's upstream of tasks, asked as the gateway asks it. */
import { afterEach, expect, test } from 'bun:test'
import { answerTask } from '../../src/commands/demo/tasks.ts'
import { readStates as drawings } from '../../src/formats/midjourney/states.ts'
import { readStates as songs } from '../../src/formats/suno/states.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'

const ORIGIN = 'http://127.0.0.1:9'
afterEach(resetStores)

async function ask(path: string, body?: object): Promise<any> {
  const url = new URL(ORIGIN + path)
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = (await answerTask(new Request(url, init), url))!
  return response.headers.get('content-type')!.startsWith('application/json') ? response.json() : response
}

test('a drawing is made in front of the reader, and its picture is a PNG', async () => {
  const { code, result: id } = await ask('/mj/submit/imagine', { prompt: 'A gate' })
  const state = async () => drawings(await ask('/mj/task/list-by-condition', { ids: [id] }))!.get(id)
  expect([code, (await state())?.status]).toEqual([1, 'SUBMITTED'])
  shiftClock(6)
  expect(await state()).toMatchObject({ status: 'IN_PROGRESS', progress: 75 })
  shiftClock(30)
  const done: any = await state()
  expect([done.status, done.result.buttons.length]).toEqual(['SUCCESS', 9])
  const picture: Response = await ask(new URL(done.result.imageUrl).pathname)
  const bytes = new Uint8Array(await picture.arrayBuffer())
  expect([picture.headers.get('content-type'), [...bytes.slice(1, 4)]]).toEqual(['image/png', [0x50, 0x4e, 0x47]])
})

test('a song has a file, lyrics a text, and what fails says why', async () => {
  const music = (await ask('/suno/submit/MUSIC', { prompt: 'Toll' })).data
  const lyrics = (await ask('/suno/submit/LYRICS', { prompt: 'Toll' })).data
  const failing = (await ask('/suno/submit/MUSIC', { prompt: 'will fail' })).data
  shiftClock(90)
  const states = songs(await ask('/suno/fetch', { ids: [music, lyrics, failing] }))!
  const [song] = (states.get(music) as any).result
  const sound: Response = await ask(new URL(song.audio_url).pathname)
  expect(new TextDecoder().decode((await sound.arrayBuffer()).slice(0, 4))).toBe('RIFF')
  expect((states.get(lyrics) as any).result.text).toContain('barrier')
  expect(states.get(failing)).toMatchObject({ status: 'FAILURE', fail_reason: 'The prompt is not allowed' })
  expect(songs(await ask('/suno/fetch', { ids: [] }))).toEqual(new Map())
})

test('a video is WebM, and an unknown one is unknown', async () => {
  const { id } = await ask('/v1/videos', { model: 'sora-2', prompt: 'A gate' })
  shiftClock(90)
  expect(await ask(`/v1/videos/${id}`)).toMatchObject({ id, status: 'completed', progress: 100, error: null })
  const film: Response = await ask(`/v1/videos/${id}/content`)
  expect([...new Uint8Array(await film.arrayBuffer()).slice(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3])
  const url = new URL(`${ORIGIN}/v1/videos/none`)
  expect((await answerTask(new Request(url), url))!.status).toBe(404)
  const chat = new URL(`${ORIGIN}/v1/chat/completions`)
  expect(await answerTask(new Request(chat, { method: 'POST', body: '{}' }), chat)).toBeUndefined()
})
