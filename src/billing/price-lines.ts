/** Prices of a model for display, with the ratio of a group. */
import { factorsOf, type ModelRatios } from './rate.ts'
import type { Bucket } from './usage.ts'

export interface PriceLine {
  bucket: Bucket | 'reasoning' | 'call'
  /** USD per 1M tokens, or per call. */
  usd: number
  /** Ratios whose product with the group's is the price: the model's first; empty for a price per call. */
  factors: number[]
}

const MILLION = 1_000_000
/** Significant digits; further ones are noise of the arithmetic. */
const PRINTED_DIGITS = 12

/** In the order of a receipt. Audio and images only where they cost more or less than text. */
export function priceLines(ratios: ModelRatios, group_ratio: number): PriceLine[] {
  const { mode, model_price, model_ratio, quota_per_unit } = ratios
  if (mode === 'call') return [{ bucket: 'call', usd: printed(model_price * group_ratio), factors: [] }]
  const input = (model_ratio * MILLION) / quota_per_unit
  return Object.entries(factorsOf(ratios))
    .filter(([bucket]) => isApart(bucket as Bucket, ratios))
    .map(([bucket, own]) => ({
      bucket: bucket as PriceLine['bucket'],
      usd: printed(own.reduce((product, factor) => product * factor, input * group_ratio)),
      factors: [model_ratio, ...own],
    }))
}

const printed = (usd: number) => Number(usd.toPrecision(PRINTED_DIGITS))

function isApart(bucket: Bucket, { audio_ratio, audio_completion_ratio, image_ratio }: ModelRatios): boolean {
  if (bucket === 'input_audio' || bucket === 'output_audio') return audio_ratio !== 1 || audio_completion_ratio !== 1
  return (bucket !== 'input_image' && bucket !== 'output_image') || image_ratio !== 1
}
