/** Speech, transcriptions and translations: files pass as they come, recordings are measured, forms are spooled. */
import { afterAll, expect, test } from 'bun:test'
import { readdir, readlink } from 'node:fs/promises'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { client, RICH } from '../../support/people/client.ts'
import { openAiOf } from '../../support/people/openai-client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { recording } from '../../support/people/speech-file.ts'
import { until } from '../../support/until.ts'
import { inTurn, refuses } from '../../support/upstream/chat-scripts.ts'
import { says, saysText, sounds, tells } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream()
await channelTo(upstream, { models: 'tts-1,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe' })
await setOption('ModelPrice', '{}')
await setOption(
  'ModelRatio',
  JSON.stringify({ 'tts-1': 7.5, 'gpt-4o-mini-tts': 0.3, 'whisper-1': 15, 'gpt-4o-transcribe': 1.25 }),
)
afterAll(() => expect(upstream.violations).toEqual([]))

const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256))
const say = { model: 'tts-1', voice: 'alloy', input: `${'x'.repeat(99)}猫` }

const formOf = (fields: Record<string, string | File>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

test('speech passes byte for byte and is billed by its characters', async () => {
  upstream.scripts('tts-1', sounds(noise))
  const ann = await client()
  const response = await openAiOf(ann).audio.speech.create({ ...say, response_format: 'mp3', speed: 1.5 })
  expect(response.headers.get('content-type')).toBe('audio/mpeg')
  expect(Buffer.from(await response.arrayBuffer()).equals(noise)).toBe(true)
  expect(upstream.journal.at(-1)!.body).toEqual({ ...say, response_format: 'mp3', speed: 1.5 })
  expect(await ann.balance()).toBe(RICH - 750)
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 100, completion_tokens: 0, quota: 750 })
})

test('the first bytes of speech arrive before its last', async () => {
  const received = Promise.withResolvers<void>()
  upstream.scripts('tts-1', async (_, answer) => {
    await answer.head(200, { 'content-type': 'audio/mpeg' }, 'chunked')
    await answer.write(noise)
    await received.promise
    await answer.write(noise)
    await answer.end()
  })
  const ann = await client()
  const reader = (await ann.postTo('/v1/audio/speech', say)).body!.getReader()
  expect((await reader.read()).value!.byteLength).toBeGreaterThan(0)
  expect(await logsOf(ann.person)).toEqual([])
  received.resolve()
  while (!(await reader.read()).done);
  expect(await logsOf(ann.person)).toHaveLength(1)
})

test('a client that disconnects within a file pays, and the upstream is aborted', async () => {
  upstream.scripts('tts-1', sounds(noise, { pieces: 100, pause_ms: 20 }))
  const ann = await client()
  const reader = (await ann.postTo('/v1/audio/speech', say)).body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(await upstream.journal.at(-1)!.ended).toBe('aborted')
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(entry).toMatchObject({ quota: 750, other: { partial: true } })
})

test('a file that is cut off aborts the connection and is billed', async () => {
  upstream.scripts('tts-1', sounds(noise, { cut_after: 2, pause_ms: 30 }))
  const ann = await client()
  const response = await ann.postTo('/v1/audio/speech', say)
  await expect(response.arrayBuffer()).rejects.toThrow()
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(entry).toMatchObject({ quota: 750, other: { partial: true } })
  expect(await ann.balance()).toBe(RICH - 750)
})

test('text in place of a file fails over and costs nothing', async () => {
  upstream.scripts('tts-1', says({ error: { message: 'No such voice', type: 'invalid_request_error' } }))
  const ann = await client()
  expect(await errorOf(await ann.postTo('/v1/audio/speech', say))).toMatchObject({ status: 400 })
  expect(await ann.balance()).toBe(RICH)
})

test.each(['text/plain', 'text/html', 'image/png', 'application/octet-streams', 'application/x-tar', ''])(
  'a file of type "%s" in place of speech goes to the next channel and costs nothing',
  async type => {
    upstream.scripts('tts-1', sounds(Buffer.from('internal service'), { type }))
    const ann = await client()
    const response = await ann.postTo('/v1/audio/speech', say)
    expect(await errorOf(response)).toMatchObject({ status: 502, code: 'upstream_unusable' })
    expect(await ann.balance()).toBe(RICH)
  },
)

test.each(['audio/ogg', 'Audio/WAV; rate=8000', 'application/octet-stream', 'application/octet-stream;x=1'])(
  'speech of type %s passes',
  async type => {
    upstream.scripts('tts-1', sounds(noise, { type }))
    const ann = await client()
    const response = await ann.postTo('/v1/audio/speech', say)
    expect(Buffer.from(await response.arrayBuffer()).equals(noise)).toBe(true)
  },
)

