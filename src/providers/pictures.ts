/** Pictures that a chat gives the addresses of, for providers that fetch nothing themselves. */
import { isObject } from '../codecs/checks.ts'
import type { Json } from '../codecs/codec.ts'
import type { Brought } from '../codecs/remote.ts'
import { each, objectsIn } from './fit.ts'

export function pictureAddresses({ messages }: Json): string[] {
  const parts = objectsIn(messages).flatMap(({ content }) => objectsIn(content))
  return [...new Set(parts.flatMap(part => addressOf(part) ?? []))]
}

/** The same chat with the pictures themselves in it. */
export const withPictures = (body: Json, files: ReadonlyMap<string, Brought>): Json =>
  each(body, 'messages', message =>
    each(message, 'content', part => {
      const file = files.get(addressOf(part) ?? '')
      if (!file) return part
      const url = `data:${file.media_type};base64,${file.data}`
      return { ...part, image_url: isObject(part.image_url) ? { ...part.image_url, url } : { url } }
    }),
  )

function addressOf({ image_url }: Json): string | undefined {
  const url = isObject(image_url) ? image_url.url : image_url
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined
}
