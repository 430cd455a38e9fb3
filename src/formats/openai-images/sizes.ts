/** What pictures cost by size and quality: the older models by the piece, the newer ones in tokens. */

import type { Json } from '../../pure/json.ts'
import type { Flaw } from '../json/checks.ts'

/** Models that are billed by what a picture took, in tokens. */
export const isSized = (model: string): boolean => /^(?:chatgpt|gpt)-image/.test(model)

const isPiece = (model: string): boolean => model.startsWith('dall-e')

const sizesOf = (model: string): string[] | undefined => {
  if (model === 'dall-e' || model === 'dall-e-2') return ['256x256', '512x512', '1024x1024']
  if (model === 'dall-e-3') return ['1024x1024', '1024x1792', '1792x1024']
}

/** Where the sizes are known any other is refused: it would have no price. */
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

/** Times the listed price of one picture. */
export function multiplierOf(model: string, { size, quality }: Json): number {
  if (!isPiece(model)) return 1
  const factor = sizeFactors.get(size) ?? 1
  if (model !== 'dall-e-3' || quality !== 'hd') return factor
  return factor * (factor === 2 ? 1.5 : 2)
}

const MOST_SQUARE_TOKENS = 4160
/** Tokens of one square picture; the long sizes take half as much again. */
const squareTokens = new Map<unknown, number>([
  ['low', 272],
  ['medium', 1056],
  ['high', MOST_SQUARE_TOKENS],
])
const LONG = 1.5

/** What is not said may be anything, so it counts as the most. */
export function tokensOfPicture({ size, quality }: Json): number {
  const tokens = squareTokens.get(quality) ?? MOST_SQUARE_TOKENS
  return size === '1024x1024' ? tokens : tokens * LONG
}
