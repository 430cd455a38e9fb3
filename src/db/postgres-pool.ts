/**
 * The connections to PostgreSQL. Work waits for one for two seconds at most. Bun's own pool knows neither that limit nor
 * a server that has gone silent: there every statement would wait for as long as the kernel does, a quarter of an hour.
 */
import type { SQL, TransactionSQL } from 'bun'
import { databaseUnavailable } from '../contracts/refusal.ts'
import { stopwatch } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { isOutOfReach, isServerError, isTransientError } from './transient-error.ts'

/** For a connection, or for the return of a server that has just gone. */
const WAIT_TIMEOUT_MS = 2000
const CONNECT_TIMEOUT_SECONDS = 2
/** Firewalls forget what is idle for longer. */
const IDLE_TIMEOUT_SECONDS = 240
const LOOK_MS = 250
/** The other connection is as old as the rest, so that it ends with a host that they are on: it is used so often. */
const PROBE_EVERY_LOOKS = 240
/**
 * Looks without an answer after which the server is asked whether it lives, and those after which it counts as silent.
 * They are counted, not timed: after a pause of this process there is one, and what has arrived meanwhile is read.
 */
const LOOKS = { quiet: 4, silent: 12 } as const
/** A transaction whose process does nothing for so long has been paused: its locks would hold up other nodes. */
const PAUSED_TRANSACTION_MS = 10_000

/** Names a parameter that PgBouncer does not pass on. */
const unsupported = /unsupported startup parameter/

interface Waiter {
  resolve(): void
  reject(error: Error): void
}

/** What drizzle runs a statement by: rows when awaited, lists of values by `values`. */
interface Statement extends PromiseLike<any> {
  values(): Promise<any>
}

interface PoolSettings {
  /** Connections. */
  size: number
  /** Whether statements are prepared by name. */
  prepare: boolean
}

export class PostgresPool {
  #connections: SQL
  /** A connection of its own, by which the server is asked whether it lives. */
  #probe: SQL
  #free: number
  readonly #waiting = new Set<Waiter>()
  /** Pieces of work that wait for an answer. */
  #running = 0
  #looks = 0
  #allLooks = 0
  #isAsking = false
  /** Since the server could not be reached; undefined while it can. */
  #sinceGone: (() => number) | undefined
  #parameters: Record<string, number> = { idle_in_transaction_session_timeout: PAUSED_TRANSACTION_MS }
  readonly #timer: Timer

