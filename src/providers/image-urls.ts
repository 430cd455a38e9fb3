/** Pictures that a chat gives the addresses of, for providers that fetch nothing themselves. */
import { isObject } from '../formats/json/checks.ts'
import type { FetchedMedia } from '../formats/media/media-urls.ts'
import type { Json } from '../pure/json.ts'
import { each, objectsIn } from './json-edits.ts'

export function pictureAddresses({ messages }: Json): string[] {
  return [...new Set(objectsIn(messages).flatMap(addressesIn))]
}

const addressesIn = ({ content }: Json): string[] =>
  objectsIn(content).flatMap(part => addressOf(part) ?? addressesIn(part))

/** The same chat with the pictures themselves in it. */
export const withPictures = (body: Json, files: ReadonlyMap<string, FetchedMedia>): Json =>
  each(body, 'messages', message => withIts(message, files))

const withIts = (holder: Json, files: ReadonlyMap<string, FetchedMedia>): Json =>
  each(holder, 'content', part => {
    const file = files.get(addressOf(part) ?? '')
    return file ? showing(part, file) : withIts(part, files)
  })

/** As OpenAI's callers show a picture, and as Anthropic's do. */
function showing(part: Json, { media_type, data }: FetchedMedia): Json {
  if ('source' in part) return { ...part, source: { type: 'base64', media_type, data } }
  const url = `data:${media_type};base64,${data}`
  return { ...part, image_url: isObject(part.image_url) ? { ...part.image_url, url } : { url } }
}

function addressOf({ type, image_url, source }: Json): string | undefined {
  const shown = type === 'image' ? source : image_url
  const url = isObject(shown) ? shown.url : shown
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined
}
