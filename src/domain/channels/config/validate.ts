/** Rules that a channel's type sets for its fields. */
import { Refusal } from '../../../contracts/refusal.ts'
import { seal } from '../../../crypto/sealing.ts'
import { providerOf } from '../../../providers/index.ts'
import { keysOf } from '../routing/channel-keys.ts'
import type { ChannelRow } from '../table.ts'

/** iFlytek Spark names its API version in `other`, Vertex AI its region, AWS its region in the key. */
const [SPARK, AWS, VERTEX] = [18, 33, 41]
const SPARK_VERSION = 'v2.1'

/** @returns the fields that the type fills in by itself
 * @throws Refusal 400 for an unknown type, a missing base URL or a bad region map */
export function typeDefaults({ type, base_url, other }: Pick<ChannelRow, 'type' | 'base_url' | 'other'>): {
  other?: string
} {
  const provider = providerOf(type)
  if (!provider) throw new Refusal('channel.type_unknown', {}, 400, 'type')
  if (!base_url && !provider.base_url && type !== AWS && type !== VERTEX) {
    throw new Refusal('channel.base_url_required', {}, 400, 'base_url')
  }
  if (type === VERTEX) checkRegions(other)
  return type === SPARK && !other ? { other: SPARK_VERSION } : {}
}

/** `other` holds a region, or a JSON object of regions by model with a `default`. @throws Refusal 400 */
function checkRegions(other: string) {
  if (!other) throw new Refusal('channel.region_required', {}, 400, 'other')
  if (!other.startsWith('{')) return
  let regions: { default?: unknown } | undefined
  try {
    regions = JSON.parse(other)
  } catch {
    throw new Refusal('channel.region_json', {}, 400, 'other')
  }
  if (!regions?.default) throw new Refusal('channel.region_default', {}, 400, 'other')
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
  if (type !== VERTEX && !keys.every(one => /^[\x21-\x7e]+$/.test(one))) {
    throw new Refusal('channel.key_characters', {}, 400, 'key')
  }
  return seal(keys.join(','))
}
