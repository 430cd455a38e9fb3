/** What a model can make and take. A request that is open is completed by it, and one that it cannot take is refused. */
import type { Flaw } from '../json/checks.ts'
import { picturesOf, type VideoRequest } from './request.ts'
import { sizeAmong, sizeNamed } from './sizes.ts'

export interface VideoCapabilities {
  /** Names of the models, for readers. */
  models: string
  /** Which they are; the first that matches counts. */
  pattern: RegExp
  /** Lengths, the usual one first; or the limits of a whole number. Absent where the length is that of the input. */
  seconds?: readonly number[] | { min: number; max: number; usual: number }
  /** The usual one first; absent where there is nothing to choose. */
  resolutions?: readonly string[]
  ratios?: readonly string[]
  /** In pixels, where the maker chooses by them; the usual one first. */
  sizes?: readonly string[]
  /** The picture that a video begins with. */
  first_frame?: 'optional' | 'required'
  /** The picture that it ends with, beside the first one. */
  last_frame?: true
  /** Most pictures of what is to be seen. */
  references?: number
  video?: 'optional' | 'required'
  /** A video that is changed keeps its length and its shape. */
  keeps_length?: true
  /** Whether the sound can be chosen. */
  sound?: true
  seed?: true
  negative_prompt?: true
  /** Fields of the maker's own that change no price. */
  own_fields?: readonly string[]
}

/** @returns undefined for a model that the upstream does not know */
export const capabilitiesFor = (all: readonly VideoCapabilities[], model: string): VideoCapabilities | undefined =>
  all.find(({ pattern }) => pattern.test(model))

/** The request with every field that is priced, as the model makes it when it is left open; or why it cannot be made. */
export function completed(request: VideoRequest, capabilities: VideoCapabilities): VideoRequest | Flaw {
  const flaw = lengthFlaw(request, capabilities) ?? inputFlaw(request, capabilities) ?? fieldFlaw(request, capabilities)
  if (flaw) return flaw
  if (request.video && capabilities.keeps_length) return unshaped(request)
  const complete: VideoRequest = {
    ...request,
    seconds: request.seconds ?? usualSeconds(capabilities),
    ...(capabilities.sound && { sound: request.sound ?? true }),
  }
  return capabilities.sizes ? sized(complete, capabilities.sizes) : shaped(complete, capabilities)
}

function unshaped(request: VideoRequest): VideoRequest | Flaw {
  const { model, seconds, resolution, ratio } = request
  if (seconds !== undefined) return unable(model, 'seconds')
  return resolution || ratio ? unable(model, 'size') : request
}

const usualSeconds = ({ seconds }: VideoCapabilities) => (isRange(seconds) ? seconds.usual : seconds?.[0])

const isRange = (seconds: VideoCapabilities['seconds']): seconds is { min: number; max: number; usual: number } =>
  seconds !== undefined && 'min' in seconds

function lengthFlaw({ seconds }: VideoRequest, { seconds: able }: VideoCapabilities): Flaw | undefined {
  if (seconds === undefined) return undefined
  if (able && (isRange(able) ? seconds >= able.min && seconds <= able.max : able.includes(seconds))) return undefined
  const accepted = able ? lengthText(able) : '–'
  return { code: 'relay.invalid_seconds', params: { accepted }, param: 'seconds' }
}

/** Lengths for readers, such as `4, 8, 12` or `1–15`. */
export const lengthText = (seconds: NonNullable<VideoCapabilities['seconds']>): string =>
  isRange(seconds) ? `${seconds.min}–${seconds.max}` : seconds.toSorted((one, other) => one - other).join(', ')

const unable = (model: string, field: string): Flaw => ({
  code: 'relay.invalid_request',
  params: { model, field },
  param: field,
})

function inputFlaw(request: VideoRequest, capabilities: VideoCapabilities): Flaw | undefined {
  const { model, first_frame, last_frame, references = [], video } = request
  const missing = (field: string): Flaw => ({ code: 'relay.field_required', params: { field }, param: field })
  if (first_frame && !capabilities.first_frame) return unable(model, 'image')
  if (last_frame && !(capabilities.last_frame && first_frame)) return unable(model, 'last_frame')
  if (references.length > (capabilities.references ?? 0)) return unable(model, 'references')
  if (video && !capabilities.video) return unable(model, 'video')
  if (capabilities.first_frame === 'required' && !picturesOf(request).length && !video) return missing('image')
  if (capabilities.video === 'required' && !video) return missing('video')
}

function fieldFlaw(
  { model, sound, seed, negative_prompt, metadata = {} }: VideoRequest,
  capabilities: VideoCapabilities,
) {
  if (sound !== undefined && !capabilities.sound) return unable(model, 'sound')
  if (seed !== undefined && !capabilities.seed) return unable(model, 'seed')
  if (negative_prompt !== undefined && !capabilities.negative_prompt) return unable(model, 'negative_prompt')
  const foreign = Object.keys(metadata).find(name => !capabilities.own_fields?.includes(name))
  if (foreign) return unable(model, `metadata.${foreign}`)
}

const sizeFlaw = ({ size, resolution, ratio }: VideoRequest, accepted: readonly string[]): Flaw => ({
  code: 'relay.invalid_size',
  params: { size: size ?? [resolution, ratio].filter(Boolean).join(' '), accepted: accepted.join(', ') },
  param: 'size',
})

function sized(request: VideoRequest, sizes: readonly string[]): VideoRequest | Flaw {
  const { size, resolution, ratio } = request
  const found = size ? sizes.find(one => one === size) : sizeAmong(sizes, { resolution, ratio })
  if (!found) return sizeFlaw(request, sizes)
  return { ...request, size: found, ...shapeOf(found) }
}

function shaped(request: VideoRequest, { resolutions, ratios }: VideoCapabilities): VideoRequest | Flaw {
  const { resolution = resolutions?.[0], ratio } = request
  const isFit =
    (!resolution || resolutions?.includes(resolution)) && (!ratio || ratios?.includes(ratio) || followsPicture(request))
  if (!isFit) return sizeFlaw(request, [...(resolutions ?? []), ...(ratios ?? [])])
  // Of a picture, the video has the ratio of that unless another is named.
  const usual = picturesOf(request).length || request.video ? undefined : ratios?.[0]
  return { ...request, resolution, ratio: ratios ? (ratio ?? usual) : undefined }
}

/** A size names a ratio unasked: where the maker takes that of the picture, it chooses the resolution alone. */
const followsPicture = (request: VideoRequest): boolean => request.size !== undefined && picturesOf(request).length > 0

function shapeOf(size: string): Pick<VideoRequest, 'resolution' | 'ratio'> {
  const { resolution, ratio } = sizeNamed(size)!
  return { resolution, ratio }
}
