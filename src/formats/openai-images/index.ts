/**
 * OpenAI's image generations, edits and variations.
 * https://platform.openai.com/docs/api-reference/images (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import { usageOf } from '../canonical/chat.ts'
import { estimateOf } from '../estimate.ts'
import type {
  BillingBasis,
  ClientFormat,
  MeteredFacts,
  MeteredUsage,
  PassedUpstream,
  ReportedUsage,
  ResponseFacts,
} from '../format.ts'
import { isObject } from '../json/checks.ts'
import { everyText } from '../json/every-text.ts'
import { readTokens } from '../json/token-usage.ts'
import { readError, writeErrorFrame } from '../openai-chat/api-error.ts'
import { TypedEventReader } from '../typed-events.ts'
import { imagesIn, modelOf, type RequiredFields, readFacts } from './request.ts'
import { isBilledByTokens, tokensOfImage } from './sizes.ts'

/** Tokens of one image for models with a ratio and no price per call: 0.0025 USD at ratio 1. */
const TOKENS_PER_IMAGE = 1250
/** Estimated tokens of one input image. */
const TOKENS_PER_INPUT_IMAGE = 1000

const images = (name: string, fields: RequiredFields): ClientFormat & PassedUpstream => ({
  name,
  readFacts: readFacts(fields),
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

export const imageGenerations = images('openai-image-generations', ['prompt'])
export const imageEdits = images('openai-image-edits', ['prompt', 'image'])
export const imageVariations = images('openai-image-variations', ['image'])

function promptTokens(body: Json): number {
  if (!isBilledByTokens(modelOf(body))) return TOKENS_PER_IMAGE * imagesIn(body)
  const inputs = [body.image, body['image[]'], body.images, body.mask].flat().filter(Boolean)
  const texts = everyText(body, 'image', 'image[]', 'images', 'mask')
  return estimateOf(texts) + inputs.length * TOKENS_PER_INPUT_IMAGE
}

function responseFacts(body: unknown): ResponseFacts | undefined {
  const { data, usage } = (body ?? {}) as Json
  if (!Array.isArray(data)) return undefined
  return { usage_report: isObject(usage) ? usage : undefined, output_estimate: data.length, text: '' }
}

const events = {
  completes: (type: string) => /^image_(?:generation|edit)\.completed$/.test(type),
  // All images are in the making when a partial one comes.
  units: ({ b64_json }: Json, choices: number) => (b64_json ? choices : 0),
}

/** Bills the images delivered, never more than requested. */
function meter(
  { usage_report, output_estimate }: MeteredFacts,
  { request = {}, by_call = false }: BillingBasis,
): ReportedUsage {
  const calls = Math.min(output_estimate, imagesIn(request))
  const model = modelOf(request)
  const reported = model.startsWith('dall-e') ? undefined : readTokens(usage_report, 'output_image')
  if (reported)
    return { usage: { ...reported.usage, calls: calls || 1 }, by: 'upstream', doubts: reported.doubts, missing: [] }
  const own: Pick<MeteredUsage, 'by' | 'doubts'> = { by: 'gateway', doubts: [] }
  if (!calls) return { ...own, usage: usageOf(), missing: [] }
  if (by_call) return { ...own, usage: usageOf({ calls }), missing: [] }
  if (!isBilledByTokens(model))
    return { ...own, usage: usageOf({ calls, input: calls * TOKENS_PER_IMAGE }), missing: [] }
  return { ...own, usage: usageOf({ calls, output_image: calls * tokensOfImage(request) }), missing: ['input'] }
}
