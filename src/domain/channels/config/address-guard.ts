/** The guard of a channel's address: what an administrator below root enters reaches no private address. */
import { Role } from '../../../contracts/account.ts'
import type { Actor } from '../../../contracts/actor.ts'
import { Refusal } from '../../../contracts/refusal.ts'
import { namesPrivateAddress } from '../../../net/network-guard.ts'
import { providerOf } from '../../../providers/index.ts'
import type { ChannelRow } from '../table.ts'
import { settingOrigins } from './validate.ts'

type Address = Pick<ChannelRow, 'type' | 'base_url' | 'setting' | 'other'>

/**
 * Root decides by the field; an administrator's new or moved channel is guarded, another change of theirs leaves it.
 * @param before undefined for a new channel
 * @throws Refusal 400 when an administrator names a private address; a name is judged at each connection
 */
export function isGuarded(
  { role }: Pick<Actor, 'role'>,
  given: boolean | undefined,
  before: (Address & { guarded: boolean }) | undefined,
  after: Address,
): boolean {
  const stored = before?.guarded ?? false
  if (role >= Role.root) return given ?? stored
  if (before && addressOf(before) === addressOf(after)) return stored
  if (namesPrivateAddress(baseUrlOf(after))) throw new Refusal('channel.base_url_private', {}, 400, 'base_url')
  if (settingOrigins(after).some(namesPrivateAddress)) throw new Refusal('channel.route_private', {}, 400, 'setting')
  if (namesPrivateAddress(proxyOf(after))) throw new Refusal('channel.proxy_private', {}, 400, 'setting')
  return true
}

/** Everything that decides where the channel's requests go. */
const addressOf = (channel: Address): string =>
  JSON.stringify([baseUrlOf(channel), proxyOf(channel), regionOf(channel), settingOrigins(channel)])

const baseUrlOf = ({ type, base_url }: Address) => base_url || providerOf(type)?.base_url || ''

const proxyOf = ({ setting }: Address): string => (setting && JSON.parse(setting).proxy) || ''

const regionOf = ({ type, other }: Address) => (providerOf(type)?.quirks.host_by_region ? `${type} ${other}` : '')
