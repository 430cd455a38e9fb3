/** Finds the caller by the API key, in any of the places where clients send it. Cookies are ignored. */

import { Role } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isExpired, KEY_LENGTH, KEY_PREFIX, TokenStatus } from '../../contracts/token.ts'
import { usableGroups } from '../../domain/pricing/index.ts'
import { markExpired, type TokenRow, tokenById, tokenByKey, touchToken } from '../../domain/tokens/index.ts'
import { isEnabled, type User, userById } from '../../domain/users/index.ts'
import { now } from '../../process/clock.ts'
import { inRange } from '../../pure/ip.ts'
import { lineList } from '../../pure/lists.ts'
import { addressOf } from '../../web/request.ts'
import type { ApiCaller, RelayContext } from '../call.ts'
import { mayUse } from './admit.ts'

/** @throws Refusal 400 for different keys in one request, 401 for an unusable key, 403 for what its owner may not do */
export async function authenticate(context: RelayContext): Promise<ApiCaller> {
  const { key, channel_id } = keyIn(context)
  const token = await tokenByKey(key)
  const user = token && (await userById.get(token.user_id))
  if (!token || !user) throw new Refusal('relay.key_invalid', {}, 401)
  await checkState(token)
  if (!isEnabled(user)) throw new Refusal('relay.user_banned', {}, 403)
  if (channel_id !== undefined && user.role < Role.admin) throw new Refusal('relay.channel_choice_forbidden', {}, 403)
  const group = token.group || user.group
  if (!mayUseGroup(user, group)) throw new Refusal('relay.group_forbidden', { group }, 403)
  touchToken(token.id)
  const address = addressOf(context.request, context.server)
  if (!allowsAddress(token, address)) throw new Refusal('relay.address_forbidden', { address }, 403)
  return { token, user, group, channel_id, address }
}

/** Why a call that was admitted would be refused now; undefined while it may go on. What it has reserved, it may use. */
export async function lostAccess(caller: ApiCaller, model: string): Promise<Refusal | undefined> {
  const { user, group, channel_id, address, session } = caller
  if (session) return session.lostAccess()
  const [owner, token] = [await userById.get(user.id), await tokenById.get(caller.token.id)]
  if (!owner || !token) return new Refusal('relay.key_invalid', {}, 401)
  if (!isEnabled(owner)) return new Refusal('relay.user_banned', {}, 403)
  if (token.status === TokenStatus.disabled) return new Refusal('relay.token_disabled', { name: token.name }, 401)
  if (isExpired(token, now())) return new Refusal('relay.token_expired', { name: token.name }, 401)
  if (!allowsAddress(token, address)) return new Refusal('relay.address_forbidden', { address }, 403)
  if (!mayUseGroup(owner, group)) return new Refusal('relay.group_forbidden', { group }, 403)
  if (!mayUse({ token, channel_id }, model)) return new Refusal('relay.model_forbidden', { model }, 403)
}

/** Whether token or user have changed since the call was admitted, or are not in memory, as sessions never are. */
export const mayHaveLostAccess = ({ token, user }: ApiCaller): boolean =>
  tokenById.peek(token.id) !== token || userById.peek(user.id) !== user

/** Whether the time of the token or session is over, also when that was set after the call began. */
export const hasExpired = ({ token, session }: ApiCaller): boolean =>
  session ? session.expires_time <= now() : isExpired(tokenById.peek(token.id) ?? token, now())

/** Whether the group is the user's own, or one that the user may choose. */
export const mayUseGroup = (user: User, group: string) => group === user.group || group in usableGroups(user.group)

const keyPattern = new RegExp(`^([0-9A-Za-z]{${KEY_LENGTH}})(?:-(\\d{1,15}))?$`)

function keyIn(context: RelayContext): { key: string; channel_id: number | undefined } {
  const keys = keysIn(context)
  if (keys.length > 1) throw new Refusal('relay.keys_differ', {}, 400)
  if (!keys.length) throw new Refusal('relay.key_missing', {}, 401)
  const [, key, channel] = keyPattern.exec(keys[0]!) ?? []
  if (!key) throw new Refusal('relay.key_invalid', {}, 401)
  return { key, channel_id: channel === undefined ? undefined : Number(channel) }
}

/** The different keys among the places that may carry one. */
function keysIn({ request: { headers, url }, route }: RelayContext): string[] {
  const bearer = headers.get('authorization')?.replace(/^bearer(\s+|$)/i, '')
  const query = route.key_in_query && url.includes('key=') ? URL.parse(url)?.searchParams.get('key') : undefined
  const texts = [bearer, headers.get('x-api-key'), headers.get('x-goog-api-key'), keyInProtocols(headers), query]
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

async function checkState(token: TokenRow) {
  if (token.status === TokenStatus.exhausted) throw new Refusal('relay.token_exhausted', { name: token.name }, 401)
  if (token.status === TokenStatus.disabled) throw new Refusal('relay.token_disabled', { name: token.name }, 401)
  const expired = isExpired(token, now())
  if (expired && token.status === TokenStatus.enabled) await markExpired(token.id)
  if (expired || token.status === TokenStatus.expired)
    throw new Refusal('relay.token_expired', { name: token.name }, 401)
}

/** Whether the token's list has the client's address. A list without a valid entry allows none. */
const allowsAddress = ({ allow_ips }: TokenRow, address: string) => !allow_ips || inRange(address, lineList(allow_ips))
