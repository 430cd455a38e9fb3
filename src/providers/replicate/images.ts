/** Pictures at Replicate in OpenAI's form. https://replicate.com/collections/text-to-image (read 2026-11) */
import { entryOf } from '../../formats/json/lenient-json.ts'
import { versionIn } from '../../formats/replicate/write-request.ts'
import { now } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { listOf } from '../kit/embeddings.ts'
import { errorBody, only } from '../kit/json-edits.ts'

const aspectRatios: Record<string, string> = {
  '1024x1024': '1:1',
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
}

/** A side in pixels. */
const [SIDE_MIN, SIDE_MAX, SIDE_STEP] = [256, 1440, 32]

/** Inputs of the models themselves. None of them makes more pictures than are paid for. */
const ownInputs = [
  ...['aspect_ratio', 'width', 'height', 'seed', 'negative_prompt', 'guidance', 'guidance_scale', 'prompt_strength'],
  ...['num_inference_steps', 'image_prompt', 'image_prompt_strength', 'output_format', 'output_quality', 'raw'],
  ...['prompt_upsampling', 'safety_tolerance', 'style', 'strength'],
]

export function writeImageRequest(body: Json): Json {
  const { model, prompt, n } = body
  const version = versionIn(String(model))
  return {
    ...(version && { version }),
    input: {
      prompt,
      ...sizeOf(body.size),
      ...(typeof n === 'number' && n > 1 && { num_outputs: n }),
      ...only(body, ...ownInputs),
      ...(body.output_format === 'jpeg' && { output_format: 'jpg' }),
    },
  }
}

function sizeOf(size: unknown): Json {
  const aspect_ratio = entryOf(aspectRatios, size)
  if (aspect_ratio) return { aspect_ratio }
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(String(size)) ?? []
  return width ? { aspect_ratio: 'custom', width: sideOf(width), height: sideOf(height!) } : {}
}

function sideOf(text: string): number {
  const side = Math.round(Number(text) / SIDE_STEP) * SIDE_STEP
  return Math.min(SIDE_MAX, Math.max(SIDE_MIN, side))
}

/** The input that takes the picture to be edited; the first pattern that matches counts. */
const imageInputs: [model: RegExp, name: string, isList: boolean][] = [
  [/kontext/, 'input_image', false],
  [/gpt-image|flux-2/, 'input_images', true],
  [/nano-banana|seedream/, 'image_input', true],
  [/^black-forest-labs\/flux-(?:1\.1-pro|pro)/, 'image_prompt', false],
  [/^/, 'image', false],
]

export function writeImageEdit(body: Json): Json {
  const { input, ...others } = writeImageRequest(body)
  const pictures = listOf(body.image ?? body['image[]'])
  const [, name, isList] = imageInputs.find(([pattern]) => pattern.test(String(body.model)))!
  const mask = body.mask !== undefined && { mask: listOf(body.mask)[0] }
  return { ...others, input: { ...(input as Json), [name]: isList ? pictures : pictures[0], ...mask } }
}

/** @param body a prediction that has ended, with `files` where they have been fetched. */
export function readPictures(body: Json): Json {
  const { status, output, files } = body
  if (status !== 'succeeded') return body
  const data = Array.isArray(files)
    ? files.map(b64_json => ({ b64_json }))
    : listOf(output ?? [])
        .filter(isText)
        .map(pictureOf)
  return data.length ? { created: now(), data } : errorBody('No picture was made', 'server_error', 'no_output')
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function pictureOf(url: string): Json {
  return url.startsWith('data:') ? { b64_json: url.slice(url.indexOf(',') + 1) } : { url }
}
