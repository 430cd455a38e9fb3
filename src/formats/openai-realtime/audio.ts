/** Byte rates of the audio formats of a session, and tokens per second of audio. https://platform.openai.com/docs/guides/realtime-costs (read 2026-11) */
import { isObject } from '../json/checks.ts'
import { numberOf, textOf } from '../json/lenient-json.ts'

const PCM_RATE = 24_000
const PCM_BYTES = 2
const TELEPHONE_RATE = 8000

/** @param format `g711_ulaw`, `pcm16`, or `{ type: 'audio/pcm', rate: 24000 }` */
export function bytesPerSecond(format: unknown): number {
  const name = textOf(isObject(format) ? format.type : format)
  if (/g711|pcm[ua]/.test(name)) return TELEPHONE_RATE
  const named = isObject(format) ? (numberOf(format.rate) ?? 0) : 0
  const rate = named > 0 ? named : PCM_RATE
  return rate * PCM_BYTES
}

export const INPUT_TOKENS_PER_SECOND = 100 / 0.06 / 60
export const OUTPUT_TOKENS_PER_SECOND = 200 / 0.24 / 60
