/** The audit log: written in the transaction of the change itself, read newest first. */
import { and, desc, eq, gte, inArray, lt, lte, or } from 'drizzle-orm'
import type { Actor } from '../../contracts/actor.ts'
import type { AuditAction, AuditEntry, AuditFilter } from '../../contracts/audit-log.ts'
import type { Listing, Paging } from '../../contracts/paging.ts'
import { run } from '../../db/atomic.ts'
import { batchesOf } from '../../db/batches.ts'
import { db, type Tx } from '../../db/database.ts'
import { contains, count } from '../../db/fragments.ts'
import { now } from '../../process/clock.ts'
import { auditLog } from './table.ts'

interface AdministrativeChange {
  action: AuditAction
  target: { kind: string; id: string | number; name?: string }
  /** Fields before and after. Equal ones are left out, and a blank one equals an absent one. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** Fields whose values are not written: `changed` stands for them. */
  secrets?: readonly string[]
  /** Blank values are recorded, so that the values before can be written back. */
  exact?: boolean
}

/** An edit that changes no field leaves no entry. */
export function* recordChange(tx: Tx, actor: Actor, change: AdministrativeChange) {
  const { action, target, before = {}, after = {}, secrets = [], exact = false } = change
  const textOf = exact ? exactText : looseText
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    name => textOf(before, name) !== textOf(after, name),
  )
  if (!names.length && change.before && change.after) return
  const only = (values: Record<string, unknown>) =>
    Object.fromEntries(
      names
        .filter(name => textOf(values, name) !== textOf({}, name))
        .map(name => [name, secrets.includes(name) ? 'changed' : values[name]]),
    )
  yield* run(
    tx.insert(auditLog).values({
      created_time: now(),
      actor_id: actor.id,
      actor_name: actor.username,
      action,
      target_kind: target.kind,
      target_id: String(target.id),
      target_name: target.name ?? '',
      before: only(before),
      after: only(after),
      address: actor.address,
      request_id: actor.request_id,
    }),
  )
}

/** @returns undefined for a field that is absent */
const exactText = (values: Record<string, unknown>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? JSON.stringify(values[name]) : undefined

/** A blank value equals an absent one. */
export const looseText = (values: Record<string, unknown>, name: string) => JSON.stringify(values[name] ?? '')

/** The entries about some targets of one kind, newest first. */
export async function listChangesOf(
  kind: string,
  ids: readonly string[],
  { page, size, offset }: Paging,
): Promise<Listing<AuditEntry>> {
  const condition = and(eq(auditLog.target_kind, kind), inArray(auditLog.target_id, ids))
  const rows = await select(condition).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(auditLog).where(condition)
  return { items: rows as AuditEntry[], total: all!.total, page, page_size: size }
}

export async function changeById(id: number): Promise<AuditEntry | undefined> {
  const [row] = await select(eq(auditLog.id, id))
  return row as AuditEntry | undefined
}

/** One page, newest first. */
export async function listChanges(filter: AuditFilter, { page, size, offset }: Paging): Promise<Listing<AuditEntry>> {
  const condition = conditionOf(filter)
  const rows = await select(condition).limit(size).offset(offset)
  const [all] = await db.select({ total: count() }).from(auditLog).where(condition)
  return { items: rows as AuditEntry[], total: all!.total, page, page_size: size }
}

/** Every match, newest first, in batches. */
export const walkChanges = (filter: AuditFilter): AsyncGenerator<AuditEntry[]> =>
  batchesOf(async (last, size) => {
    const rows = await select(and(conditionOf(filter), last && lt(auditLog.id, last.id))).limit(size)
    return rows as AuditEntry[]
  })

const select = (condition: ReturnType<typeof conditionOf>) =>
  db.select().from(auditLog).where(condition).orderBy(desc(auditLog.id))

const conditionOf = ({ action, actor, keyword, start_timestamp, end_timestamp }: AuditFilter) =>
  and(
    action && eq(auditLog.action, action),
    actor ? eq(auditLog.actor_name, actor) : undefined,
    keyword ? or(contains(auditLog.target_name, keyword), eq(auditLog.target_id, keyword)) : undefined,
    start_timestamp === undefined ? undefined : gte(auditLog.created_time, start_timestamp),
    end_timestamp === undefined ? undefined : lte(auditLog.created_time, end_timestamp),
  )
