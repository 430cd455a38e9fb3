/** Reads a request for a video as clients of OpenAI's API, and of gateways, write it. */
import { type Json, parsedOrUndefined } from '../../pure/json.ts'
import { type Flaw, isAbsent, isObject, MODEL_NAME_LIMIT, required, wrong } from '../json/checks.ts'
import { objectOf, textOf } from '../json/lenient-json.ts'
import type { VideoRequest } from '../videos/request.ts'
import { ratios, resolutions, sizeNamed } from '../videos/sizes.ts'

export const SECONDS_MAX = 3600

export function readRequest(body: Json): VideoRequest | Flaw {
  try {
    return requestIn(body)
  } catch (error) {
    if (error instanceof FlawFound) return error.flaw
    throw error
  }
}

/** Ends the reading of a request. */
export class FlawFound extends Error {
  constructor(readonly flaw: Flaw) {
    super(flaw.code)
  }
}

function requestIn(body: Json): VideoRequest {
  const metadata = metadataIn(body)
  const model = modelIn(body)
  if (!isAbsent(metadata.model) && metadata.model !== model) throw new FlawFound(wrong('metadata.model'))
  const { model: _, ...own_fields } = metadata
  const [first, ...others] = picturesIn(body)
  const request: VideoRequest = {
    model,
    prompt: textIn(body, 'prompt') ?? '',
    seconds: secondsIn(body.seconds ?? body.duration),
    ...shapeIn(body),
    first_frame: pictureIn(body, 'first_frame') ?? first,
    last_frame: pictureIn(body, 'last_frame') ?? pictureIn(body, 'image_tail'),
    references: [...listIn(body.reference_images, 'reference_images'), ...others],
    video: videoUrlIn(body, 'video') ?? videoUrlIn(body, 'video_url'),
    seed: wholeIn(body, 'seed'),
    negative_prompt: textIn(body, 'negative_prompt'),
    sound: flagIn(body, 'sound') ?? flagIn(body, 'generate_audio'),
    metadata: own_fields,
  }
  if (!request.prompt.trim()) throw new FlawFound(required('prompt'))
  return present(request)
}

/** Without fields that say nothing. */
export const present = (request: VideoRequest): VideoRequest =>
  Object.fromEntries(
    Object.entries(request).filter(([, value]) => !isAbsent(value) && !isEmpty(value)),
  ) as unknown as VideoRequest

const isEmpty = (value: unknown) => typeof value === 'object' && !Object.keys(value!).length

function modelIn({ model }: Json): string {
  if (isAbsent(model) || model === '') throw new FlawFound({ code: 'relay.missing_model', param: 'model' })
  if (typeof model !== 'string' || model.length > MODEL_NAME_LIMIT) throw new FlawFound(wrong('model'))
  return model
}

/** In a form it is a text. */
function metadataIn({ metadata }: Json): Json {
  if (isAbsent(metadata) || metadata === '') return {}
  const read = typeof metadata === 'string' ? parsedOrUndefined(metadata) : metadata
  if (!isObject(read)) throw new FlawFound(wrong('metadata'))
  return read
}

/** Blank texts of forms are none. @throws FlawFound */
export function textIn(body: Json, name: string): string | undefined {
  const value = body[name]
  if (isAbsent(value) || value === '') return undefined
  if (typeof value !== 'string') throw new FlawFound(wrong(name))
  return value
}

/** @throws FlawFound for what is no whole number from 1 to 3600 */
export function secondsIn(value: unknown): number | undefined {
  if (isAbsent(value) || value === '') return undefined
  const seconds = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  if (Number.isInteger(seconds) && (seconds as number) >= 1 && (seconds as number) <= SECONDS_MAX)
    return seconds as number
  throw new FlawFound({ code: 'relay.invalid_seconds', params: { accepted: `1–${SECONDS_MAX}` }, param: 'seconds' })
}

/** By pixels, or by resolution and ratio. Some clients know the better resolution as a mode. */
export function shapeIn(body: Json): Pick<VideoRequest, 'size' | 'resolution' | 'ratio'> {
  const size = textIn(body, 'size')?.toLowerCase().replace(/[*×]/, 'x')
  const resolution = textIn(body, 'resolution')?.toLowerCase() ?? resolutionOfMode(body)
  const ratio = textIn(body, 'aspect_ratio') ?? textIn(body, 'ratio')
  if (resolution && !resolutions.includes(resolution)) throw unknownSize(resolution)
  if (ratio && !ratios.includes(ratio)) throw unknownSize(ratio)
  if (!size) return { resolution, ratio }
  if (resolutions.includes(size)) return { resolution: size, ratio }
  const known = sizeNamed(size)
  if (!known || (resolution && resolution !== known.resolution)) throw unknownSize(size)
  return known
}

const modes: Record<string, string> = { std: '720p', pro: '1080p' }

function resolutionOfMode(body: Json): string | undefined {
  const mode = textIn(body, 'mode')
  if (mode === undefined) return undefined
  if (!Object.hasOwn(modes, mode)) throw new FlawFound(wrong('mode'))
  return modes[mode]
}

const unknownSize = (size: string) =>
  new FlawFound({
    code: 'relay.invalid_size',
    params: { size: size.slice(0, 40), accepted: resolutions.join(', ') },
    param: 'size',
  })

/** Of all the names that clients have for it. */
const picturesIn = (body: Json): string[] => [
  ...listIn(body.input_reference, 'input_reference'),
  ...listIn(body.image, 'image'),
  ...listIn(body.images, 'images'),
]

const pictureIn = (body: Json, name: string): string | undefined => listIn(body[name], name)[0]

/** Addresses and data URLs, each as it is or in an object. @throws FlawFound */
function listIn(value: unknown, name: string): string[] {
  if (isAbsent(value) || value === '') return []
  return [value].flat().map(item => {
    const { url, image_url } = objectOf(item)
    const address = typeof item === 'string' ? item : textOf(url ?? objectOf(image_url).url ?? image_url)
    return pictureUrl(address, name)
  })
}

/** How the base64 of a picture begins, by its type. */
const beginnings: [start: string, type: string][] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
]

/** An address or a data URL of a picture, also where a client writes base64 alone. @throws FlawFound */
export function pictureUrl(text: string, name: string): string {
  if (/^https?:\/\/./i.test(text) || /^data:image\/[\w.+-]+;base64,./i.test(text)) return text
  const [, type] = beginnings.find(([start]) => text.startsWith(start)) ?? []
  if (!type) throw new FlawFound(wrong(name))
  return `data:${type};base64,${text}`
}

/** @throws FlawFound for anything but the address of a video */
export function videoUrlIn(body: Json, name: string): string | undefined {
  const url = textIn(body, name)
  if (url !== undefined && !/^https?:\/\/./i.test(url)) throw new FlawFound(wrong(name))
  return url
}

/** @throws FlawFound */
export function wholeIn(body: Json, name: string): number | undefined {
  const value = body[name]
  if (isAbsent(value) || value === '') return undefined
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (!Number.isSafeInteger(number)) throw new FlawFound(wrong(name))
  return number as number
}

const flags = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['on', true],
  ['off', false],
])

/** @throws FlawFound */
export function flagIn(body: Json, name: string): boolean | undefined {
  const value = body[name]
  if (isAbsent(value) || value === '') return undefined
  const flag = flags.get(value)
  if (flag === undefined) throw new FlawFound(wrong(name))
  return flag
}
