/** Pictures and documents by URL, for upstreams that fetch nothing: someone with a network brings them along. */
import type { ChatRequest, FormatName, Part } from '../canonical/chat.ts'
import { isFileElsewhere, partsOf, sourceIn, withParts } from '../translate/features.ts'
import { losses } from '../translate/losses.ts'

export interface FetchedMedia {
  media_type: string
  /** Base64. */
  data: string
}

/**
 * What an upstream of this format would have to be brought.
 * @param fetches_nothing even what the format has a word for
 */
export function remoteUrls(request: ChatRequest, target: FormatName, fetches_nothing = false): string[] {
  const parts = partsOf(request).filter(part => isRemote(part, target) || (fetches_nothing && part.kind === 'image'))
  const urls = parts.flatMap(part => urlIn(part) ?? [])
  return [...new Set(urls)]
}

/** The request with what was brought in the place of where it was. */
export const withFetchedMedia = (request: ChatRequest, files: ReadonlyMap<string, FetchedMedia>): ChatRequest =>
  withParts(request, part => {
    const file = files.get(urlIn(part) ?? '')
    return file && 'source' in part ? { ...part, source: { via: 'base64', ...file } } : part
  })

function isRemote(part: Part, target: FormatName): boolean {
  const { refused } = losses[target]
  return (part.kind === 'image' && 'image_url' in refused) || ('file_url' in refused && isFileElsewhere(target)(part))
}

function urlIn(part: Part): string | undefined {
  const source = sourceIn(part)
  return source?.via === 'url' ? source.url : undefined
}
