/** Pictures and documents that a caller gave the addresses of, for upstreams that fetch nothing themselves. */
import type { Json } from '../codecs/codec.ts'
import type { Brought } from '../codecs/remote.ts'
import { option } from '../console/options/service.ts'
import { guardedFetch } from '../kit/guarded-fetch.ts'
import { Refusal } from '../kit/refusal.ts'
import { pictureAddresses, withPictures } from '../providers/index.ts'

const EACH_MAX_BYTES = 20 * 1_048_576
const EACH_MS = 30_000
const URLS_MAX = 16

/** @throws Refusal 400, which tells nothing of why */
export async function bring(urls: readonly string[]): Promise<Map<string, Brought>> {
  if (urls.length > URLS_MAX) throw new Refusal('relay.too_many_addresses', { limit: URLS_MAX }, 400)
  return new Map(await Promise.all(urls.map(async url => [url, await bringOne(url)] as const)))
}

/** A chat with its pictures in it. */
export async function withItsPictures(body: Json): Promise<Json> {
  const urls = pictureAddresses(body)
  return urls.length ? withPictures(body, await bring(urls)) : body
}

async function bringOne(url: string): Promise<Brought> {
  const worker = option('WorkerUrl') ? { url: option('WorkerUrl'), key: option('WorkerValidKey') } : undefined
  const { status, type, bytes } = await guardedFetch(url, { max_bytes: EACH_MAX_BYTES, ms: EACH_MS, worker })
  if (status !== 200 || !isMedia.test(type)) throw new Refusal('error.unfetchable', {}, 400)
  return { media_type: type, data: Buffer.from(bytes).toString('base64') }
}

const isMedia = /^(?:image|audio|video)\/|^application\/pdf$|^text\/plain$/
