/**
 * Embeddings and pictures of Bedrock, by InvokeModel in the formats of their makers.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html and
 * https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html (read 2026-11)
 */
import { isObject } from '../../formats/json/checks.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { inRequestedEncoding, listOf } from '../kit/embeddings.ts'
import { errorBody } from '../kit/json-edits.ts'

const COHERE_INPUTS_MAX = 96

const isCohere = (model: unknown): boolean => /cohere|embed-(?:english|multilingual|v4)/i.test(String(model))

/** Titan embeds one text at a time. */
export const inputsMax = (model: string): number => (isCohere(model) ? COHERE_INPUTS_MAX : 1)

export function writeEmbeddingRequest({ model, input, dimensions, input_type, truncate }: Json): Json {
  if (!isCohere(model)) return { inputText: listOf(input)[0], dimensions: isTitan1(model) ? undefined : dimensions }
  const isV4 = /v4/.test(String(model))
  return {
    texts: listOf(input),
    input_type: input_type ?? 'search_document',
    truncate,
    ...(isV4 && { embedding_types: ['float'], output_dimension: dimensions }),
  }
}

/** The first version has one size. */
const isTitan1 = (model: unknown): boolean => /titan-embed-text-v1|g1-text/i.test(String(model))

/** Titan reports the tokens, Cohere only in a header. */
export function readEmbeddings(body: Json, request: Json): Json {
  const vectors = vectorsIn(body)
  if (!vectors) return body
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const tokens = body.inputTextTokenCount
  const usage = typeof tokens === 'number' ? { prompt_tokens: tokens, total_tokens: tokens } : undefined
  return inRequestedEncoding({ object: 'list', data, model: request.model, ...(usage && { usage }) }, request)
}

function vectorsIn({ embedding, embeddings }: Json): unknown[] | undefined {
  if (Array.isArray(embedding)) return [embedding]
  const floats = isObject(embeddings) ? embeddings.float : embeddings
  return Array.isArray(floats) ? floats : undefined
}

export function writeImageRequest({ prompt, negative_prompt, n, size, quality, seed }: Json): Json {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(size)) ?? []
  return {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: prompt, negativeText: negative_prompt },
    imageGenerationConfig: {
      numberOfImages: n ?? 1,
      ...(width && height && { width: Number(width), height: Number(height) }),
      quality: quality === 'hd' || quality === 'high' || quality === 'premium' ? 'premium' : 'standard',
      seed,
    },
  }
}

/** Filtered pictures are missing, and `error` says why; when none is left, the request was refused. */
export function readImages(body: Json): Json {
  if (!Array.isArray(body.images) && typeof body.error !== 'string') return body
  const data = listOf(body.images ?? []).map(b64_json => ({ b64_json }))
  if (data.length) return { created: now(), data }
  return errorBody(body.error ?? 'No picture was made', 'validationException', 'content_filter')
}
