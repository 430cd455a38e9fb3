/** Remixes at makers that have none: the video is changed where its model takes one, else made anew as it was asked for. */
import type { Flaw } from '../json/checks.ts'
import type { VideoCapabilities } from './capabilities.ts'
import { hasLostFiles, isDataUrl, type VideoRequest } from './request.ts'

/** @returns a request without a remix, or why there is none: pictures that were sent as files are not kept */
export function withoutRemix(remix: VideoRequest, { video, keeps_length }: VideoCapabilities): VideoRequest | Flaw {
  const { remixed_id: _, remixed_url, ...anew } = remix
  if (!video || !remixed_url || isDataUrl(remixed_url))
    return hasLostFiles(anew) ? { code: 'relay.remix_unavailable', param: null } : anew
  const { model, prompt, seconds, resolution, ratio, size, sound, metadata } = anew
  const changed = { model, prompt, video: remixed_url, metadata }
  return keeps_length ? changed : { ...changed, seconds, resolution, ratio, size, sound }
}
