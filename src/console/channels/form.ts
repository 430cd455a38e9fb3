/** A channel as text in the fields of its drawer, and back. Fields have the wire's names. */
import { z } from 'zod'
import { endsInVersion } from '../../contracts/base-url.ts'
import {
  isNumeral,
  isProxyAddress,
  joinJson,
  jsonObject,
  type ParamName,
  paramFields,
  type SettingName,
  settingFields,
  splitJson,
} from '../../contracts/channel-json.ts'
import { isLimit, limitSettings, readModelLimits } from '../../contracts/channel-limits.ts'
import { keyLines } from '../../contracts/key-list.ts'
import { DEFAULT_GROUP } from '../../contracts/pricing.ts'
import { type Channel, flawsOf, providerChoices } from '../../domain/channels/index.ts'
import type { MessageKey } from '../../locales/index.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { text } from '../../web/forms.ts'

const settingNames = Object.keys(settingFields) as SettingName[]
const paramNames = Object.keys(paramFields) as ParamName[]

/** One text per known key of a JSON column: `setting_proxy`, `param_temperature`. */
const textsOf = <Prefix extends string, Name extends string>(prefix: Prefix, names: Name[]) =>
  Object.fromEntries(names.map(name => [`${prefix}_${name}`, text])) as Record<`${Prefix}_${Name}`, typeof text>

export const ChannelForm = z.object({
  name: text,
  type: text,
  key: text,
  base_url: text,
  /** The base URL that is stored, or that the user has confirmed: it is not questioned again. */
  base_url_kept: text,
  /** JSON of the values, but for empty ones, that the drawer was filled with: an edit leaves out unchanged fields. */
  was: text,
  models: text,
  group: z
    .array(z.string())
    .default([])
    .transform(names => names.join(',')),
  priority: text,
  weight: text,
  auto_ban: text,
  guarded: text,
  model_mapping: text,
  /** JSON besides the parameters that have a field of their own. */
  param_override: text,
  ...textsOf('param', paramNames),
  status_code_mapping: text,
  /** JSON besides the settings that have a field of their own. */
  setting: text,
  ...textsOf('setting', settingNames),
  other: text,
  openai_organization: text,
  test_model: text,
  tag: text,
  model_prefix: text,
  max_input_tokens: text,
  system_prompt: text,
  /** Tells the form of a new channel from every other that was drawn. */
  form_id: text,
  /** `test` when the button that tests the typed values was pressed. */
  action: text,
})
export type ChannelForm = z.output<typeof ChannelForm>

/** What the drawer of a new channel starts from. */
export const newForm: ChannelForm = {
  ...ChannelForm.parse({}),
  type: '1',
  group: DEFAULT_GROUP,
  priority: '0',
  weight: '0',
  max_input_tokens: '0',
  auto_ban: '1',
}

const empty = ChannelForm.parse({})

/** Field values for an existing channel, without its key. */
export function formOf(channel: Channel): ChannelForm {
  const fields = Object.keys(empty).map(name => [name, String(channel[name as keyof Channel] ?? '')])
  const { rest: setting, fields: settings } = splitJson(channel.setting, settingFields)
  const { rest: param_override, fields: params } = splitJson(channel.param_override, paramFields)
  const filled: ChannelForm = {
    ...Object.fromEntries(fields),
    key: '',
    setting,
    ...prefixed('setting', settings),
    param_override,
    ...prefixed('param', params),
    guarded: channel.guarded ? '1' : '',
  }
  const before = Object.entries(fieldsOf(filled)).flatMap(([name, value]) =>
    value === '' ? [] : [[name, String(value)]],
  )
  return { ...filled, base_url_kept: channel.base_url, was: JSON.stringify(Object.fromEntries(before)) }
}

