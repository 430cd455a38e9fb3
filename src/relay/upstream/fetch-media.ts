/** Pictures and documents that a caller gave the addresses of, for upstreams that fetch nothing themselves. */

import { Refusal } from '../../contracts/refusal.ts'
import { option } from '../../domain/options/index.ts'
import { env } from '../../env.ts'
import type { FetchedMedia } from '../../formats/media/media-urls.ts'
import { guardedFetch } from '../../net/guarded-fetch.ts'
import { semaphore } from '../../process/semaphore.ts'
import { imageUrls, withInlineImages } from '../../providers/index.ts'
import type { Json } from '../../pure/json.ts'

const MEGABYTE = 1_048_576
const EACH_MAX_BYTES = 20 * MEGABYTE
const EACH_MS = 30_000
const URLS_MAX = 16
const AT_ONCE = 4

/** @throws Refusal 400, which tells nothing of why; 413 for more than a body may hold */
export async function fetchMedia(urls: readonly string[]): Promise<Map<string, FetchedMedia>> {
  if (urls.length > URLS_MAX) throw new Refusal('relay.too_many_addresses', { limit: URLS_MAX }, 400)
  const few = semaphore(AT_ONCE)
  let room = env.MAX_REQUEST_MB * MEGABYTE
  const brought = urls.map(url =>
    few(async () => {
      const one = room < 0 ? undefined : await bringOne(url)
      room -= one?.data.length ?? 0
      if (!one || room < 0) throw new Refusal('error.too_large', { limit: env.MAX_REQUEST_MB }, 413)
      return [url, one] as const
    }),
  )
  return new Map(await Promise.all(brought))
}

/** A chat with its pictures in it. */
export async function withFetchedImages(body: Json): Promise<Json> {
  const urls = imageUrls(body)
  return urls.length ? withInlineImages(body, await fetchMedia(urls)) : body
}

async function bringOne(url: string): Promise<FetchedMedia> {
  const worker = option('WorkerUrl') ? { url: option('WorkerUrl'), key: option('WorkerValidKey') } : undefined
  const { status, type, bytes } = await guardedFetch(url, { max_bytes: EACH_MAX_BYTES, ms: EACH_MS, worker })
  if (status !== 200 || !isMedia.test(type)) throw new Refusal('error.unfetchable', {}, 400)
  return { media_type: type, data: Buffer.from(bytes).toString('base64') }
}

const isMedia = /^(?:image|audio|video)\/|^application\/pdf$|^text\/plain$/
