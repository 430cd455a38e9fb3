/** What a channel's type asks of its fields. */
import { Refusal } from '../../../contracts/refusal.ts'
import { seal } from '../../../crypto/sealing.ts'
import { providerOf } from '../../../providers/index.ts'
import { keysOf } from '../routing/routing-table.ts'
import type { ChannelRow } from '../table.ts'

/**
 * Checks the fields that depend on the type.
 * @returns the fields that the type fills in by itself
 * @throws Refusal for an unknown type, a missing base URL, a bad region map
 */
export function fitted({ type, base_url, other }: Pick<ChannelRow, 'type' | 'base_url' | 'other'>): { other?: string } {
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

type Address = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>

/**
 * Keys are never shown, so nobody but the owner of the site sends those that are kept to another host.
 * @throws Refusal when they would have to be entered again.
 */
export function checkKeysStay(before: Address, after: Address) {
  if (addressOf(before) !== addressOf(after)) throw new Refusal('channel.key_again', {}, 400, 'key')
}

/** Who gets to see a channel's keys: its host and, where nothing is encrypted, the proxy on the way. */
function addressOf({ type, base_url, setting }: Address): string {
  const url = URL.parse(base_url || providerOf(type)?.base_url || '')
  if (!url) return `type ${type}`
  const { proxy = '' } = url.protocol === 'http:' && setting ? JSON.parse(setting) : {}
  return `${url.origin} ${proxy}`
}

/** The keys as they are stored. @throws Refusal for one that could not travel in a header. */
export function sealed(key: string, type: number): string {
  const keys = keysOf(key, type)
  if (!keys.length) throw new Refusal('channel.name_and_key', {}, 400, 'key')
  if (!providerOf(type)?.quirks.json_key && !keys.every(one => /^[\x21-\x7e]+$/.test(one))) {
    throw new Refusal('channel.key_characters', {}, 400, 'key')
  }
  return seal(keys.join(','))
}

const SHOWN_FROM = 12
const SHOWN = 4

/** Enough of a key to tell it from another: sk-a…9fQ2. */
export const masked = (key: string): string =>
  key.length < SHOWN_FROM ? '…' : `${key.slice(0, SHOWN)}…${key.slice(-SHOWN)}`
