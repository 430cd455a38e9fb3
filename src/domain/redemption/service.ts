/** Redemption codes as administrators manage them: each change leaves one entry in the audit log. */
import { and, eq, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { AuditAction, AuditEntry } from '../../contracts/audit-log.ts'
import {
  type CodeEdit,
  type CodeSwitch,
  codeFields,
  isUsedUp,
  type NewCodes,
  type Redemption,
  RedemptionStatus,
} from '../../contracts/redemption.ts'
import { notFound, Refusal } from '../../contracts/refusal.ts'
import { digest, seal } from '../../crypto/sealing.ts'
import { atomic, lock, run } from '../../db/atomic.ts'
import { atomicUnless } from '../../db/atomic-unless.ts'
import { db, type Tx } from '../../db/database.ts'
import { count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { changedFields, recordChange, stillHolds } from '../audit-log/index.ts'
import { codeOf } from './list.ts'
import { nameOfQuota } from './name.ts'
import { type RedemptionRow, redemptions } from './table.ts'
import { tailOf } from './tail.ts'

export interface CreatedCode {
  id: number
  key: string
}

/**
 * Creates `count` codes with equal settings, or none.
 * @param key of a request that may be repeated
 * @throws Refusal 400 for invalid settings or a key that exists
 */
export function createCodes(actor: Actor, wanted: NewCodes, key?: RepeatKey): Promise<CreatedCode[]> {
  const once = { user_id: actor.id, action: 'redemption.create', key, body: wanted }
  return atomicUnless(keyTaken, tx => oncePerKey(tx, once, tx => insert(tx, actor, wanted)))
}

const keyTaken = () => badField('redemption.key_taken', 'key')

function* insert(tx: Tx, actor: Actor, { count: copies, key: own_key, ...settings }: NewCodes) {
  checkPeriod(settings)
  const name = settings.name || nameOfQuota(settings.quota)
  const keys = Array.from({ length: copies }, () => own_key || crypto.randomUUID().replaceAll('-', ''))
  const rows = keys.map(key => ({
    ...{ ...settings, name, key_sealed: seal(key), key_hash: digest(key), key_tail: tailOf(key) },
    ...{ user_id: actor.id, created_time: now() },
  }))
  const inserted = yield* run(tx.insert(redemptions).values(rows).returning())
  inserted.sort((a, b) => a.id - b.id)
  yield* record(tx, actor, 'redemption.create', inserted, {}, { ...codeFields.of(inserted[0]!), count: copies })
  const keyOf = new Map(rows.map((row, index) => [row.key_hash, keys[index]!]))
  return inserted.map(({ id, key_hash }) => ({ id, key: keyOf.get(key_hash)! }))
}

/** Changes the given fields of an unused code. @throws Refusal 400, 404, or `redemption.only_unused_edited` */
export async function editCode(actor: Actor, { id, ...changes }: CodeEdit): Promise<Redemption> {
  await atomic(function* (tx) {
    const before = yield* lockedCode(tx, id)
    if (before.status !== RedemptionStatus.unused) throw new Refusal('redemption.only_unused_edited')
    const after = { ...before, ...changes }
    checkPeriod(after, before)
    checkUses(before, after)
    const status = isUsedUp(after) ? RedemptionStatus.used : RedemptionStatus.unused
    yield* run(
      tx
        .update(redemptions)
        .set({ ...codeFields.of(after), status })
        .where(eq(redemptions.id, id)),
    )
    yield* record(tx, actor, 'redemption.edit', [after], codeFields.of(before), codeFields.of(after))
  })
  return codeOf(id)
}

/** @throws Refusal 404, or `redemption.used_final` */
export async function switchCode(actor: Actor, { id, status }: CodeSwitch): Promise<Redemption> {
  await atomic(function* (tx) {
    const before = yield* lockedCode(tx, id)
    if (before.status === RedemptionStatus.used) throw new Refusal('redemption.used_final')
    if (before.status === status) return
    yield* setStatus(tx, actor, before, status)
  })
  return codeOf(id)
}

/** Takes back disabling and enabling, of codes that no later change and no use has reached. @returns the number of codes */
export const undoCodeChanges = (actor: Actor, entries: AuditEntry[]): Promise<number> =>
  atomic(function* (tx) {
    const ids = entries.map(entry => Number(entry.target_id))
    const rows = new Map((yield* lock(tx, redemptions, among(inArray(redemptions.id, ids)))).map(row => [row.id, row]))
    let undone = 0
    for (const entry of entries) {
      const row = rows.get(Number(entry.target_id))
      if (!row || !(yield* stillHolds(tx, entry, row))) continue
      yield* setStatus(tx, actor, row, Number(entry.before.status))
      undone++
    }
    return undone
  })

/** Whether an entry of the audit log has the status of one code, and nothing else. */
export const isCodeChangeUndoable = (entry: AuditEntry): boolean => changedFields(entry).join() === 'status'

function* setStatus(tx: Tx, actor: Actor, before: RedemptionRow, status: number) {
  yield* run(tx.update(redemptions).set({ status }).where(eq(redemptions.id, before.id)))
  const action = status === RedemptionStatus.disabled ? 'redemption.disable' : 'redemption.enable'
  yield* record(tx, actor, action, [before], { status: before.status }, { status })
}

/** Disables the unused ones among these codes, with an entry each, so that each can be taken back. @returns their number */
export const disableCodes = (actor: Actor, ids: number[]): Promise<number> =>
  atomic(function* (tx) {
    const rows = yield* lock(tx, redemptions, among(and(inArray(redemptions.id, ids), isUnused)))
    for (const row of rows) yield* setStatus(tx, actor, row, RedemptionStatus.disabled)
    return rows.length
  })

/** Their uses and credits stay, and their keys stay taken. @returns the number of deleted codes */
export const deleteCodes = (actor: Actor, ids: number[]) => deleteAll(actor, inArray(redemptions.id, ids))
export const deleteCodesNamed = (actor: Actor, name: string) => deleteAll(actor, isNamed(name))
/** Deletes disabled and used codes. */
export const deleteDisabledCodes = (actor: Actor) => deleteAll(actor, isDone)

export const countCodesNamed = (name: string) => countCodes(isNamed(name))
/** Counts disabled and used codes. */
export const countDisabledCodes = () => countCodes(isDone)

const isNamed = (name: string) => eq(redemptions.name, name)
const isUnused = eq(redemptions.status, RedemptionStatus.unused)
const isDone = ne(redemptions.status, RedemptionStatus.unused)
const among = (wanted: SQL | undefined) => and(wanted, isNull(redemptions.deleted_time))

async function countCodes(wanted: SQL): Promise<number> {
  const [all] = await db.select({ total: count() }).from(redemptions).where(among(wanted))
  return all!.total
}

const deleteAll = (actor: Actor, wanted: SQL) => changeAll(actor, 'redemption.delete', wanted, { deleted_time: now() })

/** @returns the number of changed codes */
function changeAll(actor: Actor, action: AuditAction, wanted: SQL | undefined, values: Partial<RedemptionRow>) {
  return atomic(function* (tx) {
    const rows = yield* lock(tx, redemptions, among(wanted))
    if (!rows.length) return 0
    yield* run(tx.update(redemptions).set(values).where(among(wanted)))
    const [first] = rows
    const before = rows.length === 1 ? { ...codeFields.of(first!), status: first!.status } : { count: rows.length }
    yield* record(tx, actor, action, rows, before, {})
    return rows.length
  })
}

function* lockedCode(tx: Tx, id: number) {
  const [code] = yield* lock(tx, redemptions, among(eq(redemptions.id, id)))
  if (!code) throw notFound('redemption.not_found')
  return code
}

type Settings = ReturnType<typeof codeFields.of>

/** @throws Refusal 400 for a period that ends before it starts, or whose new end is past */
function checkPeriod({ valid_from, valid_until }: Settings, before?: Settings) {
  if (valid_until === 0) return
  if (valid_from >= valid_until) throw badField('redemption.period_reversed', 'valid_until')
  if (valid_until !== before?.valid_until && valid_until <= now())
    throw badField('redemption.period_past', 'valid_until')
}

/** @throws Refusal 400 for what the uses of a code forbid */
function checkUses({ used_count, is_gift }: RedemptionRow, after: RedemptionRow) {
  if (used_count > 0 && after.is_gift !== is_gift) throw badField('redemption.kind_fixed', 'is_gift')
  if (after.max_uses > 0 && after.max_uses < used_count)
    throw badField('redemption.max_uses_below', 'max_uses', { used: used_count })
}

type BadField = `redemption.${'key_taken' | 'period_reversed' | 'period_past' | 'kind_fixed' | 'max_uses_below'}`
const badField = (code: BadField, field: string, params = {}) => new Refusal(code, params, 400, field)

function* record(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  rows: RedemptionRow[],
  before: Record<string, unknown>,
  after: Record<string, unknown>,
) {
  const target = { kind: 'redemption', id: idsText(rows.map(row => row.id)), name: commonName(rows) }
  yield* recordChange(tx, actor, { action, target, before, after })
}

/** `7`, or `7–106` for codes among these ids. */
const idsText = (ids: number[]): string => (ids.length === 1 ? String(ids[0]) : `${ids[0]}–${ids.at(-1)}`)

const commonName = ([first, ...others]: RedemptionRow[]): string =>
  others.every(({ name }) => name === first!.name) ? first!.name : ''
