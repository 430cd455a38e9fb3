/** JSON columns of a channel: their checks, and their known keys as fields of the form. It needs no schema library. */

import { isLimit, isModelLimits, limitSettings, readModelLimits, writeModelLimits } from './channel-limits.ts'

/** @returns undefined for a text that is no JSON object */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Follows each name once: a mapping may have thousands.
 * @returns a name of a circle of two or more names; a name mapped to itself is no circle.
 */
export function circleIn(mapping: Record<string, unknown>): string | undefined {
  const ended = new Set<unknown>()
  return Object.keys(mapping).find(start => {
    const seen = new Set<unknown>()
    let name: unknown = start
    while (Object.hasOwn(mapping, String(name)) && mapping[String(name)] !== name && !seen.has(name)) {
      if (ended.has(name)) break
      seen.add(name)
      name = mapping[String(name)]
    }
    if (seen.has(name)) return true
    for (const one of seen) ended.add(one)
    return false
  })
}

const isNumberOrText = (value: unknown) => typeof value === 'number' || typeof value === 'string'
export const isStatus = (value: unknown): boolean => isNumberOrText(value) && /^[1-5]\d\d$/.test(String(value))
export const isFailure = (value: unknown): boolean => isNumberOrText(value) && /^[45]\d\d$/.test(String(value))

export const isProxyAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^(https?|socks5h?):\/\/[^\s/][\x21-\x7e]*$/.test(value) && URL.canParse(value)

const isFlag = (value: unknown) => typeof value === 'boolean'
const isText = (value: unknown) => typeof value === 'string'
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText)

/** Kinds of a Dify app. */
export const difyApps = ['chat', 'agent', 'chatflow', 'completion', 'workflow'] as const

/** Types of the known settings; unknown ones are stored without effect. */
const settingChecks: Record<string, (value: unknown) => boolean> = {
  proxy: isProxyAddress,
  force_format: isFlag,
  thinking_to_content: isFlag,
  pass_through_body: isFlag,
  cancel_on_leave: isFlag,
  allow_unknown_ids: isFlag,
  auto_cache: isFlag,
  mj_keep_mode: isFlag,
  mj_notify: isFlag,
  stream_support: isText,
  system_prompt: isText,
  system_prompt_override: isFlag,
  allowed_fields: isTextList,
  dify_app: value => isText(value) && (difyApps as readonly unknown[]).includes(value),
  // It goes out as a header.
  workspace: value => isText(value) && /^[\x21-\x7e]*$/.test(value),
  ...Object.fromEntries(limitSettings.map(name => [name, isLimit])),
  model_limits: isModelLimits,
}

export const settingFits = ([name, value]: [string, unknown]): boolean =>
  !Object.hasOwn(settingChecks, name) || settingChecks[name]!(value)

/** How a JSON value is written in a field. `read` returns undefined for a value that the field cannot show. */
interface FieldKind {
  read(value: unknown): string | undefined
  /** @param text not empty */
  write(text: string): unknown
}

const textKind: FieldKind = { read: value => (isText(value) ? (value as string) : undefined), write: text => text }
const flagKind: FieldKind = { read: value => (isFlag(value) ? (value ? '1' : '') : undefined), write: () => true }
/** A checkbox that turns off what is on. */
const offKind: FieldKind = {
  read: value => (isFlag(value) ? (value ? '' : '1') : undefined),
  write: () => false,
}
const namesKind: FieldKind = {
  read: value => (isTextList(value) ? (value as string[]).join(', ') : undefined),
  write: text => text.split(/[\s,，]+/).filter(Boolean),
}
const numberKind: FieldKind = {
  read: value => (typeof value === 'number' ? String(value) : undefined),
  // A text that is no number is refused at its field, so this is never stored.
  write: text => (isNumeral(text) ? Number(text) : text),
}
const rowsKind: FieldKind = {
  read: value => (Array.isArray(value) ? JSON.stringify(value, null, 2) : undefined),
  // A text that is no JSON is refused at its field, so this is never stored.
  write: text => jsonIn(text) ?? text,
}
const modelLimitsKind: FieldKind = {
  read: value => (isModelLimits(value) ? writeModelLimits(value) : undefined),
  // Another text is refused as no limits.
  write: text => readModelLimits(text) ?? text,
}
/** A switch that may also be left to the site. */
const switchKind: FieldKind = {
  read: value => (isFlag(value) ? (value ? 'on' : 'off') : undefined),
  // Another text is refused as no flag.
  write: text => (text === 'on' || text === 'off' ? text === 'on' : text),
}
/** A checkbox that sets one text. */
const constantKind = (constant: string): FieldKind => ({
  read: value => (value === constant ? '1' : undefined),
  write: () => constant,
})

export const isNumeral = (text: string): boolean => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(text.trim())

/** Settings with a field of their own. `system_prompt` has a column besides: as a setting it stays in the JSON. */
export const settingFields = {
  proxy: textKind,
  stream_support: constantKind('NON_STREAM_ONLY'),
  force_format: flagKind,
  thinking_to_content: flagKind,
  pass_through_body: flagKind,
  cancel_on_leave: flagKind,
  allow_unknown_ids: flagKind,
  auto_cache: offKind,
  system_prompt_override: flagKind,
  allowed_fields: namesKind,
  dify_app: textKind,
  workspace: textKind,
  routes: rowsKind,
  mj_keep_mode: flagKind,
  mj_notify: switchKind,
  rpm: numberKind,
  tpm: numberKind,
  concurrency: numberKind,
  key_rpm: numberKind,
  key_tpm: numberKind,
  key_concurrency: numberKind,
  model_limits: modelLimitsKind,
}

/** Overridden parameters with a field of their own. */
export const paramFields = {
  temperature: numberKind,
  top_p: numberKind,
  max_tokens: numberKind,
  frequency_penalty: numberKind,
  presence_penalty: numberKind,
  seed: numberKind,
}

export type SettingName = keyof typeof settingFields
export type ParamName = keyof typeof paramFields

type Kinds<Name extends string> = Record<Name, FieldKind>

/** The known keys of a JSON object as texts of fields, and the text of what remains; a text without any stays as it is. */
export function splitJson<Name extends string>(text: string, kinds: Kinds<Name>) {
  const object = jsonObject(text) ?? {}
  const fields = {} as Record<Name, string>
  const rest = { ...object }
  for (const name of Object.keys(kinds) as Name[]) {
    const shown = Object.hasOwn(object, name) ? kinds[name].read(object[name]) : undefined
    fields[name] = shown ?? ''
    if (shown !== undefined) delete rest[name]
  }
  if (Object.keys(rest).length === Object.keys(object).length) return { fields, rest: text }
  return { fields, rest: Object.keys(rest).length ? JSON.stringify(rest, null, 2) : '' }
}

/** The JSON of `rest` and the filled fields. A key that is in both keeps the value of the JSON. */
export function joinJson<Name extends string>(rest: string, fields: Record<Name, string>, kinds: Kinds<Name>): string {
  const object = rest.trim() ? jsonObject(rest) : {}
  const filled = (Object.keys(kinds) as Name[]).filter(name => fields[name].trim())
  if (!object || !filled.length) return rest
  const known = Object.fromEntries(filled.map(name => [name, kinds[name].write(fields[name].trim())]))
  return JSON.stringify({ ...known, ...object }, null, 2)
}