const prefixed = (prefix: string, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}_${name}`, value]))

/** The form as the API's contracts read it: an unticked box is 0, or false. */
export const fieldsOf = (form: ChannelForm) => ({
  name: form.name,
  type: form.type,
  key: form.key,
  base_url: form.base_url,
  models: form.models,
  group: form.group,
  priority: form.priority,
  weight: form.weight,
  auto_ban: form.auto_ban ? 1 : 0,
  guarded: form.guarded !== '',
  model_mapping: form.model_mapping,
  param_override: joinJson(form.param_override, valuesOf(form, 'param', paramNames), paramFields),
  status_code_mapping: form.status_code_mapping,
  setting: joinJson(form.setting, valuesOf(form, 'setting', settingNames), settingFields),
  other: form.other,
  openai_organization: form.openai_organization,
  test_model: form.test_model,
  tag: form.tag,
  model_prefix: form.model_prefix,
  max_input_tokens: form.max_input_tokens || '0',
  system_prompt: form.system_prompt,
})

/** Values of the fields with this prefix, by the key of the JSON. */
const valuesOf = <Name extends string>(form: Record<string, string>, prefix: string, names: Name[]) =>
  Object.fromEntries(names.map(name => [name, form[`${prefix}_${name}`] ?? ''])) as Record<Name, string>

/** Fields that differ from those the drawer opened with: another administrator may have changed the rest since. */
export function changesOf(form: ChannelForm) {
  const was = jsonObject(form.was)
  const isChanged = ([name, value]: [string, unknown]) =>
    String(value).replaceAll('\r\n', '\n') !== (was && (was[name] ?? ''))
  return Object.fromEntries(Object.entries(fieldsOf(form)).filter(isChanged))
}

/** The typed values of a channel that is tested before it is saved. */
export function unsavedOf(form: ChannelForm, id: number | undefined) {
  const { type, base_url, key, guarded, other, openai_organization, setting, ...rest } = fieldsOf(form)
  const { models, model_mapping, model_prefix, test_model } = rest
  const destination = { type, base_url, key, guarded, other, openai_organization, setting }
  return { ...destination, models, model_mapping, model_prefix, test_model, ...(id && { id }) }
}

/** Whether the operator has to confirm the base URL: the gateway adds `/v1` itself, unless the type takes whole URLs. */
export function isOddAddress({ type, base_url, base_url_kept }: ChannelForm): boolean {
  const isVerbatim = providerChoices().some(provider => String(provider.type) === type && provider.verbatim_url)
  return !isVerbatim && endsInVersion(base_url.trim()) && base_url !== base_url_kept
}

interface FieldFlaw {
  field: string
  code: MessageKey
  params?: MessageParams
}

/**
 * Errors that no contract can find: of fields that are joined to one JSON, and of those that depend on the type.
 * @param changed the fields that an edit changes; undefined for a new channel
 */
export function flawsIn(form: ChannelForm, changed?: Record<string, unknown>): FieldFlaw[] {
  const { type, other, key } = form
  const { setting } = fieldsOf(form)
  const typed = { type: Number(type), base_url: form.base_url.trim(), other: other.trim(), setting }
  const flaws = flawsOf(!changed || key.trim() ? { ...typed, key } : typed).filter(
    ({ field = '' }) => !changed || field in changed || 'type' in changed,
  )
  const values = form as Record<string, string>
  const badNumbers = paramNames
    .map(name => `param_${name}`)
    .filter(field => values[field]?.trim() && !isNumeral(values[field]))
  const hasBadProxy = form.setting_proxy.trim() && !isProxyAddress(form.setting_proxy.trim())
  return [
    ...flaws.map(({ field = '', code, params }) => ({ field: fieldOfFlaw(form, field, code), code, params })),
    ...badNumbers.map(field => ({ field, code: 'channel.param_number' as const })),
    ...(hasBadProxy ? [{ field: 'setting_proxy', code: 'channel.proxy_invalid' as const }] : []),
    ...flawedLimits(form).map(field => ({ field, code: 'channel.limit_invalid' as const })),
  ]
}

/** Fields of limits whose text is none. */
function flawedLimits(form: ChannelForm): string[] {
  const numbers = limitSettings.map(name => `setting_${name}` as const)
  const flawed: string[] = numbers.filter(field => form[field].trim() && !isLimit(Number(form[field])))
  return readModelLimits(form.setting_model_limits) ? flawed : [...flawed, 'setting_model_limits']
}

/** A flaw of the custom endpoints belongs to their field when the JSON beside it is sound. */
const fieldOfFlaw = (form: ChannelForm, field: string, code: string): string =>
  isSound(form.setting) && /^channel\.routes?_/.test(code) ? 'setting_routes' : field

/** An error of the joined setting belongs to a field of its own when the JSON beside it is sound. */
export function fieldOfError(form: ChannelForm, field: string): string {
  if (field !== 'setting' || !isSound(form.setting)) return field
  const [limit] = flawedLimits(form)
  if (limit) return limit
  const proxy = form.setting_proxy.trim()
  if (form.setting_routes && (!proxy || isProxyAddress(proxy))) return 'setting_routes'
  return proxy ? 'setting_proxy' : field
}

const isSound = (json: string): boolean => !json.trim() || jsonObject(json) !== undefined

/** How many keys of the text repeat an earlier one. */
export function repeatedKeys(key: string, type: number): number {
  const provider = providerChoices().find(choice => choice.type === type)
  const keys = provider?.json_key ? [key] : keyLines(key)
  return keys.length - new Set(keys).size
}

/** The host that the form's requests go to; empty when the region decides it. */
export function hostOf({ type, base_url }: ChannelForm): string {
  const provider = providerChoices().find(choice => String(choice.type) === type)
  return URL.parse(base_url.trim() || provider?.base_url || '')?.host ?? ''
}
