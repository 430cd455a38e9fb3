/** Group commit: endings that come while one transaction runs, or in the same tick, share the next. Nothing lingers. */
import { atomic } from '../../db/atomic.ts'
import { isTransientError } from '../../db/transient-error.ts'
import { stopwatch } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { forgetToken } from '../tokens/index.ts'
import type { EndedCall } from './ended-call.ts'
import { reservations } from './reservations.ts'
import { commitBills } from './settle.ts'

interface Waiting extends EndedCall {
  booked(): void
  refused(error: unknown): void
}

/** Enough to share a commit well, few enough not to hold up the loop. */
const GROUP_MAX = 256
const RETRY_FIRST_MS = 25
const RETRY_LAST_MS = 1000
/** A commit that takes longer is stuck: no new spending until it is through. */
const STUCK_MS = 2000
/** It may be we who were stopped for a while: so much later it is still not through, or it was not stuck. */
const DOUBT_MS = 100

const waiting: Waiting[] = []
let work: Promise<void> | undefined
let sinceCommit: (() => number) | undefined
let sinceDoubt: (() => number) | undefined

/** Resolves when it is committed, however long the database cannot. Rejects only what the database will never take. */
export function enqueue(ending: EndedCall): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.push({ ...ending, booked: resolve, refused: reject })
  work ??= new Promise(done => setImmediate(() => done(flush())))
  return promise
}

/** Whether bills pile up because the database does not take them. */
export function isStuck(): boolean {
  if (sinceCommit === undefined || sinceCommit() <= STUCK_MS) return false
  sinceDoubt ??= stopwatch()
  return sinceDoubt() > DOUBT_MS
}

/** Resolves when nothing waits any more. */
export const allCommitted = async () => work

export const uncommitted = (): readonly EndedCall[] => waiting

async function flush() {
  while (waiting.length) {
    sinceCommit = stopwatch()
    sinceDoubt = undefined
    const group = waiting.slice(0, GROUP_MAX)
    await commit(group)
    waiting.splice(0, group.length)
  }
  sinceCommit = work = undefined
}

async function commit(group: readonly Waiting[]): Promise<void> {
  try {
    const exhausted = await untilNoTrouble(() => atomic(tx => commitBills(tx, group)))
    exhausted.forEach(forgetToken)
    reservations.forget(group)
    for (const ending of group) ending.booked()
  } catch (error) {
    if (group.length > 1) for (const ending of group) await commit([ending])
    else await giveUp(group[0]!, error)
  }
}

/** One stops no other, and no part the rest: a bill goes without its log row, an end without its bill. */
async function giveUp(ending: Waiting, error: unknown): Promise<void> {
  const { request_id, user_id, bill } = ending
  log.error('the end of a call could not be booked as it is', {
    request_id,
    user_id,
    quota: bill?.quota,
    with_log: Boolean(bill?.log),
    reason: reason(error),
  })
  if (bill?.log) return commit([{ ...ending, bill: { ...bill, log: undefined } }])
  if (bill) return commit([{ ...ending, bill: undefined, booked: () => ending.refused(error) }])
  reservations.forget([ending])
  ending.refused(error)
}

/** Tries again, off the loop, for as long as the database is locked, full or away. */
async function untilNoTrouble<T>(attempt: () => Promise<T>): Promise<T> {
  for (let pause_ms = RETRY_FIRST_MS; ; pause_ms = Math.min(pause_ms * 2, RETRY_LAST_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTransientError(error)) throw error
      log.warn('the books cannot be written; trying again', { waiting: waiting.length, reason: reason(error) })
      await Bun.sleep(pause_ms)
    }
  }
}