  constructor(
    private readonly url: string,
    private readonly settings: PoolSettings,
  ) {
    this.#free = settings.size
    this.#connections = this.#open(settings.size)
    this.#probe = this.#open(1)
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  /** A first statement. @throws Error when the server cannot be reached or refuses the process */
  async connect(statement: string): Promise<any[]> {
    try {
      return await this.#connections.unsafe(statement)
    } catch (error) {
      if (!unsupported.test((error as Error).message)) throw error
      this.#parameters = {}
      await this.#connections.close({ timeout: 0 })
      this.#connections = this.#open(this.settings.size)
      this.#probe = this.#open(1)
      return this.#connections.unsafe(statement)
    }
  }

  unsafe(text: string, params?: unknown[]): Statement {
    const rows = () => this.#use(sql => sql.unsafe(text, params as any[]))
    return {
      values: () => this.#use(sql => sql.unsafe(text, params as any[]).values()),
      // biome-ignore lint/suspicious/noThenProperty: as a query of Bun, it runs when it is awaited
      then: (done, failed) => rows().then(done, failed),
    }
  }

  /** Two statements or more without parameters as one transaction, in one round trip. @returns the rows of each */
  atOnce(statements: readonly [string, string, ...string[]]): Promise<[any[], any[], ...any[][]]> {
    return this.#use(sql => sql.unsafe(statements.join(';')).simple())
  }

  begin<T>(work: (tx: TransactionSQL) => Promise<T>): Promise<T> {
    return this.#use(sql => sql.begin(work) as Promise<T>)
  }

  async close() {
    clearInterval(this.#timer)
    for (const waiter of this.#waiting) waiter.reject(databaseUnavailable())
    await Promise.all([this.#connections.close(), this.#probe.close({ timeout: 0 })])
  }

  /** How many connections work and are free, and how many pieces of work wait for one. */
  get states() {
    return { busy: this.settings.size - this.#free, free: this.#free, waiting: this.#waiting.size }
  }

  #open(max: number): SQL {
    return new Bun.SQL(this.url, {
      ...{ max, bigint: false, prepare: this.settings.prepare, connection: this.#parameters },
      ...{ connectionTimeout: CONNECT_TIMEOUT_SECONDS, idleTimeout: max === 1 ? 0 : IDLE_TIMEOUT_SECONDS },
    })
  }

  async #use<T>(work: (sql: SQL) => PromiseLike<T>): Promise<T> {
    if (this.#free > 0 && !this.#sinceGone) this.#free--
    else await this.#turn()
    this.#running++
    const connections = this.#connections
    try {
      const result = await work(connections)
      this.#looks = 0
      return result
    } catch (error) {
      if (isServerError(error)) this.#looks = 0
      // Unless it was another connection, of before the server has returned.
      else if (connections === this.#connections) this.#doubt(error)
      throw error
    } finally {
      this.#running--
      this.#free++
      this.#admit()
    }
  }

  /** @throws Refusal 503 after two seconds, or at once while the server has been gone for longer */
  async #turn(): Promise<void> {
    const rest_ms = WAIT_TIMEOUT_MS - (this.#sinceGone?.() ?? 0)
    if (rest_ms <= 0) throw databaseUnavailable()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { resolve, reject }
    this.#waiting.add(waiter)
    const timer = setTimeout(() => {
      this.#waiting.delete(waiter)
      reject(databaseUnavailable())
    }, rest_ms)
    await promise.finally(() => clearTimeout(timer))
  }

  #admit() {
    if (this.#sinceGone) return
    for (const waiter of this.#waiting) {
      if (this.#free === 0) return
      this.#free--
      this.#waiting.delete(waiter)
      waiter.resolve()
    }
  }

  #look() {
    if (this.#sinceGone) return void this.#ask()
    if (++this.#allLooks % PROBE_EVERY_LOOKS === 0) void this.#ask()
    if (this.#running === 0) {
      this.#looks = 0
      return
    }
    this.#looks++
    if (this.#looks === LOOKS.quiet) void this.#ask()
    if (this.#looks >= LOOKS.silent) this.#leave(new Error('it does not answer'))
  }

  /** A connection has ended, or none can be made. */
  #doubt(error: unknown) {
    if (isOutOfReach(error)) this.#leave(error)
    else if (isTransientError(error)) void this.#ask()
  }

  /** A statement may take long, or wait for a lock: an answer on the other connection is enough. */
  async #ask() {
    if (this.#isAsking) return
    this.#isAsking = true
    const probe = this.#probe
    // Its own connection may have ended long ago: then it makes another one.
    const answer = await answerOf(probe).then(error => (error && !isOutOfReach(error) ? answerOf(probe) : error))
    this.#isAsking = false
    if (probe !== this.#probe) return
    if (!answer) this.#hear()
    else if (!this.#sinceGone && isOutOfReach(answer)) this.#leave(answer)
  }

  #hear() {
    this.#looks = 0
    if (!this.#sinceGone) return
    log.info('PostgreSQL answers again', { after_ms: Math.round(this.#sinceGone()) })
    this.#sinceGone = undefined
    this.#admit()
  }

  /** Gives every connection up: what waits for an answer fails now. */
  #leave(error: unknown) {
    if (!this.#sinceGone) {
      log.error('PostgreSQL cannot be reached', { reason: reason(error), running: this.#running })
      this.#sinceGone = stopwatch()
    }
    this.#looks = 0
    const old = [this.#connections, this.#probe]
    this.#connections = this.#open(this.settings.size)
    this.#probe = this.#open(1)
    for (const sql of old) sql.close({ timeout: 0 }).catch(() => {})
  }
}

/** @returns undefined for a server that answers */
const answerOf = (sql: SQL): Promise<unknown> =>
  sql`select 1`.then(
    () => undefined,
    error => error,
  )
