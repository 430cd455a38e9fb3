/** Google's models that draw or speak: asked as in a chat, and what they made stands in a part of their answer. */
import type { Json } from '../codecs/codec.ts'
import { now } from '../kit/clock.ts'
import { failure, objectsIn } from './fit.ts'
import { fieldOf } from './inquiry.ts'
import type { Wrapped } from './provider.ts'

const asking = (text: unknown, generationConfig: Json): Json => ({
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
  const aspectRatio = ratios[String(size)]
  return asking(prompt, {
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
  return asking(input, {
    responseModalities: ['AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: isKnown ? voice : VOICE } } },
  })
}

const SAMPLES_PER_SECOND = 24_000

/** Bare samples; a file, where these are not what was asked for. */
export function readSpoken(answer: Json, { response_format }: Json): Wrapped | undefined {
  const [sound] = madeIn(answer)
  if (!sound) return undefined
  const samples = Buffer.from(String(sound.data), 'base64')
  const report = usageIn(answer)
  if (response_format === 'pcm') return { type: 'audio/pcm', bytes: samples, report }
  const rate = Number(/rate=(\d+)/.exec(String(sound.mimeType))?.[1] ?? SAMPLES_PER_SECOND)
  return { type: 'audio/wav', bytes: Buffer.concat([wavHead(samples.length, rate), samples]), report }
}

/** One channel of samples of 16 bits. */
function wavHead(length: number, rate: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(length, 40)
  return head
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
