/** Budgets for each key of a channel: a rule makes one for a key when a call first uses that. */
import { and, eq } from 'drizzle-orm'
import { atomic, lock, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { now } from '../../process/clock.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { keyHashOf } from '../stored-objects/index.ts'
import { announceBudgets, type BudgetsOfCall, budgetsOfChannel, countingOf, isOfModel } from './lookup.ts'
import { type BudgetRow, budgets } from './table.ts'

/** Budgets of a channel that a call with one of its keys counts against. */
export const budgetsOfTarget = (channel_id: number, key: string, model: string): Awaitable<BudgetsOfCall> =>
  chain(budgetsOfChannel(channel_id), rows => {
    if (!rows?.some(({ per_key }) => per_key)) return rows && countingOf(rows, model)
    const key_hash = keyHashOf(key)
    const isMade = ({ id }: BudgetRow) => rows.some(one => one.rule_id === id && one.key_hash === key_hash)
    const missing = rows.filter(rule => rule.per_key && isOfModel(rule, model) && !isMade(rule))
    if (!missing.length) return countingOf(rows, model, key_hash)
    return makeFor(missing, key_hash).then(made => countingOf([...rows, ...made], model, key_hash))
  })

const makeFor = (rules: readonly BudgetRow[], key_hash: string): Promise<BudgetRow[]> =>
  atomic(function* (tx) {
    const made: BudgetRow[] = []
    for (const rule of rules) made.push(...(yield* makeOne(tx, rule.id, key_hash)))
    return made
  })

/** Of a rule that was deleted meanwhile there is none. The lock orders it with changes of the rule. */
function* makeOne(tx: Tx, rule_id: number, key_hash: string) {
  const [rule] = yield* lock(tx, budgets, eq(budgets.id, rule_id))
  if (!rule) return []
  const isIt = and(eq(budgets.rule_id, rule_id), eq(budgets.key_hash, key_hash))
  const before = yield* run(tx.select().from(budgets).where(isIt))
  if (before.length) return before
  const { id: _, ...fields } = rule
  const values = { ...fields, per_key: false, rule_id, key_hash, created_time: now() }
  const made = yield* run(tx.insert(budgets).values(values).returning())
  yield* announceBudgets(tx, rule.owner, rule.owner_id)
  return made
}
