/** What a caller may do. A call that begins and one that runs are held to the same rules, in the same order. */
import { Role } from '../../contracts/account.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { isExpired, TokenStatus } from '../../contracts/token.ts'
import { usableGroups } from '../../domain/pricing/index.ts'
import { listedName } from '../../domain/routing/index.ts'
import { groupsOf, type TokenRow, tokenById } from '../../domain/tokens/index.ts'
import { isEnabled, type User, userById } from '../../domain/users/index.ts'
import { now } from '../../process/clock.ts'
import { inRange } from '../../pure/ip.ts'
import { commaList, lineList } from '../../pure/lists.ts'
import type { ApiCaller } from '../caller.ts'

/** Why a caller may not call now, whatever the model; undefined for one who may. */
export function accessRefusal({ token, user, group, channel_id, address, session }: ApiCaller): Refusal | undefined {
  const { name } = token
  if (token.status === TokenStatus.disabled) return new Refusal('relay.token_disabled', { name }, 401)
  if (token.status === TokenStatus.expired || isExpired(token, now()))
    return new Refusal('relay.token_expired', { name }, 401)
  if (!isEnabled(user)) return userBanned()
  if (channel_id !== undefined && user.role < Role.admin) return new Refusal('relay.channel_choice_forbidden', {}, 403)
  // The body of a call by session names the group.
  if (!mayUseGroup(user, group)) return new Refusal('relay.group_forbidden', { group }, 403, session && 'group')
  if (!allowsAddress(token, address)) return new Refusal('relay.address_forbidden', { address }, 403)
}

export const modelRefusal = (caller: Pick<ApiCaller, 'token' | 'channel_id'>, model: string): Refusal | undefined =>
  mayUse(caller, model) ? undefined : new Refusal('relay.model_forbidden', { model }, 403)

export const keyInvalid = () => new Refusal('relay.key_invalid', {}, 401)
export const sessionRequired = () => new Refusal('relay.session_required', {}, 401)
export const userBanned = () => new Refusal('relay.user_banned', {}, 403)

/**
 * Why a call that was admitted would be refused now; undefined while it may go on. What it has reserved, it may use: an
 * exhausted key ends no call.
 */
export async function lostAccess(caller: ApiCaller, model: string): Promise<Refusal | undefined> {
  const { session } = caller
  const user = session ? await session.findUser() : await userById.get(caller.user.id)
  const token = session ? caller.token : await tokenById.get(caller.token.id)
  if (!user || !token) return session ? sessionRequired() : keyInvalid()
  if (token.key_hash !== caller.token.key_hash) return keyInvalid()
  const current = { ...caller, user, token }
  return accessRefusal(current) ?? modelRefusal(current, model)
}

/** Whether token or user have changed since the call was admitted, or are not in memory, as sessions never are. */
export const mayHaveLostAccess = ({ token, user }: ApiCaller): boolean =>
  tokenById.peek(token.id) !== token || userById.peek(user.id) !== user

/** Whether the time of the token or session is over, also when that was set after the call began. */
export const hasExpired = ({ token, session }: ApiCaller): boolean =>
  session ? session.expires_time <= now() : isExpired(tokenById.peek(token.id) ?? token, now())

/** Whether the token's list of models allows this one. A channel named in the key overrides the list. */
export function mayUse({ token, channel_id }: Pick<ApiCaller, 'token' | 'channel_id'>, model: string): boolean {
  if (!token.model_limits_enabled || channel_id !== undefined) return true
  const listed = commaList(token.model_limits)
  return listed.includes(model) || listed.includes(listedName(model))
}

/** The first group of a key that its user may use; the first of all where that is none. */
export function firstGroupOf(token: TokenRow, user: User): string {
  const group = token.group || user.group
  if (!token.fallback_groups) return group
  return groupsOf({ token, user }).find(one => mayUseGroup(user, one)) ?? group
}

/** Whether the group is the user's own, or one that the user may choose. */
export const mayUseGroup = (user: User, group: string) => group === user.group || group in usableGroups(user.group)

/** Whether the token's list has the client's address. A list without a valid entry allows none. */
const allowsAddress = ({ allow_ips }: TokenRow, address: string) => !allow_ips || inRange(address, lineList(allow_ips))
