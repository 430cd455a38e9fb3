/** How fast the formats of a session run, and what a second of sound counts as where nobody else has counted. */
import { isObject } from '../json/checks.ts'
import { numberOf, textOf } from '../json/lenient-json.ts'

const PCM_RATE = 24_000
const PCM_BYTES = 2
const TELEPHONE_RATE = 8000

/** @param format `g711_ulaw`, `pcm16`, or `{ type: 'audio/pcm', rate: 24000 }` */
export function bytesPerSecond(format: unknown): number {
  const name = textOf(isObject(format) ? format.type : format)
  if (/g711|pcm[ua]/.test(name)) return TELEPHONE_RATE
  const told = isObject(format) ? (numberOf(format.rate) ?? 0) : 0
  const rate = told > 0 ? told : PCM_RATE
  return rate * PCM_BYTES
}

export const TOKENS_PER_SECOND_HEARD = 100 / 0.06 / 60
export const TOKENS_PER_SECOND_SPOKEN = 200 / 0.24 / 60
