// @engine sqlite
/** DashScope's speech and transcriptions: recordings that are fetched, uploaded and transcribed by jobs. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { quickPolls } from '../support/hurry.ts'
import { servedDashScope, task } from '../support/upstream/dashscope.ts'

type Json = Record<string, any>

const SPEAKER = 'qwen3-tts-flash'
const { upstream, ann, billOf } = await servedDashScope([SPEAKER, 'paraformer-v2', 'qwen3-asr-flash-filetrans'])
const SPEECH = '/api/v1/services/aigc/multimodal-generation/generation'
const JOB = '/api/v1/services/audio/asr/transcription'
const POLL = '/api/v1/tasks/job-1'
let timers: ReturnType<typeof quickPolls>
beforeEach(() => {
  timers = quickPolls()
})
afterEach(() => timers.mockRestore())

test('speech is fetched from its address, without the key', async () => {
  upstream.on(SPEECH, () => ({
    output: { audio: { data: '', url: upstream.fileUrl('/a.wav') } },
    usage: { characters: 5 },
    request_id: 'r',
  }))
  upstream.on('/a.wav', () => new Response('RIFFwave', { headers: { 'content-type': 'audio/wav' } }))
  const response = await ann.postTo('/v1/audio/speech', { model: SPEAKER, input: 'Hello', voice: 'Ethan' })
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'audio/wav',
    'RIFFwave',
  ])
  expect(upstream.fetched.map(({ headers }) => headers.get('authorization'))).toEqual([null])
  expect(upstream.to(SPEECH)[0]!.body).toEqual({ model: SPEAKER, input: { text: 'Hello', voice: 'Ethan' } })
})

test('speech that cannot be fetched is an error and free', async () => {
  const before = await ann.balance()
  upstream.on(SPEECH, () => ({ output: { audio: { url: upstream.fileUrl('/gone.wav') } }, request_id: 'r' }))
  const response = await ann.postTo('/v1/audio/speech', { model: SPEAKER, input: 'Hello', voice: 'Ethan' })
  expect(response.status).toBe(404)
  expect(await ann.balance()).toEqual(before)
})

const sentences = [
  { begin_time: 0, end_time: 1500, text: 'Hello there.' },
  { begin_time: 61_500, end_time: 3_662_040, text: 'Goodbye.' },
]
const transcript = { transcripts: [{ channel_id: 0, text: 'Hello there. Goodbye.', sentences }] }

function transcribes() {
  upstream.on('/api/v1/uploads', () => ({
    data: {
      ...{ policy: 'p', signature: 's', upload_dir: 'dir/1', upload_host: upstream.fileUrl('/oss') },
      ...{ oss_access_key_id: 'id', x_oss_object_acl: 'private', x_oss_forbid_overwrite: 'true' },
    },
    request_id: 'r',
  }))
  upstream.on('/oss', () => new Response(''))
  upstream.on(JOB, () => task({ task_id: 'job-1', task_status: 'PENDING' }))
  upstream.on('/t.json', () => transcript)
}

const transcribe = (model: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ model, ...fields })) form.append(name, value)
  form.append('file', new File(['sound'], 'a.wav', { type: 'audio/wav' }))
  return ann.postTo('/v1/audio/transcriptions', form)
}

const wanted: [format: string, type: string, text: string][] = [
  ['json', 'application/json', '"text":"Hello there. Goodbye."'],
  ['text', 'text/plain; charset=utf-8', 'Hello there. Goodbye.'],
  [
    'srt',
    'text/plain; charset=utf-8',
    '1\n00:00:00,000 --> 00:00:01,500\nHello there.\n\n2\n00:01:01,500 --> 01:01:02,040\nGoodbye.\n',
  ],
  ['vtt', 'text/plain; charset=utf-8', 'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello there.\n\n'],
  ['verbose_json', 'application/json', '"segments":[{"id":0,"start":0,"end":1.5,"text":"Hello there."}'],
]
test.each(wanted)(
  'a long recording is uploaded, transcribed by a job and returned as %s',
  async (response_format, type, text) => {
    transcribes()
    const done = {
      task_id: 'job-1',
      task_status: 'SUCCEEDED',
      results: [{ subtask_status: 'SUCCEEDED', transcription_url: upstream.fileUrl('/t.json') }],
    }
    upstream.on(POLL, (_, earlier) => (earlier ? task(done, { duration: 6 }) : task({ task_status: 'RUNNING' })))
    const response = await transcribe('paraformer-v2', { response_format, language: 'en' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(await response.text()).toContain(text)
    const [oss] = upstream.fetched
    expect(oss!.body).toMatchObject({ OSSAccessKeyId: 'id', Signature: 's', policy: 'p', key: 'dir/1/recording.wav' })
    expect(await (oss!.body.file as Blob).text()).toBe('sound')
    expect(oss!.headers.get('authorization')).toBeNull()
    const [job] = upstream.to(JOB)
    expect(job!.headers.get('x-dashscope-ossresourceresolve')).toBe('enable')
    expect(job!.body).toEqual({
      model: 'paraformer-v2',
      input: { file_urls: ['oss://dir/1/recording.wav'] },
      parameters: { language_hints: ['en'] },
    })
  },
)

test('a model that takes one file is billed by the seconds that it reports', async () => {
  transcribes()
  const done = {
    task_id: 'job-1',
    task_status: 'SUCCEEDED',
    result: { transcription_url: upstream.fileUrl('/t.json') },
  }
  upstream.on(POLL, () => task(done, { seconds: 6 }))
  expect((await transcribe('qwen3-asr-flash-filetrans')).status).toBe(200)
  expect(upstream.to(JOB)[0]!.body.input).toEqual({ file_url: 'oss://dir/1/recording.wav' })
  expect(await billOf()).toMatchObject({ prompt_tokens: 100, quota: 100 })
})

test('a recording that cannot be read, and a key that may not upload, are errors and free', async () => {
  const before = await ann.balance()
  transcribes()
  const results = [{ subtask_status: 'FAILED', code: 'InvalidFile.DecodeFailed', message: 'no sound' }]
  upstream.on(POLL, () => task({ task_id: 'job-1', task_status: 'SUCCEEDED', results }))
  const response = await transcribe('paraformer-v2')
  expect([response.status, ((await response.json()) as Json).error.code]).toEqual([400, 'InvalidFile.DecodeFailed'])
  const refused = () => Response.json({ code: 'InvalidApiKey', message: 'no key' }, { status: 401 })
  upstream.on('/api/v1/uploads', refused)
  upstream.on(JOB, refused)
  expect((await transcribe('paraformer-v2')).status).toBe(502)
  expect(await ann.balance()).toEqual(before)
})
