/** The form of a key: checked when it is saved, and again before a request is built from it. */
import { isObject } from '../../formats/json/checks.ts'
import { parsedOrUndefined } from '../../pure/json.ts'
import { keysIn, type Provider } from './provider.ts'

/** `key_parts`: too few or too many parts, or an empty one. */
export type KeyFlaw = 'key_required' | 'key_characters' | 'key_parts' | 'key_json' | 'key_region' | 'key_private_key'

/** @returns what is wrong with the keys of a channel, as an operator writes them */
export function flawOfKeys(provider: Provider, text: string): KeyFlaw | undefined {
  const keys = keysIn(provider, text)
  if (!keys.length) return 'key_required'
  return keys.map(key => flawOfKey(provider, key)).find(Boolean)
}

/** @returns what is wrong with one key */
export function flawOfKey({ quirks, keyFlaw }: Provider, key: string): KeyFlaw | undefined {
  const { json_key, plain_key, key_parts } = quirks
  if (json_key && !plain_key?.test(key) && !isObject(parsedOrUndefined(key))) return 'key_json'
  if (!json_key && !/^[\x21-\x7e]*$/.test(key)) return 'key_characters'
  const parts = key.split('|')
  if (key_parts && !(key_parts.includes(parts.length) && parts.every(Boolean))) return 'key_parts'
  return keyFlaw?.(key)
}