test('speech as events is billed by its usage report', async () => {
  const usage = { input_tokens: 20, output_tokens: 300, total_tokens: 320 }
  upstream.scripts(
    'gpt-4o-mini-tts',
    tells({ type: 'speech.audio.delta', audio: 'aGk=' }, { type: 'speech.audio.done', usage }),
  )
  const ann = await client()
  const body = { ...say, model: 'gpt-4o-mini-tts', stream_format: 'sse' }
  const text = await (await ann.postTo('/v1/audio/speech', body)).text()
  expect(text).toContain('event: speech.audio.delta\n')
  expect(text).toContain('event: speech.audio.done\ndata: {"type":"speech.audio.done","usage":{"input_tokens":20,')
  // Spoken sound costs 25 times what a token of text does.
  expect(await ann.balance()).toBe(RICH - Math.round((20 + 300 * 25) * 0.3))
})

const whisper = { model: 'whisper-1' }
/** Reports of how long it was, for a recording of 61 seconds; 15255 is the price of that. */
const answers: [string, Record<string, string>, ReturnType<typeof says>, number][] = [
  ['JSON', {}, says({ text: 'Hello there' }), 15_255],
  ['its seconds', {}, says({ text: 'Hello', usage: { type: 'duration', seconds: 121 } }), 30_255],
  ['verbose', { response_format: 'verbose_json' }, says({ task: 'transcribe', duration: 30.5, text: 'Hello' }), 7755],
  ['a wrong length', {}, says({ text: 'Hello', usage: { type: 'duration', seconds: -61 } }), 15_255],
  ['plain text', { response_format: 'text' }, saysText('Hello there\n'), 15_255],
  ['a number', { response_format: 'text' }, saysText('42'), 15_255],
  ['subtitles', { response_format: 'srt' }, saysText('1\n00:00:00,000 --> 00:00:01,000\nHello\n'), 15_255],
  ['silence', {}, says({ text: '' }), 15_255],
]

test.each(answers)('a transcript is billed by its duration: %s', async (_, fields, script, quota) => {
  upstream.scripts('whisper-1', script)
  const ann = await client()
  const form = formOf({ file: recording(61), ...whisper, language: 'en', ...fields })
  const response = await ann.postTo('/v1/audio/transcriptions', form)
  expect(response.status).toBe(200)
  const { body, files, text } = upstream.journal.at(-1)!
  expect(body).toEqual({ ...whisper, language: 'en', ...fields })
  expect([files.file![0]!.name, files.file![0]!.size]).toEqual(['speech.wav', 61 * 16_000 + 44])
  expect(text).toContain('\r\nContent-Type: audio/wav\r\n')
  expect(await ann.balance()).toBe(RICH - quota)
})

test('a transcription reserves no output tokens for a price by duration', async () => {
  upstream.scripts('whisper-1', says({ text: 'Hello there' }))
  for (const [quota, status] of [
    [15_255, 200],
    [15_254, 403],
  ] as const) {
    const ann = await client({}, quota)
    const form = formOf({ file: recording(61), ...whisper })
    expect((await ann.postTo('/v1/audio/transcriptions', form)).status).toBe(status)
  }
})

test("OpenAI's client transcribes and translates", async () => {
  upstream.scripts('whisper-1', says({ text: 'Hello there' }))
  const ann = await client()
  const { audio } = openAiOf(ann)
  expect((await audio.transcriptions.create({ ...whisper, file: recording(1) })).text).toBe('Hello there')
  expect((await audio.translations.create({ ...whisper, file: recording(1) })).text).toBe('Hello there')
  expect(upstream.journal.slice(-2).map(call => call.path)).toEqual([
    '/v1/audio/transcriptions',
    '/v1/audio/translations',
  ])
})

test('subtitles arrive as plain text', async () => {
  upstream.scripts('whisper-1', saysText('WEBVTT\n\n猫'))
  const ann = await client()
  const form = formOf({ file: recording(1), ...whisper, response_format: 'vtt' })
  const response = await ann.postTo('/v1/audio/transcriptions', form)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe('WEBVTT\n\n猫')
})

test('token-priced transcripts are billed by usage, whole and streamed', async () => {
  const usage = {
    type: 'tokens',
    input_tokens: 110,
    output_tokens: 20,
    input_token_details: { text_tokens: 10, audio_tokens: 100 },
  }
  const scripts = [
    says({ text: 'Hello there', usage }),
    tells(
      { type: 'transcript.text.delta', delta: 'Hello ' },
      { type: 'transcript.text.delta', delta: 'there' },
      { type: 'transcript.text.done', text: 'Hello there', usage },
    ),
  ]
  for (const [index, script] of scripts.entries()) {
    upstream.scripts('gpt-4o-transcribe', script)
    const ann = await client()
    const stream = index === 1
    const answer: any = await openAiOf(ann).audio.transcriptions.create({
      file: recording(10),
      model: 'gpt-4o-transcribe',
      stream: stream as true,
    })
    if (stream) expect((await Array.fromAsync<any>(answer)).at(-1)).toMatchObject({ text: 'Hello there' })
    else expect(answer.text).toBe('Hello there')
    const [entry] = await logsOf(ann.person)
    expect(entry).toMatchObject({ prompt_tokens: 110, completion_tokens: 20, other: { audio_input: 100 } })
    expect(await ann.balance()).toBe(RICH - entry.quota)
  }
})

