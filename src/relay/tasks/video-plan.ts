/** Settles a request for a video before money moves: which channels can make it, how long and how large it will be. */
import type { TaskChoice, TaskUnit } from '../../billing/task-price.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { type Candidate, upstreamModel } from '../../domain/routing/index.ts'
import type { Flaw } from '../../formats/json/checks.ts'
import { capabilitiesFor, completed } from '../../formats/videos/capabilities.ts'
import { withoutRemix } from '../../formats/videos/remix.ts'
import {
  inputOf,
  isDataUrl,
  picturesOf,
  traitsOf,
  type VideoRequest,
  withoutFiles,
} from '../../formats/videos/request.ts'
import { pixelsOf } from '../../formats/videos/sizes.ts'
import type { Json } from '../../pure/json.ts'
import { fetchMedia } from '../upstream/fetch-media.ts'
import type { TaskPlan } from './submit.ts'

/** @throws Refusal 400 with what the first channel cannot do, where none can do it */
export function planVideo(body: Json, candidates: Candidate[]): TaskPlan {
  const flaws: Flaw[] = []
  let request = body as unknown as VideoRequest
  const isRemix = request.remixed_id !== undefined
  const able = candidates.filter(candidate => {
    const fit = fitted(request, candidate)
    if ('code' in fit) flaws.push(fit)
    // What the request leaves open is as the first channel makes it, at every other one too.
    else request = fit
    return !('code' in fit)
  })
  if (!able.length) throw refusalOf(flaws[0]!)
  const isInline = able.some(({ api }) => api.video?.fetches_no_urls)
  return {
    ...{ able, input: withoutFiles(request) },
    complete: async () => ({ ...(isInline ? await withFetchedPictures(request) : request) }),
    ...{
      action: isRemix ? 'remix' : `${inputOf(request)}_to_video`,
      choose: unit => choiceOf(request, unit),
    },
  }
}

/** @throws Refusal 400 for pictures that cannot be fetched */
async function withFetchedPictures(request: VideoRequest): Promise<VideoRequest> {
  const fetched = await fetchMedia(picturesOf(request).filter(picture => !isDataUrl(picture)))
  const inline = (picture: string | undefined) => {
    const media = picture === undefined ? undefined : fetched.get(picture)
    return media ? `data:${media.media_type};base64,${media.data}` : picture
  }
  const { first_frame, last_frame, references } = request
  return {
    ...request,
    ...{ first_frame: inline(first_frame), last_frame: inline(last_frame) },
    references: references?.map(picture => inline(picture)!),
  }
}

function fitted(request: VideoRequest, { channel, api }: Candidate): VideoRequest | Flaw {
  const { capabilities = [], remixes } = api.video ?? {}
  const { model, remixed_id, remixed_url: _, ...own_fields } = request
  if (remixed_id && remixes) return { model, remixed_id, ...own_fields }
  const own = capabilitiesFor(capabilities, upstreamModel(channel, model))
  if (!own) return { code: 'relay.invalid_request', params: { model, field: 'model' }, param: 'model' }
  const asked = remixed_id ? withoutRemix(request, own) : request
  return 'code' in asked ? asked : completed(asked, own)
}

const refusalOf = ({ code, params, param }: Flaw) => new Refusal(code, params, 400, param ?? undefined)

/** Of a video whose length is that of its input. */
const SECONDS_UNKNOWN = 10
const FRAMES_PER_SECOND = 24
const PIXELS_PER_TOKEN = 1024
const TOKENS_PER_UNIT = 1000

function choiceOf(request: VideoRequest, unit: TaskUnit): TaskChoice {
  const { seconds = SECONDS_UNKNOWN } = request
  const tokens = (pixelsOf(request) * FRAMES_PER_SECOND * seconds) / PIXELS_PER_TOKEN
  const units = { call: 1, second: seconds, '1k_tokens': tokens / TOKENS_PER_UNIT }[unit]
  const image = picturesOf(request).length
  return { units, traits: traitsOf(request), ...(image && { extras: { image } }) }
}
