/** Several queries, all or none. The body is a generator, so nothing but queries can be waited for inside it. */
import { type AnyColumn, asc, type SQL, type Table } from 'drizzle-orm'
import { databaseUnavailable } from '../contracts/refusal.ts'
import { type Db, db, type Tx } from './database.ts'
import { dialect } from './dialect.ts'

/** A built drizzle query: awaitable anywhere, runnable inside `atomic`. */
export type Query<T> = PromiseLike<T>
export type Work<T> = (tx: Tx) => Generator<Query<any>, T, any>

/** Inside `atomic`: `const rows = yield* run(tx.select().from(users))`. */
export function* run<T>(query: Query<T>): Generator<Query<T>, T, unknown> {
  return (yield query) as T
}

/** A hand-written statement as a query for `run`: only for what drizzle cannot build. */
export const rawQuery = <Row = unknown>(tx: Tx, statement: SQL): Query<Row[]> =>
  dialect === 'sqlite' ? ({ all: () => (tx as any).all(statement) } as any) : (tx as any).execute(statement)

/**
 * The rows that fit, as they are now: whoever else is about to change them waits until the end. Everyone who changes
 * several takes them in the order of their ids, so that no two wait for each other. SQLite lets nobody else in anyway.
 */
export function* lock<Rows extends Table & { id: AnyColumn }>(tx: Tx, table: Rows, where: SQL | undefined) {
  const rows = (tx as any).select().from(table).where(where).orderBy(asc(table.id))
  return yield* run<Rows['$inferSelect'][]>(dialect === 'sqlite' ? rows : rows.for('no key update'))
}

const BUSY_RETRIES = 100
const BUSY_PAUSE_MS = 50

/** Commits when the body returns, rolls back when it throws. Waits off the loop while another process holds SQLite. */
export const atomic = <T>(work: Work<T>): Promise<T> => (dialect === 'sqlite' ? onSqlite(work) : onPostgres(work))

/** The same one after another and not as one: for looking into a database that must not be written. */
export const withoutTransaction = async <T>(work: Work<T>): Promise<T> =>
  dialect === 'sqlite' ? atOnce(db, work) : oneByOne(db, work)

async function onSqlite<T>(work: Work<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return inOneTick(work)
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === BUSY_RETRIES) throw databaseUnavailable()
      await Bun.sleep(BUSY_PAUSE_MS)
    }
  }
}

/** Runs a whole transaction without leaving this tick: bun:sqlite would commit at the first await. */
const inOneTick = <T>(work: Work<T>): T =>
  db.transaction(tx => atOnce(tx as unknown as Db, work), { behavior: 'immediate' })

function atOnce<T>(tx: Tx, work: Work<T>): T {
  const body = work(tx)
  let step = body.next()
  while (!step.done) step = body.next((step.value as any).all())
  return step.value
}

const onPostgres = <T>(work: Work<T>): Promise<T> => (db as any).transaction((tx: Tx) => oneByOne(tx, work))

async function oneByOne<T>(tx: Tx, work: Work<T>): Promise<T> {
  const body = work(tx)
  let step = body.next()
  while (!step.done) step = body.next(await step.value)
  return step.value
}

/** Whether a failed statement only met another process's lock. */
const isBusy = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code?.startsWith('SQLITE_BUSY') || (cause !== undefined && isBusy(cause))
}
