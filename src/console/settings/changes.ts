/** Changes in a form of the settings: the fields whose text differs from the one that the form was drawn with. */
import { FallbackDraft } from '../../contracts/option.ts'
import { Refusal } from '../../contracts/refusal.ts'
import {
  catalog,
  checkFallback,
  currentOptions,
  type OptionKey,
  optionDigest,
  optionKeys,
  storedForm,
} from '../../domain/options/index.ts'
import { type RefusedSettings, textOf } from './fields.ts'

export interface Change {
  key: OptionKey
  /** As it was typed. */
  typed: string
  /** As it is stored; as it was typed when it is refused. */
  text: string
  /** Digest of the text that the form was drawn with. */
  read: string
  /** Someone else has stored another text since. */
  is_stale: boolean
  /** Removes a secret. */
  clears: boolean
  error?: unknown
}

type Fields = Partial<Record<string, string>>

/** Fields without a `read_` digest were locked, or not in the form. */
export const changesIn = (form: Fields): Change[] =>
  optionKeys.filter(key => form[`read_${key}`] !== undefined).flatMap(key => changeOf(key, form) ?? [])

/** What a form has typed, to be shown again. */
export const draftOf = (form: Fields): RefusedSettings => ({
  typed: new Map(changesIn(form).map(({ key, typed }) => [key, typed])),
  errors: new Map(),
  conflicts: new Set(),
  problems: new Map(),
})

function changeOf(key: OptionKey, form: Fields): Change | undefined {
  const { widget, secret } = catalog[key]
  const read = form[`read_${key}`]!
  const typed = widget === 'flag' ? String(form[key] !== undefined) : (form[key] ?? '').replaceAll('\r\n', '\n')
  const clears = secret === true && form[`clear_${key}`] !== undefined && typed.trim() === ''
  if (secret && typed.trim() === '' && !clears) return
  const { text, error } = storedTextOf(key, typed)
  const stored = currentOptions().text(key)
  const is_stale = optionDigest(key) !== read
  if (!error && text === stored.replaceAll('\r\n', '\n')) return
  if (!error && is_stale && optionDigest(key, { text: () => text }) === read) return
  return { key, typed, text, read, is_stale, clears, error }
}

function storedTextOf(key: OptionKey, typed: string): { text: string; error?: unknown } {
  try {
    return { text: storedForm(key, textOf(key, typed)).replaceAll('\r\n', '\n') }
  } catch (error) {
    return { text: typed, error }
  }
}

/** Options of top-ups: they need the address of the site, which the payment gateway is given. */
const paid: OptionKey[] = [
  ...(['PayAddress', 'EpayId', 'EpayKey', 'CustomCallbackAddress'] as const),
  ...(['Price', 'MinTopUp', 'TopupGroupRatio'] as const),
]

const fallback = {
  enabled: 'fallback_pricing_enabled',
  single_price: 'fallback_single_price',
  input_ratio: 'fallback_input_ratio',
  completion_ratio: 'fallback_completion_ratio',
} as const

/** Rules of whole forms, which the options by themselves do not have. @returns errors by option */
export function checkForms(changes: Change[]): [OptionKey, Refusal][] {
  const changed = new Map(changes.map(({ key, text }) => [key, text]))
  const textOf = (key: OptionKey) => changed.get(key) ?? currentOptions().text(key)
  const errors: [OptionKey, Refusal][] = []
  if (textOf('ServerAddress') === '')
    for (const key of paid)
      if (changed.get(key)) errors.push([key, new Refusal('settings.server_address_first', {}, 400, key)])
  const priced = Object.values(fallback).filter(key => changed.has(key))
  if (priced.length) {
    const draft = FallbackDraft.safeParse(
      Object.fromEntries(Object.entries(fallback).map(([name, key]) => [name, textOf(key)])),
    )
    const at = priced.at(-1)!
    if (draft.success && !isComplete(draft.data))
      errors.push([at, new Refusal('option.fallback_contradiction', {}, 400, at)])
  }
  return errors
}

function isComplete(draft: FallbackDraft): boolean {
  try {
    checkFallback(draft)
    return true
  } catch {
    return false
  }
}
