/** Rules that a channel's type sets for its fields. */
import { Refusal } from '../../../contracts/refusal.ts'
import { seal } from '../../../crypto/sealing.ts'
import type { MessageKey } from '../../../locales/index.ts'
import type { MessageParams } from '../../../locales/translator.ts'
import { flawOfKeys, joinKeys, otherFlaw, type Provider, providerOf } from '../../../providers/index.ts'
import { type Json, parseObject } from '../../../pure/json.ts'
import { keysOf } from '../../routing/index.ts'
import type { ChannelRow } from '../table.ts'

type TypedFields = Pick<ChannelRow, 'type' | 'base_url' | 'other' | 'setting'> & { key?: string }

/** Every field that does not fit the type, each as a Refusal. The key is checked when it is given. */
export function flawsOf({ type, base_url, other, setting, key }: TypedFields): Refusal[] {
  const provider = providerOf(type)
  if (!provider) return [refusal('channel.type_unknown', 'type')]
  const { host_by_region, host_by_setting, other: meaning } = provider.quirks
  const needsUrl = !base_url && !provider.base_url && !host_by_region && !host_by_setting
  const isOtherScheme = isSocketUrl(base_url) && !isSocketUrl(provider.base_url)
  const flaw = meaning && otherFlaw(meaning, other)
  return [
    key === undefined ? undefined : keyFlaw(provider, key),
    needsUrl ? refusal('channel.base_url_required', 'base_url') : undefined,
    isOtherScheme ? refusal('channel.base_url_invalid', 'base_url') : undefined,
    flaw && refusal(`channel.${flaw}`, 'other'),
    settingFlaw(provider, setting),
  ].filter(found => found !== undefined)
}

const isSocketUrl = (url: string): boolean => /^wss?:/i.test(url)

function keyFlaw(provider: Provider, text: string): Refusal | undefined {
  const flaw = flawOfKeys(provider, text)
  return flaw && refusal(`channel.${flaw}`, 'key', { format: provider.key_format })
}

function settingFlaw(provider: Provider, setting: string): Refusal | undefined {
  const flaw = provider.settingFlaw?.(settingOf(setting))
  return flaw && refusal(`channel.${flaw.code}`, 'setting', { row: flaw.row })
}

const settingOf = (text: string): Json => (text && parseObject(text)) || {}

const refusal = (code: MessageKey, field: string, params: MessageParams = {}) => new Refusal(code, params, 400, field)

/**
 * Checks the fields that depend on the type.
 * @returns the fields that the type fills in by itself
 * @throws Refusal for an unknown type, a missing base URL, an `other` or a setting that the type cannot read
 */
export function typeDefaults({ type, base_url, other, setting }: Omit<TypedFields, 'key'>): { other?: string } {
  const [flaw] = flawsOf({ type, base_url, other, setting })
  if (flaw) throw flaw
  const { default_other } = providerOf(type)!.quirks
  return default_other && !other ? { other: default_other } : {}
}

type Destination = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>

/**
 * Keeps stored keys from being sent to another host by an administrator who cannot read them.
 * @throws Refusal 400 when the keys must be entered again.
 */
export function checkSameDestination(before: Destination, after: Destination) {
  if (isSuccession(before, after)) return
  if (destinationOf(before) !== destinationOf(after)) throw new Refusal('channel.key_again', {}, 400, 'key')
}

/** An ended service's keys go to the address of its successor, which no administrator has written. */
const isSuccession = (before: Destination, after: Destination): boolean =>
  !before.base_url && !after.base_url && providerOf(before.type)?.ended?.successor === after.type

/** The parties that see a channel's keys: its hosts and, without TLS, its proxy. */
function destinationOf(channel: Destination): string {
  const { type, base_url, setting } = channel
  const url = URL.parse(base_url || providerOf(type)?.base_url || '')
  const origins = [...(url ? [url.origin] : []), ...settingOrigins(channel)].sort()
  if (!origins.length) return `type ${type}`
  const { proxy = '' } = origins.some(origin => /^(?:http|ws):/.test(origin)) ? settingOf(setting) : {}
  return `${origins.join(' ')} ${proxy}`
}

/** Origins that a channel's setting names. */
export const settingOrigins = ({ type, setting }: Pick<Destination, 'type' | 'setting'>): string[] =>
  providerOf(type)?.settingOrigins?.(settingOf(setting)) ?? []

/** Whether the type reads more of the setting than every type does. */
export const readsSetting = (type: number): boolean => providerOf(type)?.settingFlaw !== undefined

/** Seals keys for storage, each once. @throws Refusal 400 for keys that the type cannot use */
export function sealKeys(key: string, type: number): string {
  const provider = providerOf(type)
  if (!provider) throw refusal('channel.type_unknown', 'type')
  const flaw = keyFlaw(provider, key)
  if (flaw) throw flaw
  return seal(joinKeys(provider, keysOf(key, type)))
}
