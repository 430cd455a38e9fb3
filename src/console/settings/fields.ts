/** Fields of the settings page, from the declarations of the options. */
import { logsAt } from '../../../views/logs/view.ts'
import { AREAS, settingsAt } from '../../../views/pricing/settings-view.ts'
import type { FieldView, SectionView } from '../../../views/settings/view.ts'
import { Role } from '../../contracts/account.ts'
import { GROUP_KEYS, PRICE_TABLES } from '../../contracts/pricing.ts'
import type { Visit } from '../../contracts/visit.ts'
import {
  catalog,
  currentOptions,
  defaultText,
  helpOf,
  isUnusable,
  keysOf,
  labelOf,
  type OptionKey,
  optionDigest,
  type SectionName,
  unusableText,
} from '../../domain/options/index.ts'
import { isMessageKey, type MessageKey, translator } from '../../locales/index.ts'
import { units } from './units.ts'

/** Price tables have pages of their own. */
const elsewhere = new Set<string>([...PRICE_TABLES, ...GROUP_KEYS])

/** The options that a section of the page shows. */
export const shownKeys = (section: SectionName): OptionKey[] => keysOf(section).filter(key => !elsewhere.has(key))

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

/** Pages where more of a section is set or done. */
function linksOf(name: SectionName, { language }: Visit): SectionView['links'] {
  const t = translator(language)
  if (name === 'logging') return [{ href: logsAt({}, 'clear'), text: t('log.clear_open') }]
  if (name !== 'prices') return []
  return AREAS.map(area => ({ href: settingsAt({ area }), text: t(`pricing.area_${area}`) }))
}

function fieldView(key: OptionKey, visit: Visit, refused?: RefusedSettings): FieldView {
  const t = translator(visit.language)
  const { widget, choices, secret, root } = catalog[key]
  const stored = currentOptions().text(key)
  const typed = refused?.typed.get(key)
  const unit = units[key]
  return {
    key,
    widget,
    label: t(labelOf(key) as MessageKey),
    help: t(helpOf(key) as MessageKey),
    unit: unit && t(unit),
    choices: choices?.map(value => ({ value, label: t(`settings.choice_${value}` as MessageKey) })),
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

/** JSON is shown with line breaks, the names of a list with spaces. */
export function shown(key: OptionKey, text: string): string {
  if (catalog[key].widget === 'json') return JSON.stringify(JSON.parse(text), null, 2)
  return catalog[key].widget === 'list' ? text.split(',').join(', ') : text
}

/** The name of an option in messages. */
export const optionLabel = (key: OptionKey, { language }: Visit) => translator(language)(labelOf(key) as MessageKey)
