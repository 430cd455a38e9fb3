// @engine sqlite
/** Answers that are not words alone: how they are asked for, and in which form they come. */
import { expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatRequest } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, eventsOf, labelFor, pairOf, sent, user } from './support.ts'
import { unnamed } from './wire/sse.ts'

const spoken = chat([user('Hi')], { modalities: ['text', 'audio'], audio: { voice: 'ash', format: 'wav' } })

test('audio and image modalities are written as each provider names them', () => {
  const config = (body: Json, model: string) => sent('openai-chat', body, 'gemini', model).generationConfig
  expect(config(spoken, 'gemini-2.5-flash')).toMatchObject({ responseModalities: ['AUDIO'] })
  const drawn = chat([user('Hi')], { modalities: ['image', 'text'] })
  expect(config(drawn, 'gemini-2.5-flash')).toMatchObject({ responseModalities: ['TEXT', 'IMAGE'] })
  expect(config(chat([user('Hi')]), 'gemini-2.5-flash-image')).toMatchObject({ responseModalities: ['TEXT', 'IMAGE'] })
  expect(config(chat([user('Hi')]), 'gemini-2.5-flash-preview-tts')).toMatchObject({ responseModalities: ['AUDIO'] })
  expect(sent('openai-chat', spoken, 'anthropic', 'm')).not.toHaveProperty('modalities')
  const contents = [{ parts: [{ text: 'Hi' }] }]
  const asked = (word: string) => ({ contents, generationConfig: { responseModalities: [word] } })
  expect(sent('gemini', asked('AUDIO'), 'openai-chat', 'gpt-4o-audio')).toMatchObject({
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
  })
  expect(sent('gemini', asked('IMAGE'), 'openai-chat', 'gpt-4o')).not.toHaveProperty('modalities')
})

test('sound of bare samples is put into a file, unless samples are asked for', () => {
  const samples = Buffer.from('abcd')
  const answerAt = (rate: number) => {
    const inlineData = { mimeType: `audio/L16;codec=pcm;rate=${rate}`, data: samples.toString('base64') }
    return chatFormats.gemini.readResponse({
      candidates: [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }],
    })!
  }
  const told = (format: string, rate = 16_000) => {
    const request = chatFormats['openai-chat'].readRequest({
      ...spoken,
      audio: { voice: 'ash', format },
    }) as ChatRequest
    const pair = { client: chatFormats['openai-chat'], upstream: chatFormats.gemini, label: labelFor(request) }
    const { choices } = translateResponse(pair, answerAt(rate)) as any
    return Buffer.from(choices[0].message.audio.data, 'base64')
  }
  expect(told('pcm16')).toEqual(samples)
  const file = told('wav')
  expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.subarray(44)]).toEqual(['RIFF', 16_000, samples])
  for (const absurd of [0, 99_999_999_999]) expect(told('wav', absurd).readUInt32LE(24)).toBe(24_000)
})

test('sound in pieces, each base64 of its own', () => {
  const piece = (audio: Json) => ({ choices: [{ index: 0, delta: { audio } }] })
  const stream = unnamed([
    piece({ id: 'a', transcript: 'He' }),
    piece({ data: btoa('ab') }),
    piece({ data: btoa('cd'), transcript: 'y' }),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ])
  const answer = assemble(eventsOf(chatFormats['openai-chat'], stream))
  expect(answer.choices[0]!.parts).toMatchObject([{ kind: 'audio', source: { data: btoa('abcd') }, transcript: 'Hey' }])
  expect(translateResponse(pairOf('gemini', 'openai-chat', 'text'), answer)).toMatchObject({
    candidates: [{ content: { parts: [{ inlineData: { mimeType: 'audio/wav', data: btoa('abcd') } }] } }],
  })
})
