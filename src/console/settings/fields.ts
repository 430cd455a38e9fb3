/** Fields of the settings page, from the declarations of the options. */
import { logsAt } from '../../../views/logs/view.ts'
import type { FieldView, SectionView } from '../../../views/settings/view.ts'
import { fromQuota, toQuota } from '../../billing/quota.ts'
import { Role } from '../../contracts/account.ts'
import { numberOf } from '../../contracts/fields.ts'
import type { SettingsTab } from '../../contracts/option.ts'
import { GROUP_KEYS, PRICE_TABLES } from '../../contracts/pricing.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  catalog,
  currency,
  currentOptions,
  defaultText,
  helpOf,
  isUnusable,
  keysOf,
  type OptionKey,
  optionDigest,
  type SectionName,
  sectionsOf,
  unusableText,
} from '../../domain/options/index.ts'
import { isMessageKey, type MessageKey, type Translate, translator } from '../../locales/index.ts'
import { grouped } from '../../pure/number.ts'
import { optionLabel, units } from '../option-words.ts'

/** Price tables have pages of their own. */
const elsewhere = new Set<string>([...PRICE_TABLES, ...GROUP_KEYS])

/** The options that a section of the page shows. */
export const shownKeys = (section: SectionName): OptionKey[] => keysOf(section).filter(key => !elsewhere.has(key))

/** The sections of a tab that show options. */
export const shownSections = (tab: SettingsTab): SectionName[] =>
  sectionsOf(tab).filter(section => shownKeys(section).length > 0)

export const titleOf = (section: SectionName, { language }: Visit): string =>
  translator(language)(`settings.section_${section}`)

/** A form that is shown again: what was typed, by key, and what is wrong. */
export interface RefusedSettings {
  typed: Map<OptionKey, string>
  errors: Map<OptionKey, string>
  /** Options that someone else has changed since the form was opened. */
  conflicts: Set<OptionKey>
  /** Messages by section. */
  problems: Map<SectionName, string>
}

export function sectionView(name: SectionName, visit: Visit, refused?: RefusedSettings): SectionView {
  const help = `settings.help_${name}`
  return {
    name,
    title: titleOf(name, visit),
    help: isMessageKey(help) ? translator(visit.language)(help) : undefined,
    fields: shownKeys(name).map(key => fieldView(key, visit, refused)),
    links: linksOf(name, visit),
    problem: refused?.problems.get(name),
  }
}

/** Pages where more of a section is done. */
function linksOf(name: SectionName, { language }: Visit): SectionView['links'] {
  const t = translator(language)
  return name === 'logging' ? [{ href: logsAt({}, 'clear'), text: t('log.clear_open') }] : []
}

function fieldView(key: OptionKey, visit: Visit, refused?: RefusedSettings): FieldView {
  const t = translator(visit.language)
  const { widget, choices, rows, secret, root } = catalog[key]
  const stored = currentOptions().text(key)
  const typed = refused?.typed.get(key)
  const unit = isMoney(key) ? 'settings.unit_usd' : units[key]
  return {
    key,
    widget,
    label: optionLabel(key, visit),
    help: helpText(key, stored, t),
    unit: unit && t(unit),
    choices: choices?.map(value => ({ value, label: t(`settings.choice_${value}` as MessageKey) })),
    rows,
    value: typed ?? (secret ? '' : shown(key, stored)),
    read: optionDigest(key),
    ...(!secret && { stored: shown(key, stored) }),
    ...(typed !== undefined && { changed: true }),
    ...(secret && { is_set: stored !== '' }),
    ...(root && visit.caller!.role < Role.root && { locked: true }),
    ...(!secret && defaultText(key) !== '' && stored !== defaultText(key) && { initial: shown(key, defaultText(key)) }),
    error: refused?.errors.get(key),
    ...(refused?.conflicts.has(key) && { theirs: secret ? '••••' : shown(key, stored) }),
    ...(isUnusable(key) && { unusable: { text: unusableText(key) } }),
  }
}

/** An amount says also how much quota it is. */
function helpText(key: OptionKey, stored: string, t: Translate): string {
  const help = t(helpOf(key) as MessageKey)
  return isMoney(key) ? `${help} ${t('settings.in_quota', { quota: grouped(Number(stored)) })}` : help
}

/** Whether the field takes an amount of the display currency in place of quota. */
const isMoney = (key: OptionKey): boolean => units[key] === 'settings.unit_quota' && currency().display_in_currency

/** The text to store for what was typed. */
export function textOf(key: OptionKey, typed: string): string {
  const text = typed.trim()
  // Quota that is no whole number of millionths of a dollar stays as it is.
  if (!isMoney(key) || text === '') return typed
  const stored = currentOptions().text(key)
  return text === shown(key, stored) ? stored : String(toQuota(numberOf(text) ?? Number.NaN, currency()))
}

/** JSON is shown with line breaks, the names of a list with spaces, quota as an amount. */
export function shown(key: OptionKey, text: string): string {
  if (isMoney(key)) return fromQuota(Number(text), currency())
  if (catalog[key].widget === 'json') return JSON.stringify(JSON.parse(text), null, 2)
  return catalog[key].widget === 'list' ? text.split(',').join(', ') : text
}
