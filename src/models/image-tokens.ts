/**
 * Tokens of an image in a prompt, by model and size.
 * https://platform.openai.com/docs/guides/images-vision, https://docs.anthropic.com/en/docs/build-with-claude/vision,
 * https://ai.google.dev/gemini-api/docs/image-understanding, https://docs.x.ai/docs/guides/image-understanding,
 * https://help.aliyun.com/zh/model-studio/vision (read 2026-11)
 */

export interface ImageSize {
  /** Pixels. */
  width: number
  height: number
}

/** What an image of unknown size counts as: four tiles. */
const USUAL_SIZE: ImageSize = { width: 1024, height: 1024 }

/** What a reservation takes it for: hardly an image counts as more. */
export const LARGE_SIZE: ImageSize = { width: 4096, height: 1536 }

/** Images of these models are cut into patches, whatever the detail; a token of a patch is billed with a factor. */
const patchFactors: [model: RegExp, factor: number][] = [
  [/gpt-4\.1-mini|gpt-(?:[5-9]|\d\d)(?:\.\d+)?-mini/, 1.62],
  [/gpt-4\.1-nano|gpt-(?:[5-9]|\d\d)(?:\.\d+)?-nano/, 2.46],
  [/o4-mini/, 1.72],
]

/** Tokens of an image, and of each of its tiles. */
const tileTokens: [model: RegExp, base: number, tile: number][] = [
  [/gpt-4o-mini/, 2833, 5667],
  [/gpt-(?:[5-9]|\d\d)/, 70, 140],
  [/(?:^|\/)o[13]/, 75, 150],
  [/computer-use/, 65, 129],
  [/gpt-|chatgpt-/, 85, 170],
]

/** Models that count an image by its area, after shrinking a large one. */
const areaTokens: [model: RegExp, pixels_per_token: number, tokens_max: number][] = [
  [/claude/, 750, 1600],
  [/qwen|qvq/, 784, 2560],
  [/grok/, 784, 1792],
  [/mistral|pixtral/, 784, 4096],
]

/** Models with one count for every image. */
const flatTokens: [model: RegExp, tokens: number][] = [[/glm-4v/, 1047]]
const OTHER_TOKENS = 520

/** @param size undefined when it is not known @param detail as the request names it */
export function imageTokens(model: string, size: ImageSize = USUAL_SIZE, detail?: string): number {
  const factor = patchFactors.find(([pattern]) => pattern.test(model))?.[1]
  if (factor) return Math.ceil(patchesOf(size) * factor)
  if (/gemini/.test(model)) return tokensOfGemini(size)
  const area = areaTokens.find(([pattern]) => pattern.test(model))
  if (area) return Math.min(Math.ceil((size.width * size.height) / area[1]), area[2])
  const tiled = tileTokens.find(([pattern]) => pattern.test(model))
  if (!tiled) return flatTokens.find(([pattern]) => pattern.test(model))?.[1] ?? OTHER_TOKENS
  const [, base, tile] = tiled
  return detail === 'low' ? base : base + tilesOf(size) * tile
}

const [GEMINI_TILE, GEMINI_SMALL, GEMINI_TOKENS] = [768, 384, 258]

/** A small image is one tile. */
function tokensOfGemini({ width, height }: ImageSize): number {
  if (Math.max(width, height) <= GEMINI_SMALL) return GEMINI_TOKENS
  return Math.ceil(width / GEMINI_TILE) * Math.ceil(height / GEMINI_TILE) * GEMINI_TOKENS
}

const [LONG_SIDE_MAX, SHORT_SIDE_MAX, TILE] = [2048, 768, 512]

/** The image is shrunk into a square, then until its short side fits, and cut into tiles. */
function tilesOf({ width, height }: ImageSize): number {
  const fit = Math.min(1, LONG_SIDE_MAX / Math.max(width, height))
  const shrink = fit * Math.min(1, SHORT_SIDE_MAX / (fit * Math.min(width, height)))
  const tiles = (side: number) => Math.ceil(Math.round(side * shrink) / TILE)
  return tiles(width) * tiles(height)
}

const [PATCH, PATCHES_MAX] = [32, 1536]

/** The image is covered with patches; a large one is shrunk until they are few enough, and fill its short side. */
function patchesOf({ width, height }: ImageSize): number {
  const patches = Math.ceil(width / PATCH) * Math.ceil(height / PATCH)
  if (patches <= PATCHES_MAX) return patches
  const shrink = Math.sqrt((PATCH * PATCH * PATCHES_MAX) / (width * height))
  const [across, down] = [(width * shrink) / PATCH, (height * shrink) / PATCH]
  const fill = Math.min(Math.floor(across) / across, Math.floor(down) / down)
  return Math.min(PATCHES_MAX, Math.ceil(across * fill) * Math.ceil(down * fill))
}
