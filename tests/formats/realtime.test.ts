// @engine sqlite
/** What a session uses, counted here where the upstream does not, turn by turn; and what is read aloud. */
import { expect, test } from 'bun:test'
import { SessionMeter } from '../../src/formats/openai-realtime/index.ts'
import { openAiSpeech } from '../../src/formats/openai-speech/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { withCounts } from '../../src/relay/charging/with-counts.ts'

/** A second of sound, as so many bytes in base64. */
const second = (bytes: number) => Buffer.alloc(bytes).toString('base64')
const spoken = (audio: string) => ({ type: 'response.output_audio.delta', delta: audio })
const done = (usage?: object) => ({ type: 'response.done', response: { usage } })

test('sound counts by its length, whatever the format of each side', () => {
  const meter = new SessionMeter()
  const audio = { input: { format: { type: 'audio/pcmu' } }, output: { format: { type: 'audio/pcm', rate: 48_000 } } }
  meter.readUpstreamEvent({ type: 'session.updated', session: { audio } })
  meter.readClientEvent({ type: 'input_audio_buffer.append', audio: second(8000) })
  meter.readUpstreamEvent(spoken(second(96_000)))
  expect(meter.read()).toMatchObject({ by: 'gateway', usage: { input_audio: 10, output_audio: 20 } })
})

test('a turn that is over is not counted again, and instructions count with the turn that they are for', () => {
  const meter = new SessionMeter()
  meter.readUpstreamEvent({ type: 'response.audio.delta', delta: second(48_000) })
  expect(meter.readUpstreamEvent(done())).toBe(true)
  const { usage } = meter.read()
  expect(usage).toMatchObject({ input: 0, output_audio: 20 })
  meter.readClientEvent({ type: 'response.create', response: { instructions: 'Say it in a few plain words' } })
  meter.readUpstreamEvent({ type: 'response.output_text.delta', delta: 'Yes' })
  meter.readUpstreamEvent(done())
  const { usage: later } = meter.read()
  expect(later).toMatchObject({ output_audio: 20, output: 1 })
  expect(later.input).toBeGreaterThan(4)
})

test('realtime: reported usage is added up, reasoning included', () => {
  const meter = new SessionMeter()
  const report = { input_tokens: 2, output_tokens: 9, output_token_details: { text_tokens: 9, reasoning_tokens: 4 } }
  for (let turn = 0; turn < 2; turn++) meter.readUpstreamEvent(done(report))
  expect(meter.read()).toMatchObject({ by: 'upstream', usage: { input: 4, output: 18, reasoning: 8 } })
})

test('realtime: a refusal by the id of a request ends no response that was created for it', () => {
  const meter = new SessionMeter()
  const refused = { type: 'error', error: { event_id: 'a' } }
  meter.readClientEvent({ type: 'response.create', event_id: 'a' })
  meter.readUpstreamEvent({ type: 'response.created', response: { id: 'r' } })
  meter.readUpstreamEvent(refused)
  expect(meter.isRunning).toBe(true)
  meter.readUpstreamEvent({ type: 'response.done', response: { id: 'r' } })
  meter.readClientEvent({ type: 'response.create', event_id: 'a' })
  meter.readUpstreamEvent(refused)
  expect(meter.isRunning).toBe(false)
})

test('older voices are paid by the character, as people count them, whatever is reported', () => {
  const request = { model: 'tts-1', input: '𝒞at' }
  expect(openAiSpeech.promptTokens(request)).toBe(3)
  const report = { input_tokens: 9, output_tokens: 9 }
  const metered = (request: Json) =>
    withCounts(openAiSpeech.meter({ usage_report: report, output_estimate: 1 }, { request }), { prompt: 3, output: 1 })
  expect(metered(request)).toMatchObject({
    by: 'gateway',
    usage: { input: 3, output_audio: 0 },
  })
  const newer = { model: 'gpt-4o-mini-tts', input: 'Cat' }
  expect(metered(newer)).toMatchObject({
    usage: { input: 9, output_audio: 9 },
  })
})
