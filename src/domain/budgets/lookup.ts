/** Budgets as calls find them: most have none, which a look into a set tells. */
import { and, eq } from 'drizzle-orm'
import { cache } from '../../cluster/cache.ts'
import { announce } from '../../cluster/changes.ts'
import { onInvalidation } from '../../cluster/invalidation.ts'
import { BUDGET_OWNERS, type BudgetOwner } from '../../contracts/budget.ts'
import { db, type Tx } from '../../db/database.ts'
import { onReset } from '../../process/stores.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import { type BudgetRow, budgets } from './table.ts'

const CACHE = 'budgets'

/** Who may have budgets, by owner. An owner whose budgets are deleted stays in it. */
type Owners = Record<BudgetOwner, Set<number>>

let owners: Owners | undefined
/** While `owners` are read, what is made meanwhile is added to them. */
let loading: Promise<void> | undefined
/** Grows with each change of budgets that this node hears of. */
let version = 0
const forget = () => {
  owners = loading = undefined
  version += 1
}
onReset('budget-owners', forget)

const keyOf = (owner: BudgetOwner, id: number) => `${owner} ${id}`

const byOwner = cache(CACHE, async (key: string): Promise<BudgetRow[]> => {
  const [owner, id] = key.split(' ') as [BudgetOwner, string]
  return db
    .select()
    .from(budgets)
    .where(and(eq(budgets.owner, owner), eq(budgets.owner_id, Number(id))))
    .orderBy(budgets.id)
})

onInvalidation(CACHE, key => {
  if (key === undefined) return forget()
  version += 1
  const [owner, id] = (key as string).split(' ') as [BudgetOwner, string]
  owners?.[owner].add(Number(id))
})

/** Hears of each change of budgets, on every node. */
export const onBudgetsChanged = (listener: () => void) => onInvalidation(CACHE, listener)

/** Of all budgets, as this node knows them: while it stays the same, so do they. */
export const budgetsVersion = () => version

/** On every node calls see what was made, changed or deleted. */
export const announceBudgets = (tx: Tx, owner: BudgetOwner, owner_id: number) =>
  announce(tx, CACHE, [keyOf(owner, owner_id)])

/** Reads who has budgets, before the first call. */
export function loadOwners(): Promise<void> {
  loading ??= readOwners().finally(() => {
    loading = undefined
  })
  return loading
}

async function readOwners() {
  const found: Owners = { user: new Set(), token: new Set(), channel: new Set() }
  owners = found
  try {
    const rows = await db.selectDistinct({ owner: budgets.owner, id: budgets.owner_id }).from(budgets)
    for (const { owner, id } of rows) found[owner].add(id)
  } catch (error) {
    if (owners === found) owners = undefined
    throw error
  }
}

/** Whether any budget may exist. */
export const areBudgets = (): boolean =>
  !owners || loading !== undefined || BUDGET_OWNERS.some(owner => owners![owner].size > 0)

/** @returns undefined for none, as nearly always */
export type BudgetsOfCall = BudgetRow[] | undefined

/** Budgets of a user and a key that a call of this model counts against. @param token_id 0 for a call without a key */
export function budgetsOfCaller(user_id: number, token_id: number, model: string): Awaitable<BudgetsOfCall> {
  return whenLoaded(() => ofCaller(user_id, token_id, model))
}

const whenLoaded = <T>(then: () => Awaitable<T>): Awaitable<T> =>
  !owners || loading ? loadOwners().then(then) : then()

/** Whether an owner may have budgets. */
export const mayHaveBudgets = (owner: BudgetOwner, owner_id: number): Awaitable<boolean> =>
  whenLoaded(() => !owners || owners[owner].has(owner_id))

/** All budgets of a channel, with its rules. @returns undefined for none */
export const budgetsOfChannel = (channel_id: number): Awaitable<BudgetsOfCall> =>
  whenLoaded(() => (owners && !owners.channel.has(channel_id) ? undefined : byOwner.get(keyOf('channel', channel_id))))

const ofCaller = (user_id: number, token_id: number, model: string): Awaitable<BudgetsOfCall> =>
  chain(ofOwner('user', user_id, model), ofUser =>
    chain(ofOwner('token', token_id, model), ofToken =>
      ofUser && ofToken ? [...ofUser, ...ofToken] : (ofUser ?? ofToken),
    ),
  )

/** Budgets of an owner that a call of this model counts against, without those of single keys. */
export const budgetsOf = (owner: BudgetOwner, owner_id: number, model: string): Awaitable<BudgetsOfCall> =>
  whenLoaded(() => ofOwner(owner, owner_id, model))

function ofOwner(owner: BudgetOwner, owner_id: number, model: string): Awaitable<BudgetsOfCall> {
  if (owners && !owners[owner].has(owner_id)) return undefined
  return chain(byOwner.get(keyOf(owner, owner_id)), rows => countingOf(rows, model))
}

/** Those that a call of a model counts against. @param key_hash of the key of the channel that serves it */
export function countingOf(rows: BudgetRow[], model: string, key_hash = ''): BudgetsOfCall {
  const counts = (budget: BudgetRow) =>
    isOfModel(budget, model) && !budget.per_key && (!budget.key_hash || budget.key_hash === key_hash)
  const counting = rows.every(counts) ? rows : rows.filter(counts)
  return counting.length ? counting : undefined
}

export const isOfModel = ({ models }: BudgetRow, model: string) => !models.length || models.includes(model)
