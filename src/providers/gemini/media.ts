/**
 * Gemini models that generate images and speech: the request is a chat, the file is a part of the response.
 * https://ai.google.dev/gemini-api/docs/image-generation and
 * https://ai.google.dev/gemini-api/docs/speech-generation (read 2026-11)
 */

import { entryOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { waveFile } from '../../formats/media/wav.ts'
import { isOpenAiVoice } from '../../models/voices.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { errorBody } from '../kit/json-edits.ts'
import type { WrappedFile } from '../kit/quirks.ts'
import { fieldOf } from '../kit/upstream-query.ts'

const chatOf = (text: unknown, generationConfig: Json): Json => ({
  contents: [{ role: 'user', parts: [{ text }] }],
  generationConfig,
})

const aspectRatios: Record<string, string> = {
  '1024x1024': '1:1',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
}

/** One image per call. */
export function writeImageRequest({ prompt, size }: Json): Json {
  const aspectRatio = entryOf(aspectRatios, size)
  return chatOf(prompt, {
    responseModalities: ['TEXT', 'IMAGE'],
    ...(aspectRatio && { imageConfig: { aspectRatio } }),
  })
}

export function readImages(body: Json): Json {
  const candidates = objectsOf(body.candidates)
  if (!candidates.length) return body
  const data = filesIn(body).map(({ data: b64_json }) => ({ b64_json }))
  if (data.length) return { created: now(), data, usage: usageIn(body) }
  return errorBody(`No picture was made: ${candidates[0]!.finishReason}`, 'invalid_request_error', 'content_filter')
}

/** For clients that name none of Google's voices. */
const DEFAULT_VOICE = 'Kore'

export function writeSpeechRequest({ input, voice }: Json): Json {
  const voiceName = typeof voice === 'string' && !isOpenAiVoice(voice) ? voice : DEFAULT_VOICE
  return chatOf(input, {
    responseModalities: ['AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
  })
}

/** The response holds bare PCM samples, which get a WAV header unless the client asks for `pcm`. */
export function readSpeech(body: Json, { response_format }: Json): WrappedFile | undefined {
  const [file] = filesIn(body)
  if (!file) return undefined
  const samples = Buffer.from(String(file.data), 'base64')
  const report = usageIn(body)
  if (response_format === 'pcm') return { type: 'audio/pcm', bytes: samples, report }
  return { type: 'audio/wav', bytes: waveFile(samples, String(file.mimeType)), report }
}

const filesIn = ({ candidates }: Json): Json[] =>
  objectsOf(candidates)
    .flatMap(candidate => objectsOf(fieldOf(candidate, 'content.parts')))
    .flatMap(({ inlineData }) => objectsOf([inlineData]))

function usageIn({ usageMetadata }: Json): Json | undefined {
  if (!usageMetadata) return undefined
  const count = (name: string) => Number(fieldOf(usageMetadata, name) ?? 0)
  return {
    input_tokens: count('promptTokenCount'),
    output_tokens: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    total_tokens: count('totalTokenCount'),
  }
}
