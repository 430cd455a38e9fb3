/** Who calls: by key, in any of the forms that clients send it. A console session opens nothing here. */

import { Role } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isExpired, KEY_LENGTH, KEY_PREFIX, TokenStatus } from '../../contracts/token.ts'
import { usableGroups } from '../../domain/pricing/index.ts'
import { markExpired, type TokenRow, tokenByKey, touchToken } from '../../domain/tokens/index.ts'
import { isEnabled, userById } from '../../domain/users/index.ts'
import { now } from '../../process/clock.ts'
import type { ApiCaller } from '../call.ts'

/** @throws Refusal 401 for a key that does not open the door, 403 for what its owner may not do. */
export async function authenticate(request: Request): Promise<ApiCaller> {
  const { key, channel_id } = keyIn(request)
  const token = await tokenByKey(key)
  const user = token && (await userById.get(token.user_id))
  if (!token || !user) throw new Refusal('relay.key_invalid', {}, 401)
  await checkState(token)
  if (!isEnabled(user)) throw new Refusal('relay.user_banned', {}, 403)
  if (channel_id !== undefined && user.role < Role.admin) throw new Refusal('relay.channel_choice_forbidden', {}, 403)
  const group = token.group || user.group
  if (group !== user.group && !(group in usableGroups(user.group)))
    throw new Refusal('relay.group_forbidden', { group }, 403)
  touchToken(token.id)
  return { token, user, group, channel_id }
}

const grammar = new RegExp(`^([0-9A-Za-z]{${KEY_LENGTH}})(?:-(\\d{1,15}))?$`)

function keyIn(request: Request): { key: string; channel_id: number | undefined } {
  const given = keysIn(request)
  if (given.length > 1) throw new Refusal('relay.keys_differ', {}, 400)
  if (!given.length) throw new Refusal('relay.key_missing', {}, 401)
  const [, key, channel] = grammar.exec(given[0]!) ?? []
  if (!key) throw new Refusal('relay.key_invalid', {}, 401)
  return { key, channel_id: channel === undefined ? undefined : Number(channel) }
}

/** The different keys among the places that may carry one. */
function keysIn({ headers, url }: Request): string[] {
  const bearer = headers.get('authorization')?.replace(/^bearer(\s+|$)/i, '')
  const given = [bearer, headers.get('x-api-key'), headers.get('x-goog-api-key'), ofSocket(headers), ofAddress(url)]
  const keys = given.flatMap(text => {
    const key = text?.trim()
    return key ? [key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : key] : []
  })
  return keys.length > 1 ? [...new Set(keys)] : keys
}

/** A page that opens a socket can set no header but this one. */
const inProtocols = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/
const ofSocket = (headers: Headers) => inProtocols.exec(headers.get('sec-websocket-protocol') ?? '')?.[1]

/** Google's clients write it into the address. */
const googles = /\/v1beta\/|\/v1\/models\/[^?]+:/
const ofAddress = (url: string) =>
  url.includes('key=') && googles.test(url) ? URL.parse(url)?.searchParams.get('key') : undefined

async function checkState(token: TokenRow) {
  if (token.status === TokenStatus.exhausted) throw new Refusal('relay.token_exhausted', { name: token.name }, 401)
  if (token.status === TokenStatus.disabled) throw new Refusal('relay.token_disabled', { name: token.name }, 401)
  const expired = isExpired(token, now())
  if (expired && token.status === TokenStatus.enabled) await markExpired(token.id)
  if (expired || token.status === TokenStatus.expired)
    throw new Refusal('relay.token_expired', { name: token.name }, 401)
}
