/** Rules that a channel's type sets for its fields. */
import { Refusal } from '../../../contracts/refusal.ts'
import { seal } from '../../../crypto/sealing.ts'
import { providerOf } from '../../../providers/index.ts'
import { keysOf } from '../routing/channel-keys.ts'
import type { ChannelRow } from '../table.ts'

/**
 * Checks the fields that depend on the type.
 * @returns the fields that the type fills in by itself
 * @throws Refusal for an unknown type, a missing base URL, a bad region map
 */
export function typeDefaults({ type, base_url, other }: Pick<ChannelRow, 'type' | 'base_url' | 'other'>): {
  other?: string
} {
  const provider = providerOf(type)
  if (!provider) throw new Refusal('channel.type_unknown', {}, 400, 'type')
  const { host_by_region, checkOther, default_other } = provider.quirks
  if (!base_url && !provider.base_url && !host_by_region) {
    throw new Refusal('channel.base_url_required', {}, 400, 'base_url')
  }
  const flaw = checkOther?.(other)
  if (flaw) throw new Refusal(`channel.${flaw}`, {}, 400, 'other')
  return default_other && !other ? { other: default_other } : {}
}

type Destination = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>

/**
 * Keeps stored keys from being sent to another host by an administrator who cannot read them.
 * @throws Refusal 400 when the keys must be entered again.
 */
export function checkSameDestination(before: Destination, after: Destination) {
  if (destinationOf(before) !== destinationOf(after)) throw new Refusal('channel.key_again', {}, 400, 'key')
}

/** The parties that see a channel's keys: its host and, without TLS, its proxy. */
function destinationOf({ type, base_url, setting }: Destination): string {
  const url = URL.parse(base_url || providerOf(type)?.base_url || '')
  if (!url) return `type ${type}`
  const { proxy = '' } = url.protocol === 'http:' && setting ? JSON.parse(setting) : {}
  return `${url.origin} ${proxy}`
}

/** Seals keys for storage. @throws Refusal 400 without a key, or for characters that no header can carry. */
export function sealKeys(key: string, type: number): string {
  const keys = keysOf(key, type)
  if (!keys.length) throw new Refusal('channel.name_and_key', {}, 400, 'key')
  if (!providerOf(type)?.quirks.json_key && !keys.every(one => /^[\x21-\x7e]+$/.test(one))) {
    throw new Refusal('channel.key_characters', {}, 400, 'key')
  }
  return seal(keys.join(','))
}
