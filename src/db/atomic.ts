/** Several queries, all or none. The body is a generator, so nothing but queries can be waited for inside it. */
import type { SQL } from 'drizzle-orm'
import { Refusal } from '../kit/refusal.ts'
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
export const plain = (tx: Tx, statement: SQL): Query<unknown> =>
  dialect === 'sqlite' ? ({ all: () => (tx as any).run(statement) } as any) : (tx as any).execute(statement)

const BUSY_RETRIES = 100
const BUSY_PAUSE_MS = 50

/** Commits when the body returns, rolls back when it throws. Waits off the loop while another process holds SQLite. */
export const atomic = <T>(work: Work<T>): Promise<T> => (dialect === 'sqlite' ? onSqlite(work) : onPostgres(work))

async function onSqlite<T>(work: Work<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return inOneTick(work)
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === BUSY_RETRIES) throw new Refusal('error.database_busy', {}, 503)
      await Bun.sleep(BUSY_PAUSE_MS)
    }
  }
}

/** Runs a whole transaction without leaving this tick: bun:sqlite would commit at the first await. */
function inOneTick<T>(work: Work<T>): T {
  return db.transaction(
    tx => {
      const body = work(tx as unknown as Db)
      let step = body.next()
      while (!step.done) step = body.next((step.value as any).all())
      return step.value
    },
    { behavior: 'immediate' },
  )
}

async function onPostgres<T>(work: Work<T>): Promise<T> {
  return (db as any).transaction(async (tx: Tx) => {
    const body = work(tx)
    let step = body.next()
    while (!step.done) step = body.next(await step.value)
    return step.value
  })
}

/** Whether a failed statement only met another process's lock. */
export const isBusy = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code?.startsWith('SQLITE_BUSY') || (cause !== undefined && isBusy(cause))
}
