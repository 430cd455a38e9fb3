/** URLs of images and documents in chat bodies of OpenAI's and Anthropic's formats, for providers that fetch nothing themselves. */
import { isObject } from '../../formats/json/checks.ts'
import { objectsOf } from '../../formats/json/lenient-json.ts'
import type { FetchedMedia } from '../../formats/media/media-urls.ts'
import type { Json } from '../../pure/json.ts'
import { each } from './json-edits.ts'

export function imageUrls({ messages }: Json): string[] {
  return [...new Set(objectsOf(messages).flatMap(urlsIn))]
}

/** Addresses of images in all parts, tool results included. */
const urlsIn = ({ content }: Json): string[] => objectsOf(content).flatMap(part => urlOf(part) ?? urlsIn(part))

/** The same chat with inline images. @param files by URL */
export const withInlineImages = (body: Json, files: ReadonlyMap<string, FetchedMedia>): Json =>
  each(body, 'messages', message => inlineParts(message, files))

const inlineParts = (holder: Json, files: ReadonlyMap<string, FetchedMedia>): Json =>
  each(holder, 'content', part => {
    const file = files.get(urlOf(part) ?? '')
    return file ? inlined(part, file) : inlineParts(part, files)
  })

/** `source` is Anthropic's field, `image_url` OpenAI's. */
function inlined(part: Json, { media_type, data }: FetchedMedia): Json {
  if ('source' in part) return { ...part, source: { type: 'base64', media_type, data } }
  const url = `data:${media_type};base64,${data}`
  return { ...part, image_url: isObject(part.image_url) ? { ...part.image_url, url } : { url } }
}

function urlOf({ type, image_url, source }: Json): string | undefined {
  const image = type === 'image' || type === 'document' ? source : image_url
  const url = isObject(image) ? image.url : image
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined
}
