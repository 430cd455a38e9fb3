/** URLs of images and documents that an upstream does not fetch itself. */
import type { ChatRequest, Part } from '../canonical/chat.ts'
import type { TranslatedUpstream } from '../format.ts'
import { hasFileUrl, partsOf, sourceIn, withParts } from '../translate/features.ts'

export interface FetchedMedia {
  media_type: string
  /** Base64. */
  data: string
}

type Target = Pick<TranslatedUpstream, 'limits'>

/**
 * @param fetches_no_urls the upstream does not even fetch URLs that its format accepts
 * @returns the URLs that must be fetched for an upstream of this format
 */
export function remoteUrls(request: ChatRequest, target: Target, fetches_no_urls = false): string[] {
  const parts = partsOf(request).filter(
    part => isRemote(part, target) || (fetches_no_urls && (part.kind === 'image' || hasFileUrl(target)(part))),
  )
  const urls = parts.flatMap(part => urlIn(part) ?? [])
  return [...new Set(urls)]
}

/** @returns the request with the content of these files in place of their URLs */
export const withFetchedMedia = (request: ChatRequest, files: ReadonlyMap<string, FetchedMedia>): ChatRequest =>
  withParts(request, part => {
    const file = files.get(urlIn(part) ?? '')
    return file && 'source' in part ? { ...part, source: { via: 'base64', ...file } } : part
  })

function isRemote(part: Part, target: Target): boolean {
  const { refused } = target.limits.losses
  return (part.kind === 'image' && 'image_url' in refused) || ('file_url' in refused && hasFileUrl(target)(part))
}

function urlIn(part: Part): string | undefined {
  const source = sourceIn(part)
  return source?.via === 'url' ? source.url : undefined
}
