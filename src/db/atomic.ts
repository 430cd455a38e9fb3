/** Transactions on both engines. The body is a generator, so that only queries can be awaited in it. */
import { type AnyColumn, asc, type SQL, sql, type Table } from 'drizzle-orm'
import { databaseUnavailable } from '../contracts/refusal.ts'
import { db, ofDatabase, type Tx } from './database.ts'
import { dialect } from './dialect.ts'

/** A built drizzle query: can be awaited anywhere and run inside `atomic`. */
export type Query<T> = PromiseLike<T>
export type Work<T> = (tx: Tx) => Generator<Query<any>, T, any>

/** Inside `atomic`: `const rows = yield* run(tx.select().from(users))`. */
export function* run<T>(query: Query<T>): Generator<Query<T>, T, unknown> {
  return (yield query) as T
}

/** A statement that drizzle cannot build, as a query for `run`. */
export const rawQuery = <Row = unknown>(tx: Tx, statement: SQL): Query<Row[]> =>
  dialect === 'sqlite' ? ({ all: () => (tx as any).all(statement) } as any) : (tx as any).execute(statement)

/**
 * Reads rows and locks them until the end of the transaction, in the order of their ids: transactions that lock several
 * rows in one order cannot deadlock. SQLite has one writer and needs no row locks.
 */
export function* lock<Rows extends Table & { id: AnyColumn }>(tx: Tx, table: Rows, where: SQL | undefined) {
  const rows = (tx as any).select().from(table).where(where).orderBy(asc(table.id))
  return yield* run<Rows['$inferSelect'][]>(dialect === 'sqlite' ? rows : rows.for('no key update'))
}

/** The numbers are arbitrary. */
const subjects = { migrations: 7655118, options: 7655119, usernames: 7655120 }

/** Transactions about one subject run one after another from here on, over all nodes. SQLite has one writer. */
export function* inTurn(tx: Tx, subject: keyof typeof subjects) {
  if (dialect === 'postgres') yield* run(rawQuery(tx, sql`select pg_advisory_xact_lock(${subjects[subject]})`))
}

const BUSY_RETRIES = 100
const BUSY_PAUSE_MS = 50

/**
 * Commits when the body returns, rolls back when it throws.
 * @throws Refusal 503 when another process holds SQLite for more than 5 s, and every error of the body
 */
export const atomic = <T>(work: Work<T>): Promise<T> => (dialect === 'sqlite' ? onSqlite(work) : onPostgres(work))

/** Runs the queries without a transaction: for reading a database that must not be written. */
export const withoutTransaction = async <T>(work: Work<T>): Promise<T> =>
  dialect === 'sqlite' ? runSync(db, work) : runAsync(db, work)

async function onSqlite<T>(work: Work<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return transactionInTick(work)
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === BUSY_RETRIES) throw databaseUnavailable()
      await Bun.sleep(BUSY_PAUSE_MS)
    }
  }
}

/** Runs the whole transaction in one tick: bun:sqlite commits at the first await. */
function transactionInTick<T>(work: Work<T>): T {
  // As many objects as transactions, so that each has its own effects; all queries go to the one connection.
  const tx: Tx = Object.create(db)
  const result = transaction().immediate(tx, work) as T
  runAfterCommit(tx)
  return result
}

/** drizzle's own wraps every single transaction anew, which costs as much as a statement of it. */
const transaction = ofDatabase(sqlite => sqlite.transaction(runSync<unknown>))

function runSync<T>(tx: Tx, work: Work<T>): T {
  const body = work(tx)
  let step = body.next()
  while (!step.done) step = body.next((step.value as any).all())
  return step.value
}

async function onPostgres<T>(work: Work<T>): Promise<T> {
  let written: Tx | undefined
  const body = async (tx: Tx) => {
    const result = await runAsync(tx, work)
    written = tx
    return result
  }
  try {
    const result = await (db as any).transaction(body)
    runAfterCommit(written!)
    return result
  } catch (error) {
    if (written) afterDoubt(written)
    throw error
  }
}

const DOUBT_MS = 1000

/** The answer to the commit was lost, and it may be done, now or in a moment: forgetting what is cached does no harm. */
function afterDoubt(tx: Tx) {
  runAfterCommit(tx)
  setTimeout(() => runAfterCommit(tx), DOUBT_MS).unref()
}

async function runAsync<T>(tx: Tx, work: Work<T>): Promise<T> {
  const body = work(tx)
  let step = body.next()
  while (!step.done) step = body.next(await step.value)
  return step.value
}

/** What waits for the commit of a transaction. */
const afterCommit = new WeakMap<Tx, (() => void)[]>()

/**
 * Calls `effect` when the transaction has committed, and never when it is rolled back. PostgreSQL: also when that is
 * unknown, since the connection was lost.
 */
export function onCommit(tx: Tx, effect: () => void) {
  const effects = afterCommit.get(tx)
  if (effects) effects.push(effect)
  else afterCommit.set(tx, [effect])
}

function runAfterCommit(tx: Tx) {
  for (const effect of afterCommit.get(tx) ?? []) effect()
}

/** Whether a statement failed on another process's lock. */
const isBusy = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code?.startsWith('SQLITE_BUSY') || (cause !== undefined && isBusy(cause))
}
