/**
 * DashScope's pictures: newer models answer at once, older ones by a job, each with a body of its own.
 * https://help.aliyun.com/zh/model-studio/text-to-image and https://help.aliyun.com/zh/model-studio/qwen-image-edit-api
 * (read 2026-11)
 */
import { withErrorType } from '../../formats/ali/api-error.ts'
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf, textOf } from '../../formats/json/lenient-json.ts'
import { drawsAtOnce } from '../../models/qwen.ts'
import { now } from '../../process/clock.ts'
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { errorBody, only } from '../kit/json-edits.ts'
import type { ApiDeclaration } from '../kit/openai-compatible.ts'
import type { Steps } from '../kit/steps.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { asJob, finishJob } from './jobs.ts'

const SERVICES = '/api/v1/services/aigc'

const pictures = (job: string): ApiDeclaration => ({
  path: model => `${SERVICES}/${drawsAtOnce(model) ? 'multimodal-generation/generation' : job}`,
  headers: model => (drawsAtOnce(model) ? {} : asJob),
  after: awaitPictures,
})

export const imageGenerations: ApiDeclaration = {
  ...pictures('text2image/image-synthesis'),
  rewriteRequest(body) {
    const { model, prompt } = body
    if (drawsAtOnce(String(model))) return conversation(body, [])
    const input = { prompt, ...only(body, 'negative_prompt', 'ref_img') }
    return { model, input, parameters: parametersOf(body, 'steps', 'scale', ...styleOf(body)) }
  },
}

export const imageEdits: ApiDeclaration = {
  ...pictures('image2image/image-synthesis'),
  takes_no_forms: true,
  rewriteRequest(body) {
    const { model, prompt, negative_prompt } = body
    const images = imagesIn(body)
    if (drawsAtOnce(String(model))) return conversation(body, images)
    if (!/^wanx/.test(String(model)))
      return {
        model,
        input: { prompt, images, ...(negative_prompt ? { negative_prompt } : {}) },
        parameters: parametersOf(body),
      }
    return { model, input: { ...functionOf(body), prompt, base_image_url: images[0] }, parameters: parametersOf(body) }
  },
}

/** The images stand before the text. */
function conversation(body: Json, images: unknown[]): Json {
  const content = [...images.map(image => ({ image })), { text: body.prompt }]
  return {
    model: body.model,
    input: { messages: [{ role: 'user', content }] },
    parameters: parametersOf(body, 'negative_prompt'),
  }
}

/** The oldest editor names what it does. https://help.aliyun.com/zh/model-studio/wanx-image-edit (read 2026-11) */
function functionOf({ function: named, mask }: Json): Json {
  if (!mask) return { function: named ?? 'description_edit' }
  return { function: named ?? 'description_edit_with_mask', mask_image_url: imageIn(mask) }
}

/** Several models make four images unless they are asked for less: the number is always sent. */
function parametersOf(body: Json, ...others: string[]): Json {
  const { size, n = 1 } = body
  const own = only(body, 'prompt_extend', 'watermark', 'seed', ...others)
  return {
    ...(typeof size === 'string' && size !== 'auto' && { size: size.replace('x', '*') }),
    n,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fieldValue(value)])),
  }
}

/** DashScope's styles stand in angle brackets; `vivid` and `natural` are OpenAI's. */
const styleOf = ({ style }: Json): string[] => (textOf(style).startsWith('<') ? ['style'] : [])

/** A form has texts in place of numbers and truths. */
const fieldValue = (value: unknown): unknown =>
  typeof value === 'string' && /^(?:true|false|\d{1,15})$/.test(value) ? parsedOrUndefined(value) : value

const imagesIn = ({ image, 'image[]': list, images }: Json): unknown[] =>
  [image, list, images].flat().filter(Boolean).map(imageIn)

/** A URL or a data URL, alone or inside an object. */
const imageIn = (image: unknown): unknown => (isObject(image) ? (image.image_url ?? image.url) : image)

/** @returns the pictures that succeeded, in OpenAI's form, or an error when none did */
function* awaitPictures(body: unknown, config: UpstreamConfig, request: Json): Steps<unknown> {
  if (!isObject(body)) return body
  const task = yield* finishJob(body, config)
  const made = picturesIn(objectOf(task.output))
  const data = request.response_format === 'b64_json' ? yield* downloaded(made) : made
  if (data.length) return { created: now(), data }
  return made.length ? errorBody('No picture could be fetched', 'server_error', 'download') : errorIn(task)
}

function picturesIn({ choices, results }: Json): Json[] {
  const spoken = objectsOf(choices).flatMap(({ message }) => objectsOf(objectOf(message).content))
  return [
    ...spoken.flatMap(({ image: url }) => (textOf(url) ? [{ url }] : [])),
    ...objectsOf(results).flatMap(({ url, actual_prompt: revised_prompt }) =>
      textOf(url) ? [{ url, ...(textOf(revised_prompt) && { revised_prompt }) }] : [],
    ),
  ]
}

/** The error of the job, or of its first picture. */
function errorIn(task: Json): Json {
  const [refused] = objectsOf(objectOf(task.output).results).filter(({ code }) => textOf(code))
  return withErrorType(refused ? only(refused, 'code', 'message') : task)
}

function* downloaded(pictures: Json[]): Steps<Json[]> {
  const data: Json[] = []
  for (const { url, ...others } of pictures) {
    const { status, bytes } = yield { url: String(url) }
    if (status === 200) data.push({ b64_json: Buffer.from(bytes).toString('base64'), ...others })
  }
  return data
}
