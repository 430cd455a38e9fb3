/** Prices of images by size and quality: per image for DALL-E, in tokens for GPT Image. https://platform.openai.com/docs/guides/image-generation (read 2026-11) */

import type { Json } from '../../pure/json.ts'
import type { Flaw } from '../json/checks.ts'

/** Models billed by the tokens of an image. */
export const isSized = (model: string): boolean => /^(?:chatgpt|gpt)-image/.test(model)

const isPiece = (model: string): boolean => model.startsWith('dall-e')

const sizesOf = (model: string): string[] | undefined => {
  if (model === 'dall-e' || model === 'dall-e-2') return ['256x256', '512x512', '1024x1024']
  if (model === 'dall-e-3') return ['1024x1024', '1024x1792', '1792x1024']
}

/** Refuses unknown sizes of models whose sizes are known: they have no price. */
export function sizeFlaw(model: string, { size }: Json): Flaw | undefined {
  const sizes = sizesOf(model)
  if (!size || !sizes || sizes.includes(size as string)) return undefined
  return { code: 'relay.size_unknown', params: { model, sizes: sizes.join(', ') }, param: 'size' }
}

const sizeFactors = new Map<unknown, number>([
  ['256x256', 0.4],
  ['512x512', 0.45],
  ['1024x1792', 2],
  ['1792x1024', 2],
])

/** @returns the factor on the listed price of one image */
export function multiplierOf(model: string, { size, quality }: Json): number {
  if (!isPiece(model)) return 1
  const factor = sizeFactors.get(size) ?? 1
  if (model !== 'dall-e-3' || quality !== 'hd') return factor
  return factor * (factor === 2 ? 1.5 : 2)
}

const MOST_SQUARE_TOKENS = 4160
/** Tokens of one square image; other shapes take 1.5 times as many. */
const squareTokens = new Map<unknown, number>([
  ['low', 272],
  ['medium', 1056],
  ['high', MOST_SQUARE_TOKENS],
])
const LONG = 1.5

/** An unknown size or quality counts as the largest. */
export function tokensOfPicture({ size, quality }: Json): number {
  const tokens = squareTokens.get(quality) ?? MOST_SQUARE_TOKENS
  return size === '1024x1024' ? tokens : tokens * LONG
}
