/**
 * Byte rates of realtime audio formats, and tokens by second for audio that the upstream does not report.
 * https://platform.openai.com/docs/api-reference/realtime (read 2026-11)
 */
import { isObject } from '../json/checks.ts'
import { numberOf, textOf } from '../json/lenient-json.ts'

const PCM_RATE = 24_000
const PCM_SAMPLE_BYTES = 2
const G711_RATE = 8000

/** @param format `g711_ulaw`, `pcm16`, or `{ type: 'audio/pcm', rate: 24000 }` */
export function bytesPerSecond(format: unknown): number {
  const name = textOf(isObject(format) ? format.type : format)
  if (/g711|pcm[ua]/.test(name)) return G711_RATE
  const given = isObject(format) ? (numberOf(format.rate) ?? 0) : 0
  const rate = given > 0 ? given : PCM_RATE
  return rate * PCM_SAMPLE_BYTES
}

/**
 * One token for 100 ms of the user's and for 50 ms of the model's sound.
 * https://platform.openai.com/docs/guides/realtime-costs (read 2026-11)
 */
const INPUT_TOKENS_PER_SECOND = 10
const OUTPUT_TOKENS_PER_SECOND = 20

const BYTES_PER_CHARACTER = 3 / 4

export function secondsOf(base64: unknown, rate: number): number {
  if (typeof base64 !== 'string') return 0
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length * BYTES_PER_CHARACTER - padding) / rate
}

export const inputAudioTokens = (seconds: number) => Math.ceil(seconds * INPUT_TOKENS_PER_SECOND)
export const outputAudioTokens = (seconds: number) => Math.ceil(seconds * OUTPUT_TOKENS_PER_SECOND)
