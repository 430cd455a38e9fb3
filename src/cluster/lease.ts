/**
 * The lease of one run of a job, which one node of all has at a time. Each taking has a number of its own, the fence: a
 * node that was paused while another took the lease knows by it that its own is lost.
 */
import { and, eq, lt, lte, or, sql } from 'drizzle-orm'
import { rawQuery, run } from '../db/atomic.ts'
import { db, type Tx } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { now } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { databaseTime, leaseStart, NODE_ID } from './node.ts'
import { jobs } from './table.ts'

/** SQLite has one process: a job that does not run here does not run. */
const isFree = dialect === 'sqlite' ? undefined : or(eq(jobs.node, ''), lt(jobs.seen_time, leaseStart))

export class Lease {
  readonly #abort = new AbortController()
  /** 0 until the lease is taken. */
  #fence = 0

  constructor(private readonly name: string) {}

  /** Aborted when the lease is lost or the process stops. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  abort() {
    this.#abort.abort()
  }

  /**
   * @param every_seconds the lease is refused when the last run started less than this ago
   * @returns whether the lease was taken
   */
  async take(every_seconds: number): Promise<boolean> {
    const row = { node: NODE_ID, seen_time: databaseTime, started_time: now() }
    // A start in the future means that the clock was set back: the job is due.
    const isDue = or(lte(jobs.started_time, now() - every_seconds), sql`${jobs.started_time} > ${now()}`)
    const set = { ...row, fence: sql`${jobs.fence} + 1` }
    const [taken] = await db
      .insert(jobs)
      .values({ name: this.name, ...row, fence: 1 })
      .onConflictDoUpdate({ target: jobs.name, set, setWhere: and(isFree, isDue) })
      .returning({ fence: jobs.fence })
    this.#fence = taken?.fence ?? 0
    return taken !== undefined
  }

  /** Whether this run has the lease now. What must not be written without it asks in its transaction: `keep`. */
  async holds(): Promise<boolean> {
    if (this.signal.aborted) return false
    if (dialect === 'sqlite') return true
    const found = await db.select({ name: jobs.name }).from(jobs).where(this.#isOwn)
    if (!found.length) this.abort()
    return found.length > 0
  }

  /** No other node gets the lease before the end of the transaction. @throws Error where one has it already */
  *keep(tx: Tx) {
    if (dialect === 'sqlite') return
    const found = yield* run(rawQuery(tx, sql`select 1 from ${jobs} where ${this.#isOwn} for share`))
    if (found.length) return
    this.abort()
    throw new Error(`the lease of ${this.name} is lost`)
  }

  async renew() {
    try {
      const renewed = await db.update(jobs).set({ seen_time: databaseTime }).where(this.#isOwn).returning()
      if (!renewed.length) this.abort()
    } catch (error) {
      log.warn('lease not renewed', { name: this.name, reason: reason(error) })
    }
  }

  async end() {
    await db.update(jobs).set({ node: '' }).where(this.#isOwn)
  }

  get #isOwn() {
    return and(eq(jobs.name, this.name), eq(jobs.node, NODE_ID), eq(jobs.fence, this.#fence))
  }
}
