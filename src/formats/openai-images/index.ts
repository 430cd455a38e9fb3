/** OpenAI images: generated from a prompt, edited, or varied. https://platform.openai.com/docs/api-reference/images (read 2026-11) */
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { usageOf } from '../canonical/chat.ts'
import type { ClientFormat, LocalCounts, MeteredUsage, ResponseFacts, UpstreamFormat } from '../format.ts'
import { isObject } from '../json/checks.ts'
import { readTokens } from '../json/token-usage.ts'
import { readError, writeErrorFrame } from '../openai-chat/api-error.ts'
import { TypedEventReader } from '../typed-events.ts'
import { modelOf, type Needs, picturesIn, readFacts } from './request.ts'
import { isSized, tokensOfPicture } from './sizes.ts'

/** Tokens of one image for models with a ratio instead of a price per call: 0.0025 USD at ratio 1. */
const TOKENS_PER_PICTURE = 1250
/** Estimated tokens of an input image. */
const TOKENS_PER_GIVEN = 1000

const drawing = (name: string, needs: Needs): ClientFormat & UpstreamFormat => ({
  name,
  readFacts: readFacts(needs),
  promptTokens,
  promptText: body => String(body.prompt ?? ''),
  forward: (body, { model }) => ({ ...body, model }),
  responseFacts,
  streamReader: options => new TypedEventReader(events, options),
  meter,
  readError,
  writeErrorFrame,
  may_respond_whole: true,
})

export const imageGenerations = drawing('openai-image-generations', ['prompt'])
export const imageEdits = drawing('openai-image-edits', ['prompt', 'image'])
export const imageVariations = drawing('openai-image-variations', ['image'])

function promptTokens(body: Json): number {
  if (!isSized(modelOf(body))) return TOKENS_PER_PICTURE * picturesIn(body)
  const given = [body.image, body['image[]'], body.images, body.mask].flat().filter(Boolean)
  return estimateTokens(String(body.prompt ?? '')) + given.length * TOKENS_PER_GIVEN
}

function responseFacts(body: unknown): ResponseFacts | undefined {
  const { data, usage } = (body ?? {}) as Json
  if (!Array.isArray(data)) return undefined
  return { usage_report: isObject(usage) ? usage : undefined, output_estimate: data.length, text: '' }
}

const events = {
  completes: (type: string) => /^image_(?:generation|edit)\.completed$/.test(type),
  piece: () => 0,
}

/** Counts the images that were delivered, at most those that the client asked for. */
function meter(report: Json | undefined, { prompt, output, asked = {}, by_call = false }: LocalCounts): MeteredUsage {
  const pictures = Math.min(output, picturesIn(asked))
  const model = modelOf(asked)
  const reported = model.startsWith('dall-e') ? undefined : readTokens(report, 'output_image')
  if (reported) return { usage: { ...reported.usage, calls: pictures || 1 }, by: 'upstream', doubts: reported.doubts }
  if (!pictures) return { usage: usageOf(), by: 'gateway', doubts: [] }
  const tokens = isSized(model)
    ? { input: prompt, output_image: pictures * tokensOfPicture(asked) }
    : { input: pictures * TOKENS_PER_PICTURE }
  return { usage: usageOf({ ...(!by_call && tokens), calls: pictures }), by: 'gateway', doubts: [] }
}
