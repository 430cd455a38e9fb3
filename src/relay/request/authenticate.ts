/** Finds the caller by the API key, in any of the places where clients send it. Cookies are ignored. */

import { Refusal } from '../../contracts/refusal.ts'
import { isExpired, KEY_LENGTH_MAX, KEY_PREFIX, TokenStatus } from '../../contracts/token.ts'
import { markExpired, tokenByKey, touchToken } from '../../domain/tokens/index.ts'
import { userById } from '../../domain/users/index.ts'
import { now } from '../../process/clock.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { addressOf } from '../../web/request.ts'
import type { ApiCaller } from '../caller.ts'
import type { RelayContext } from '../endpoint.ts'
import { accessRefusal, firstGroupOf, keyInvalid } from './access-rules.ts'

/** @throws Refusal 400 for different keys in one request, 401 for an unusable key, 403 for what its owner may not do */
export function authenticate(context: RelayContext): Awaitable<ApiCaller> {
  return callerOf(keyIn(context), () => addressOf(context.request, context.server))
}

/** The caller with a key of the operator's. @throws Refusal 503 for one that may not call */
export async function callerWith(key: string, address: string): Promise<ApiCaller> {
  try {
    return await callerOf(checkedKey(key.replace(KEY_PREFIX, '')), () => address)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal('home.try_unavailable', {}, 503) : error
  }
}

function callerOf({ key, channel_id }: SentKey, addressOf: () => string): Awaitable<ApiCaller> {
  return chain(tokenByKey(key), token => {
    if (!token) throw keyInvalid()
    return chain(userById.get(token.user_id), user => {
      if (!user) throw keyInvalid()
      return allowed({ token, user, group: firstGroupOf(token, user), channel_id, address: addressOf() })
    })
  })
}

/** @throws Refusal 401 or 403 */
function allowed(caller: ApiCaller): Awaitable<ApiCaller> {
  const { token } = caller
  // A new call has reserved nothing that it might still use.
  if (token.status === TokenStatus.exhausted) throw new Refusal('relay.token_exhausted', { name: token.name }, 401)
  if (token.status === TokenStatus.enabled && isExpired(token, now()))
    return markExpired(token.id).then(() => withAccess(caller))
  return withAccess(caller)
}

function withAccess(caller: ApiCaller): ApiCaller {
  const refusal = accessRefusal(caller)
  if (refusal) throw refusal
  touchToken(caller.token.id)
  return caller
}

/** @returns undefined for a request without a key, with several, or with one that no key can be */
export function keySentIn(context: RelayContext): SentKey | undefined {
  try {
    return keyIn(context)
  } catch {
    return undefined
  }
}

/** Whether the request has anything in a place of keys. */
export const carriesKey = (context: RelayContext): boolean => keysIn(context).length > 0

/** Keys that came from another gateway have other lengths and characters than ours. */
const keyPattern = new RegExp(`^([\\x21-\\x7e]{1,${KEY_LENGTH_MAX}}?)(?:-(\\d{1,15}))?$`)

interface SentKey {
  key: string
  channel_id: number | undefined
}

function keyIn(context: RelayContext): SentKey {
  const keys = keysIn(context)
  if (keys.length > 1) throw new Refusal('relay.keys_differ', {}, 400)
  if (!keys.length) throw new Refusal('relay.key_missing', {}, 401)
  return checkedKey(keys[0]!)
}

/** @param sent without its `sk-` */
function checkedKey(sent: string): SentKey {
  const [, key, channel] = keyPattern.exec(sent) ?? []
  if (!key) throw keyInvalid()
  return { key, channel_id: channel === undefined ? undefined : Number(channel) }
}

/** Midjourney's clients send it in place of a key that stands in a header of its own. */
const PLACEHOLDER = 'midjourney-proxy'

const scheme = /^bearer(\s+|$)/i

/** The different keys among the places that may carry one. */
function keysIn({ request: { headers, url }, route }: RelayContext): string[] {
  const bearer = headers.get('authorization')?.replace(scheme, '')
  const query = route.key_in_query && url.includes('key=') ? URL.parse(url)?.searchParams.get('key') : undefined
  const own = route.key_header && headers.get(route.key_header)?.replace(scheme, '')
  const texts = [
    bearer === PLACEHOLDER ? undefined : bearer,
    own,
    headers.get('x-api-key'),
    headers.get('x-goog-api-key'),
    keyInProtocols(headers),
    query,
  ]
  const keys: string[] = []
  for (const text of texts) {
    const sent = text?.trim()
    const key = sent?.startsWith(KEY_PREFIX) ? sent.slice(KEY_PREFIX.length) : sent
    if (key && !keys.includes(key)) keys.push(key)
  }
  return keys
}

/** A page in a browser can set no other header for a WebSocket. */
const protocolKey = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/
const keyInProtocols = (headers: Headers) => protocolKey.exec(headers.get('sec-websocket-protocol') ?? '')?.[1]
