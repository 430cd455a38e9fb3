/** Budgets as operators manage them, and users those of their own keys. Each change by an operator is in the audit log. */
import { and, eq, isNull } from 'drizzle-orm'
import { oncePerKey, type RepeatKey } from '../../cluster/idempotency.ts'
import type { Actor } from '../../contracts/actor.ts'
import type { AuditAction } from '../../contracts/audit-log.ts'
import {
  type Budget,
  type BudgetEdit,
  type BudgetOwner,
  isLimit,
  type LimitChange,
  type NewBudget,
} from '../../contracts/budget.ts'
import { forbidden, notFound } from '../../contracts/refusal.ts'
import { atomic, lock } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { recordChange } from '../audit-log/index.ts'
import {
  type BudgetRow,
  budgetRow,
  budgetRowsIn,
  budgetsShown,
  insertBudget,
  removeBudget,
  updateBudget,
} from '../budgets/index.ts'
import { channels } from '../channels/table.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { mayChange } from './authority.ts'

/** An operator, or a user for the own keys alone. */
export type BudgetManager = { actor: Actor } | { user_id: number }

/** @throws Refusal 404 */
export async function listBudgetsFor(manager: BudgetManager, owner: BudgetOwner, owner_id: number): Promise<Budget[]> {
  await atomic(tx => lockedOwner(tx, manager, { owner, owner_id }, false))
  return budgetsShown(owner, owner_id)
}

/** @throws Refusal 404 */
export async function budgetFor(manager: BudgetManager, id: number): Promise<Budget> {
  const row = await atomic(function* (tx) {
    const found = yield* budgetRow(tx, id)
    yield* lockedOwner(tx, manager, found, false)
    return found
  })
  return shownOf(row, id)
}

/** @param key of a request that may be repeated. @throws Refusal 400, 403 above the operator's reach, 404 */
export async function createBudget(manager: BudgetManager, budget: NewBudget, key?: RepeatKey): Promise<Budget> {
  const user_id = 'actor' in manager ? manager.actor.id : manager.user_id
  const { id } = await atomic(tx =>
    oncePerKey(tx, { user_id, action: 'budget.create', key, body: budget }, function* () {
      yield* lockedOwner(tx, manager, budget)
      return yield* make(tx, manager, budget)
    }),
  )
  return shownOf(budget, id)
}

/** @throws Refusal 403 or 404 */
export async function editBudget(manager: BudgetManager, id: number, changes: BudgetEdit): Promise<Budget> {
  const edited = await atomic(function* (tx) {
    const before = yield* budgetRow(tx, id)
    yield* lockedOwner(tx, manager, before)
    return yield* change(tx, manager, before, changes)
  })
  return shownOf(edited, id)
}

/** @throws Refusal 403 or 404 */
export const deleteBudget = (manager: BudgetManager, id: number): Promise<void> =>
  atomic(function* (tx) {
    const before = yield* budgetRow(tx, id)
    yield* lockedOwner(tx, manager, before)
    yield* remove(tx, manager, before)
  })

/**
 * The limit that a form has as a field beside others, in the transaction that saves these. Other budgets stay as they are.
 * Another window is another budget, in which nothing is used yet.
 * @returns undefined when it is unchanged
 */
export function withLimit(manager: BudgetManager, owner: BudgetOwner, limit: LimitChange | undefined) {
  if (!limit) return undefined
  return function* (tx: Tx, owner_id: number) {
    yield* lockedOwner(tx, manager, { owner, owner_id })
    const limits = (yield* budgetRowsIn(tx, owner, owner_id)).filter(isLimit)
    const before = limits.find(({ id }) => id === limit.id) ?? limits[0]
    const { amount, window, zone, name } = limit
    if (before && before.window === window && amount !== undefined) {
      yield* change(tx, manager, before, { amount })
      return
    }
    if (before) yield* remove(tx, manager, before)
    if (amount === undefined) return
    const fixed = { unit: 'quota' as const, refuses: true, per_key: false, models: [], seconds: 0, anchor: 0 }
    const made = { ...fixed, owner, owner_id, name, amount, window, zone: window === 'all' ? '' : zone }
    yield* make(tx, manager, made, 'limit_amount')
  }
}

function* make(tx: Tx, manager: BudgetManager, budget: NewBudget, field?: string) {
  const after = yield* insertBudget(tx, budget, field)
  yield* record(tx, manager, 'budget.create', { after })
  return after
}

function* change(tx: Tx, manager: BudgetManager, before: BudgetRow, changes: BudgetEdit) {
  const after = yield* updateBudget(tx, before, changes)
  yield* record(tx, manager, 'budget.edit', { before, after })
  return after
}

function* remove(tx: Tx, manager: BudgetManager, before: BudgetRow) {
  yield* removeBudget(tx, before)
  yield* record(tx, manager, 'budget.delete', { before })
}

async function shownOf({ owner, owner_id }: Pick<NewBudget, 'owner' | 'owner_id'>, id: number): Promise<Budget> {
  const found = (await budgetsShown(owner, owner_id)).find(budget => budget.id === id)
  if (!found) throw notFound('budget.not_found')
  return found
}

/** Changes of the budgets of one owner come one after another. @throws Refusal 403 or 404 */
function* lockedOwner(
  tx: Tx,
  manager: BudgetManager,
  { owner, owner_id }: Pick<NewBudget, 'owner' | 'owner_id'>,
  changes = true,
) {
  const isOperator = 'actor' in manager
  if (owner === 'channel') {
    const [channel] = isOperator ? yield* lock(tx, channels, eq(channels.id, owner_id)) : []
    if (!channel) throw notFound('budget.not_found')
    return
  }
  const user_id = owner === 'user' ? owner_id : yield* userOf(tx, owner_id)
  if (!isOperator) {
    if (owner === 'user' || user_id !== manager.user_id) throw notFound('budget.not_found')
    return
  }
  const [user] = yield* lock(tx, users, eq(users.id, user_id))
  if (!user) throw notFound('user.not_found')
  if (changes && !mayChange(manager.actor, user)) throw forbidden('user.cannot_update')
}

function* userOf(tx: Tx, token_id: number) {
  const [token] = yield* lock(tx, tokens, and(eq(tokens.id, token_id), isNull(tokens.deleted_time)))
  if (!token) throw notFound('token.not_found')
  return token.user_id
}

type Row = NewBudget & { id: number }

function* record(tx: Tx, manager: BudgetManager, action: AuditAction, change: { before?: Row; after?: Row }) {
  if (!('actor' in manager)) return
  const { id, name } = (change.after ?? change.before)!
  const of = (row: Row | undefined) => row && fieldsOf(row)
  yield* recordChange(tx, manager.actor, {
    action,
    target: { kind: 'budget', id, name },
    ...{ before: of(change.before), after: of(change.after) },
  })
}

function fieldsOf(row: Row) {
  const { name, owner, owner_id, models, unit, amount, window, seconds, anchor, zone, refuses, per_key } = row
  return {
    ...{ name, owner, owner_id, unit, amount, window, refuses, per_key: per_key || '' },
    ...{ models: models.join(', '), seconds: seconds || '', anchor: anchor || '', zone },
  }
}
