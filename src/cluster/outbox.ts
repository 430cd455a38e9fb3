/** Outboxes: rows that wait to be sent. Each is claimed by one sender, tried again with growing pauses, and removed. */
import { type AnyColumn, and, asc, eq, gt, lte, or, type SQL, type Table } from 'drizzle-orm'
import { db } from '../db/database.ts'
import { now, stopwatch } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { semaphore } from '../process/semaphore.ts'
import { isStopping, onShutdown } from '../process/shutdown.ts'

interface WaitingRow {
  id: number
  /** Attempts so far. */
  tries: number
  /** The earliest time of the next attempt. */
  next_time: number
}

type OutboxTable = Table & Record<keyof WaitingRow, AnyColumn>

interface OutboxSettings<Row> {
  /** For the process log: `mail not sent`. */
  name: string
  table: OutboxTable
  tries_max: number
  /** Before the second try; each later pause is twice as long. */
  first_pause_seconds: number
  /** Sent at the same time by this node. */
  senders_max: number
  /** Sends one row, within `CLAIM_SECONDS`. The signal is aborted when the process stops. */
  send(row: Row, stop: AbortSignal): Promise<void>
  /** Whether a failed row can never be sent. */
  isPermanent?(error: unknown): boolean
  /** The reason of a failure in the process log; by default the message of the error and its place. */
  explain?(error: unknown): string
  /** What the process log says of a row that was not sent. */
  factsOf(row: Row): Record<string, string | number>
}

/** Longer than an attempt takes: after that the node of the claim has died. */
const CLAIM_SECONDS = 120
/** A sender that begins later than this after its claim was paused, and leaves the row to the others. */
const BEGIN_MS = 10_000
/** Attempts that run when the process stops have this long to end. */
const SHUTDOWN_MS = 5000

/** Sends what is due until nothing is. Any number of calls and nodes share the work. */
export type SendDue = (signal?: AbortSignal) => Promise<void>

export function outbox<Row extends WaitingRow>(settings: OutboxSettings<Row>): { sendDue: SendDue; stop: AbortSignal } {
  const { name, table, tries_max, first_pause_seconds, senders_max, explain = reason } = settings
  const senders = semaphore(senders_max)
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const pauseAfter = (tries: number) => first_pause_seconds * 2 ** (tries - 1)
  const longest_pause_seconds = Math.max(CLAIM_SECONDS, pauseAfter(tries_max - 1))

  async function sendDue(signal: AbortSignal = stop.signal) {
    const done = senders(() => emptyOut(signal)).catch(error => {
      log.warn(`${name} queue not read`, { reason: reason(error) })
    })
    running.add(done)
    await done
    running.delete(done)
  }

  async function emptyOut(signal: AbortSignal) {
    while (!signal.aborted && !isStopping()) {
      const sinceClaim = stopwatch()
      const row = await claim()
      if (!row) return
      if (sinceClaim() < BEGIN_MS) await attempt(row)
    }
  }

  /** Takes the row that is due for longest. The condition on `tries` gives it to one sender only. */
  async function claim(): Promise<Row | undefined> {
    for (;;) {
      // A row that would wait far longer than any pause is from before the clock was set back. A claim by a node whose
      // clock is ahead is none.
      const isDue = or(lte(table.next_time, now()), gt(table.next_time, now() + 2 * longest_pause_seconds))
      const [due] = await db.select().from(table).where(isDue).orderBy(asc(table.next_time), asc(table.id)).limit(1)
      if (!due) return undefined
      const { id, tries } = due as Row
      const [mine] = await db
        .update(table)
        .set({ tries: tries + 1, next_time: now() + CLAIM_SECONDS } as never)
        .where(and(eq(table.id, id), eq(table.tries, tries), isDue))
        .returning()
      if (mine) return mine as Row
    }
  }

  async function attempt(row: Row) {
    const { id, tries } = row
    try {
      await settings.send(row, stop.signal)
    } catch (error) {
      const isLast = tries >= tries_max || settings.isPermanent?.(error) === true
      log.warn(`${name} ${isLast ? 'given up' : 'not sent'}`, {
        ...settings.factsOf(row),
        tries,
        reason: explain(error),
      })
      // Unless the claim was over: another sender has the row.
      const isMine = and(eq(table.id, id), eq(table.tries, tries))
      return void (await (isLast ? db.delete(table).where(isMine) : postpone(isMine, pauseAfter(tries))))
    }
    await db.delete(table).where(eq(table.id, id))
  }

  const postpone = (isMine: SQL | undefined, seconds: number) =>
    db
      .update(table)
      .set({ next_time: now() + seconds } as never)
      .where(isMine)

  onShutdown('flush', async () => {
    await Promise.race([Promise.all(running), Bun.sleep(SHUTDOWN_MS)])
    stop.abort(new Error('the process stops'))
    await Promise.all(running)
  })
  return { sendDue, stop: stop.signal }
}
