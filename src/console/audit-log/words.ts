/** Entries of the audit log in words: names of their fields, values as people read them, and where the thing is. */
import type { AuditChange, AuditItem } from '../../../views/audit-log/view.ts'
import { channelsAt } from '../../../views/channels/view.ts'
import { messagesAt } from '../../../views/messages/view.ts'
import { strayAt } from '../../../views/payments/view.ts'
import { settingsAt } from '../../../views/pricing/settings-view.ts'
import { codesAt } from '../../../views/redemption/view.ts'
import { fieldAt } from '../../../views/settings/view.ts'
import { usersAt } from '../../../views/users/view.ts'
import type { AuditEntry } from '../../contracts/audit-log.ts'
import { nameText } from '../../contracts/budget-words.ts'
import { GROUP_KEYS, isPriceKey } from '../../contracts/pricing.ts'
import type { Visit } from '../../contracts/visit.ts'
import { changedFields } from '../../domain/audit-log/index.ts'
import { catalog, isOptionKey, type OptionKey, tabOf } from '../../domain/options/index.ts'
import { type MessageKey, translator } from '../../locales/index.ts'
import { optionLabel, units } from '../option-words.ts'
import { type AuditField, fields } from './fields.ts'
import { isUndoable } from './undo.ts'
import { channelStatus, type Facts, flag, plain, quota, secret } from './values.ts'

export const auditItem = (entry: AuditEntry, visit: Visit): AuditItem => ({
  ...entry,
  target: targetOf(entry, visit),
  href: hrefOf(entry),
  changes: changesOf(entry, { t: translator(visit.language), visit }),
  can_undo: isUndoable(entry),
})

function targetOf({ target_kind: kind, target_id: id, target_name: name }: AuditEntry, visit: Visit): string {
  if (kind === 'option' && isOptionKey(id)) return optionLabel(id, visit)
  const shown = kind === 'budget' ? nameText(name, translator(visit.language)) : name
  return name ? `#${id} ${shown}` : id
}

/** @returns undefined for what has no page, or is deleted */
function hrefOf({
  target_kind: kind,
  target_id: text,
  target_name: name,
  action,
  after,
}: AuditEntry): string | undefined {
  const id = Number(text)
  if (kind === 'option') return isOptionKey(text) ? optionAt(text) : undefined
  if (action.endsWith('.delete')) return undefined
  // Codes that were made together have one name.
  if (kind === 'redemption' && !id) return codesAt({ keyword: name })
  if (!id) return undefined
  if (kind === 'channel') return channelsAt({}, { edit: id })
  if (kind === 'user') return usersAt({}, { edit: id })
  if (kind === 'budget') return budgetAt(id, after.owner)
  if (kind === 'redemption') return codesAt({}, { edit: id })
  if (kind === 'message') return messagesAt({}, { edit: id })
  return kind === 'payment' ? strayAt({ all: '1' }) : undefined
}

/** @param owner of a new budget; edits do not name it, and keys have no page for administrators */
function budgetAt(budget: number, owner: unknown): string | undefined {
  if (owner === 'user') return usersAt({}, { budget })
  return owner === 'channel' ? channelsAt({}, { budget }) : undefined
}

function optionAt(name: OptionKey): string {
  if (GROUP_KEYS.some(group => group === name)) return settingsAt({ area: 'groups' })
  return isPriceKey(name) ? settingsAt({ area: 'prices' }) : fieldAt(tabOf(catalog[name].section_name), name)
}

function changesOf(entry: AuditEntry, facts: Facts): AuditChange[] {
  return changedFields(entry).map(name => {
    const { label, write } = fieldOf(entry, name, facts)
    const text = (value: unknown) => (isBlank(value) ? '–' : write(value, facts))
    return { label, before: text(entry.before[name]), after: text(entry.after[name]) }
  })
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

interface NamedField {
  label: string
  write: AuditField['write']
}

/** A field that has no name, such as a model in a price table, is called as it is stored. */
function fieldOf(
  { target_kind: kind, target_id: id, action }: AuditEntry,
  name: string,
  { t, visit }: Facts,
): NamedField {
  if (kind === 'option' && isOptionKey(id))
    return { label: name === 'value' ? optionLabel(id, visit) : name, write: writerOf(id, name) }
  // The fields of a switched key are their masks.
  if (action === 'channel.switch_key' && name !== 'enabled_keys') return { label: name, write: channelStatus }
  const field = fields[kind]?.[name]
  return field ? { label: t(field.label), write: field.write } : { label: name, write: plain }
}

function writerOf(option: OptionKey, name: string): AuditField['write'] {
  const { secret: isSecret, choices, widget } = catalog[option]
  if (isSecret) return secret
  if (name !== 'value') return plain
  if (units[option] === 'settings.unit_quota') return quota
  if (widget === 'flag') return flag
  return choices ? (value, { t }) => t(`settings.choice_${value}` as MessageKey) : plain
}
