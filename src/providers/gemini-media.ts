/** Google's models that draw or speak: asked as in a chat, and what they made stands in a part of their answer. */

import { entryOf } from '../formats/json/lenient-json.ts'
import { waveFile } from '../formats/media/wav.ts'
import { now } from '../process/clock.ts'
import type { Json } from '../pure/json.ts'
import { failure, objectsIn } from './json-edits.ts'
import type { WrappedFile } from './provider.ts'
import { fieldOf } from './upstream-query.ts'

const asTurn = (text: unknown, generationConfig: Json): Json => ({
  contents: [{ role: 'user', parts: [{ text }] }],
  generationConfig,
})

const ratios: Record<string, string> = {
  '1024x1024': '1:1',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
}

/** One picture a call. */
export function askToDraw({ prompt, size }: Json): Json {
  const aspectRatio = entryOf(ratios, size)
  return asTurn(prompt, {
    responseModalities: ['TEXT', 'IMAGE'],
    ...(aspectRatio && { imageConfig: { aspectRatio } }),
  })
}

export function readDrawn(answer: Json): Json {
  const candidates = objectsIn(answer.candidates)
  if (!candidates.length) return answer
  const data = madeIn(answer).map(({ data: b64_json }) => ({ b64_json }))
  if (data.length) return { created: now(), data, usage: usageIn(answer) }
  return failure(`No picture was made: ${candidates[0]!.finishReason}`, 'invalid_request_error', 'content_filter')
}

/** Who asks for none of Google's voices gets one of them. */
const OPENAI_VOICES = /^(?:alloy|ash|ballad|cedar|coral|echo|fable|marin|nova|onyx|sage|shimmer|verse)$/
const VOICE = 'Kore'

export function askToSpeak({ input, voice }: Json): Json {
  const isKnown = typeof voice === 'string' && !OPENAI_VOICES.test(voice)
  return asTurn(input, {
    responseModalities: ['AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: isKnown ? voice : VOICE } } },
  })
}

/** Bare samples; a file, where these are not what was asked for. */
export function readSpoken(answer: Json, { response_format }: Json): WrappedFile | undefined {
  const [sound] = madeIn(answer)
  if (!sound) return undefined
  const samples = Buffer.from(String(sound.data), 'base64')
  const report = usageIn(answer)
  if (response_format === 'pcm') return { type: 'audio/pcm', bytes: samples, report }
  return { type: 'audio/wav', bytes: waveFile(samples, String(sound.mimeType)), report }
}

const madeIn = ({ candidates }: Json): Json[] =>
  objectsIn(candidates)
    .flatMap(candidate => objectsIn(fieldOf(candidate, 'content.parts')))
    .flatMap(({ inlineData }) => objectsIn([inlineData]))

function usageIn({ usageMetadata }: Json): Json | undefined {
  if (!usageMetadata) return undefined
  const count = (name: string) => Number(fieldOf(usageMetadata, name) ?? 0)
  return {
    input_tokens: count('promptTokenCount'),
    output_tokens: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    total_tokens: count('totalTokenCount'),
  }
}