test('a large recording is sent unchanged at every attempt', async () => {
  const loud = await startUpstream(refuses(500), 'whisper-large')
  await channelTo(loud, { models: 'whisper-large', priority: 9 })
  await channelTo(upstream, { models: 'whisper-large', model_mapping: '{"whisper-large":"whisper-1"}' })
  await setOption('ModelRatio', JSON.stringify({ 'whisper-large': 1, 'whisper-1': 15 }))
  await setOption('RetryTimes', 1)
  upstream.scripts('whisper-1', says({ text: 'Hello' }))
  const ann = await client()
  const bytes = Buffer.from(Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 251))
  const file = new File([bytes], 'speech.bin', { type: 'application/octet-stream' })
  const response = await ann.postTo('/v1/audio/transcriptions', formOf({ file, model: 'whisper-large' }))
  expect(response.status).toBe(200)
  const { files } = upstream.journal.at(-1)!
  expect(Buffer.from(await files.file![0]!.arrayBuffer()).equals(bytes)).toBe(true)
  expect(loud.violations).toEqual([])
  expect(upstream.journal.at(-1)!.body).toEqual({ model: 'whisper-1' })
})

/** Files of this process that have no name any more: recordings, while they are needed. */
async function recordingsHeld(): Promise<number> {
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(String)),
  )
  return open.filter(path => /\/tollgate-[\w-]{36} \(deleted\)$/.test(path)).length
}

test('the spooled recording is removed however its call ends', async () => {
  const broken = await startUpstream(refuses(500), 'whisper-broken')
  await channelTo(broken, { models: 'whisper-broken' })
  await setOption('ModelRatio', JSON.stringify({ 'whisper-broken': 1, 'whisper-1': 15 }))
  upstream.scripts('whisper-1', says({ text: 'Hello' }))
  const ann = await client()
  const file = new File([Buffer.alloc(2_000_000)], 'speech.bin')
  const send = async (...models: string[]) => {
    const form = formOf({ file })
    for (const model of models) form.append('model', model)
    return (await ann.postTo('/v1/audio/transcriptions', form)).status
  }
  expect(await send('whisper-1')).toBe(200)
  expect(await send('whisper-broken')).toBe(502)
  expect(await send('nobody-has-it')).toBe(404)
  expect(await send('whisper-1', 'gpt-4o-transcribe')).toBe(400)
  await until(async () => (await recordingsHeld()) === 0)
})

test('a broken form, a form without a file and one with two models are refused', async () => {
  const ann = await client()
  const at = '/v1/audio/transcriptions'
  expect(await errorOf(await ann.postTo(at, whisper))).toMatchObject({ status: 415, code: 'form_required' })
  expect(await errorOf(await ann.postTo(at, formOf(whisper)))).toMatchObject({ status: 400, param: 'file' })
  const twice = formOf({ file: recording(1), ...whisper })
  twice.append('model', 'gpt-4o-transcribe')
  expect(await errorOf(await ann.postTo(at, twice))).toMatchObject({ status: 400, param: 'model' })
  const disguised = formOf({ file: recording(1), model: new File(['whisper-1'], 'model') })
  expect(await errorOf(await ann.postTo(at, disguised))).toMatchObject({ status: 400, param: 'model' })
  expect(await ann.balance()).toBe(RICH)
})

test('a recording is reserved for before it is sent', async () => {
  upstream.scripts('whisper-1', inTurn(says({ text: 'Hello' })))
  await setOption('ModelRatio', JSON.stringify({ 'whisper-1': 15 }))
  const ann = await client({}, 15_254)
  const answer = await errorOf(
    await ann.postTo('/v1/audio/transcriptions', formOf({ file: recording(61), ...whisper })),
  )
  expect(answer).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
})

test.each([
  ['input', { input: '' }],
  ['input', { input: ['a'] }],
  ['model', { model: 3 }],
])('speech with a wrong %s is refused', async (param, fields) => {
  const ann = await client()
  expect(await errorOf(await ann.postTo('/v1/audio/speech', { ...say, ...fields }))).toMatchObject({
    status: 400,
    param,
  })
})
