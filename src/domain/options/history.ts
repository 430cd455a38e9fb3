/** History of options, from the audit log, and undoing one change. */
import type { Actor } from '../../contracts/actor.ts'
import type { AuditEntry } from '../../contracts/audit-log.ts'
import type { OptionEdit } from '../../contracts/option.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { changeById, listChangesOf } from '../audit-log/index.ts'
import { catalog, isOptionKey, type OptionKey } from './catalog.ts'
import { checkUnchanged, optionDigest } from './digests.ts'
import { fieldsOf, isMap, option, setOptions } from './service.ts'

/** One page of the changes of these options, newest first. */
export async function optionHistory(keys: readonly OptionKey[], paging: Paging): Promise<Listing<OptionEdit>> {
  const { items, ...list } = await listChangesOf('option', keys, paging)
  return { ...list, items: items.map(editOf) }
}

function editOf({ id, created_time, actor_id, actor_name, target_id, before, after }: AuditEntry): OptionEdit {
  const key = target_id as OptionKey
  const { secret = false } = catalog[key]
  return {
    id,
    created_time,
    actor_id,
    actor_name,
    key,
    before,
    after,
    secret,
    can_undo: !secret && holds(key, after, before),
  }
}

/**
 * Writes back what one change replaced, as a new change. Of a map, only the entries of that change are written.
 * @throws Refusal 404; 409 for a secret and after a later change; 400 or 403 as every save
 */
export async function undoOption(actor: Actor, id: number): Promise<void> {
  const entry = await changeById(id)
  if (entry?.action !== 'option.change' || !isOptionKey(entry.target_id)) throw notFound()
  const { target_id: key, before, after } = entry
  if (catalog[key].secret) throw new Refusal('option.secret_not_undone', { key }, 409)
  if (!holds(key, after, before)) throw changedSince(key)
  const read = { [key]: optionDigest(key) }
  await setOptions({ [key]: restored(key, before, after) }, actor, tx => checkUnchanged(tx, read))
}

/** Whether a change of the audit log is one of a known option, and not of a secret. */
export const isOptionChangeUndoable = ({ target_kind, target_id: key }: AuditEntry): boolean =>
  target_kind === 'option' && isOptionKey(key) && !catalog[key].secret

/**
 * Takes back what one save has changed, in one commit. Leaves alone what was changed since.
 * @returns the number of options
 * @throws Refusal 400 or 403 as every save
 */
export async function undoOptionChanges(actor: Actor, entries: AuditEntry[]): Promise<number> {
  const known = entries.map(({ target_id, ...entry }) => ({ ...entry, key: target_id as OptionKey }))
  const held = known.filter(({ key, after, before }) => holds(key, after, before))
  const texts = Object.fromEntries(held.map(({ key, before, after }) => [key, restored(key, before, after)]))
  const read = Object.fromEntries(held.map(({ key }) => [key, optionDigest(key)]))
  await setOptions(texts, actor, tx => checkUnchanged(tx, read))
  return held.length
}

const changedSince = (key: OptionKey) => new Refusal('option.changed_since', { key }, 409)

/** Whether the option still has what a change wrote. */
function holds(key: OptionKey, after: AuditEntry['after'], before: AuditEntry['before']): boolean {
  const current = fieldsOf(option(key))
  return namesIn(before, after).every(name => textIn(current, name) === textIn(after, name))
}

const namesIn = (...fields: object[]) => [...new Set(fields.flatMap(Object.keys))]

const textIn = (fields: Record<string, unknown>, name: string): string | undefined =>
  Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : undefined

/** The text of the option with the entries of before the change. @throws Refusal 400 for a value that is no longer valid */
function restored(key: OptionKey, before: AuditEntry['before'], after: AuditEntry['after']): string {
  const value = option(key)
  if (!isMap(value)) return encoded(key, before.value)
  const added = new Set(Object.keys(after).filter(name => !Object.hasOwn(before, name)))
  const kept = Object.entries(value).filter(([name]) => !added.has(name))
  return encoded(key, Object.fromEntries([...kept, ...Object.entries(before)]))
}

function encoded(key: OptionKey, value: unknown): string {
  const { success, data } = catalog[key].schema.safeEncode(value)
  if (!success) throw new Refusal('option.not_usable', { key }, 400, key)
  return data
}
