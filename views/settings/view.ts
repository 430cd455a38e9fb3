/** Settings page: its addresses, and its fields and sections as it draws them. */
import { addressOf } from '../../src/contracts/list-address.ts'
import { SETTINGS_PATH, SETTINGS_TABS, type SettingsTab, type Widget } from '../../src/contracts/option.ts'
import type { RowShape } from '../../src/contracts/option-rows.ts'
import type { OptionKey, SectionName } from '../../src/domain/options/index.ts'

/** Target of the forms of every section. */
export const SAVE_PATH = `${SETTINGS_PATH}/save`

export const EXPORT_PATH = `${SETTINGS_PATH}/export.json`
export const IMPORT_PATH = `${SETTINGS_PATH}/import`
export const DISCOVERY_PATH = `${SETTINGS_PATH}/oidc-discovery`
export const MAIL_TEST_PATH = `${SETTINGS_PATH}/test-mail`
export const undoPath = (change: number) => `${SETTINGS_PATH}/history/${change}/undo`
/** Preview of the text in the field `key`. */
export const previewPath = (key: string) => addressOf(`${SETTINGS_PATH}/preview`, {}, { key })

export { SETTINGS_TABS, type SettingsTab }

/** The page of a tab; `query` opens something over it. */
export const tabAt = (tab: SettingsTab, query: Record<string, string> = {}): string =>
  addressOf(SETTINGS_PATH, {}, { tab, ...query })

export const sectionId = (section: string) => `section-${section}`
/** Id of the form of a section: buttons elsewhere may belong to it. */
export const formId = (section: string) => `form-${section}`
export const fieldId = (key: string) => `field-${key}`

export const sectionAt = (tab: SettingsTab, section: string): string => `${tabAt(tab)}#${sectionId(section)}`
export const fieldAt = (tab: SettingsTab, key: string): string => `${tabAt(tab)}#${fieldId(key)}`

/** Result of a button that stores nothing, shown beside it. */
export interface ToolOutcome {
  of: 'import' | 'mail' | 'oidc'
  ok: boolean
  text: string
}

export interface FieldView {
  key: OptionKey
  widget: Widget
  label: string
  help: string
  /** Shown inside the field at its right. */
  unit?: string
  choices?: { value: string; label: string }[]
  /** JSON that is edited as rows. */
  rows?: RowShape
  /** As the control shows it: the stored text, or what was typed into a refused form. */
  value: string
  /** The stored text as the control shows it; undefined for a secret. */
  stored?: string
  /** Digest of the stored text, by which a save finds out that it has changed since. */
  read: string
  /** The typed value of a refused form differs from the stored one. */
  changed?: true
  /** Of a secret: whether one is stored. */
  is_set?: boolean
  /** Only root may change it, and the visitor is not root. */
  locked?: true
  /** The default as the control shows it, where another value is stored; an empty one is not shown. */
  initial?: string
  error?: string
  /** Stored by someone else since the form was opened. */
  theirs?: string
  /** Stored by another version and refused by this one: the default is in use. */
  unusable?: { text?: string }
}

export interface SectionView {
  name: SectionName
  title: string
  help?: string
  fields: FieldView[]
  /** Pages that belong to it. */
  links: { href: string; text: string }[]
  /** Outcome of a refused form. */
  problem?: string
}

/** Entry of the index at the left. */
export interface IndexEntry {
  href: string
  title: string
  /** Section of this page: its marks are counted by the save bar. */
  section?: string
  errors?: number
  isCurrent?: boolean
}
