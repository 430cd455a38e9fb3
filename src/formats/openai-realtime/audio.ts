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

/** Estimates: 100 / 0.06 tokens for a minute of input audio, 200 / 0.24 for a minute of output audio. */
export const INPUT_TOKENS_PER_SECOND = 100 / 0.06 / 60
export const OUTPUT_TOKENS_PER_SECOND = 200 / 0.24 / 60
