/** What the field `other` of a channel holds, by channel type, and the check of its text. */
import type { OtherField, OtherMeaning } from '../../contracts/provider-choice.ts'
import { isObject } from '../../formats/json/checks.ts'
import { parsedOrUndefined } from '../../pure/json.ts'

export type OtherFlaw =
  | 'version_characters'
  | 'knowledge_base_required'
  | 'plugin_json'
  | 'account_required'
  | 'bot_required'
  | 'region_characters'
  | 'region_json'
  | 'region_default'

/** @returns what is wrong with the text */
export const otherFlaw = ({ meaning }: OtherField, text: string): OtherFlaw | undefined => checks[meaning](text)

const versionFlaw = (text: string): OtherFlaw | undefined =>
  /^[\w.-]{0,64}$/.test(text) ? undefined : 'version_characters'

const checks: Record<OtherMeaning, (text: string) => OtherFlaw | undefined> = {
  api_version: versionFlaw,
  model_version: versionFlaw,
  knowledge_base: text => (text ? undefined : 'knowledge_base_required'),
  plugin: text => (!text || isObject(parsedOrUndefined(text)) ? undefined : 'plugin_json'),
  account: text => (text ? undefined : 'account_required'),
  bot: text => (text ? undefined : 'bot_required'),
  region: regionFlaw,
}

/** A region is a part of the host: with a dot or a slash it could lead the key to another one. */
const isRegion = (text: unknown) => typeof text === 'string' && /^[a-z\d-]{1,63}$/i.test(text)

/** @param text a region, a JSON object of regions by model with a `default`, or empty for the provider's own default */
function regionFlaw(text: string): OtherFlaw | undefined {
  if (!text) return undefined
  if (!text.startsWith('{')) return isRegion(text) ? undefined : 'region_characters'
  const regions = parsedOrUndefined(text)
  if (!isObject(regions) || !Object.values(regions).every(region => typeof region === 'string')) return 'region_json'
  if (!regions.default) return 'region_default'
  return Object.values(regions).every(isRegion) ? undefined : 'region_characters'
}
