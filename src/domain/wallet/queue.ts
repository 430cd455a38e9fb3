/**
 * Group commit: calls that end in the same tick, or while a transaction runs, share the next transaction. PostgreSQL:
 * calls whose rows are locked are left for a later one, and calls with a condition are committed apart.
 */
import { isTransientError } from '../../db/transient-error.ts'
import { stopwatch } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { semaphore } from '../../process/semaphore.ts'
import { onReset } from '../../process/stores.ts'
import { booked } from '../budgets/index.ts'
import { charged } from './charged.ts'
import type { EndedCall } from './ended-call.ts'
import { observeCommit } from './metrics.ts'
import { reservations } from './reservations.ts'
import { settleAlone, settleGroup } from './settle-group.ts'
import { SideBySide } from './side-by-side.ts'

interface QueuedCall {
  /** Milliseconds since its end. */
  waited(): number
  call: EndedCall
  resolve(): void
  reject(error: unknown): void
}

/** Calls per transaction: enough to share its cost, few enough not to block the event loop. */
const GROUP_MAX = 256
const RETRY_FIRST_MS = 25
const RETRY_LAST_MS = 1000
/** PostgreSQL: once calls end side by side, a group waits this long for more of them. */
const GATHER_MS = 10
/** The first group of a burst. */
const GATHER_FIRST_MS = 2
/** Until calls are tried again whose rows are locked, when nothing else waits. */
const LOCKED_PAUSE_MS = 10
/** PostgreSQL: calls that are committed apart at the same time, each on a connection. */
const APART_MAX = 3
/** A longer commit is stuck: no new reservations until it is done. */
const STUCK_MS = 2000
/** A commit counts as stuck only this long after it was found so: after a pause of the process, pending I/O runs first. */
const CONFIRM_MS = 100

let waiting: QueuedCall[] = []
const apart = new Map<QueuedCall, Promise<unknown>>()
const apartTurn = semaphore(APART_MAX)
let work: Promise<void> | undefined
let sinceCommit: (() => number) | undefined
let sinceFoundStuck: (() => number) | undefined
const sideBySide = new SideBySide()
onReset('wallet-queue', () => {
  waiting = []
  apart.clear()
  work = sinceCommit = sinceFoundStuck = undefined
  sideBySide.reset()
})

/** Resolves after the commit, however long the database is unavailable. Rejects only what it will never take. */
export function enqueue(call: EndedCall): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const queued = { call, waited: stopwatch(), resolve, reject }
  if (reservations.durable && call.bill?.condition) {
    apart.set(
      queued,
      apartTurn(() => commitApart(queued)),
    )
    return promise
  }
  waiting.push(queued)
  work ??= new Promise(done => setImmediate(() => done(flush())))
  return promise
}

/** Whether bills pile up because a commit does not return. */
export function isStuck(): boolean {
  if (sinceCommit === undefined || sinceCommit() <= STUCK_MS) return false
  sinceFoundStuck ??= stopwatch()
  return sinceFoundStuck() > CONFIRM_MS
}

/** Resolves when no call waits for its commit. */
export async function allCommitted() {
  while (work || apart.size) await Promise.all([work, ...apart.values()])
}

export const uncommitted = (): readonly EndedCall[] => [...waiting, ...apart.keys()].map(({ call }) => call)

async function flush() {
  if (reservations.durable && sideBySide.isNow) await Bun.sleep(GATHER_FIRST_MS)
  while (waiting.length) {
    sinceCommit = stopwatch()
    sinceFoundStuck = undefined
    const group = waiting.slice(0, GROUP_MAX)
    sideBySide.note(group.length)
    const locked = await commit(group)
    // Behind those that have come meanwhile.
    waiting = [...waiting.slice(group.length), ...locked]
    if (reservations.durable) await gatherMore(locked.length)
  }
  sinceCommit = work = undefined
}

async function gatherMore(locked: number) {
  sinceCommit = undefined
  if (locked && waiting.length === locked) await Bun.sleep(LOCKED_PAUSE_MS)
  else if (waiting.length > 1 && waiting.length < GROUP_MAX) await Bun.sleep(GATHER_MS)
}

/** What a condition reads and writes is its own: it may wait for a lock. */
async function commitApart(queued: QueuedCall) {
  await commit([queued])
  apart.delete(queued)
}

/**
 * Tries again, every 25 ms to 1 s, while the database is locked, full or unreachable.
 * @returns those that wait for a row that is locked
 */
async function commit(group: readonly QueuedCall[]): Promise<QueuedCall[]> {
  const bill = group[0]!.call.bill?.condition ? settleAlone : settleGroup
  const calls = group.map(({ call }) => call)
  for (let pause_ms = RETRY_FIRST_MS; ; pause_ms = Math.min(pause_ms * 2, RETRY_LAST_MS)) {
    const elapsed = stopwatch()
    try {
      const { balances, passed_over = [], windows } = await bill(calls)
      const locked = new Set(passed_over.map(place => group[place]!))
      const settled = locked.size ? group.filter(one => !locked.has(one)) : group
      const waits_ms = settled.map(({ waited }) => waited())
      if (settled.length) observeCommit(elapsed(), waits_ms)
      ended(settled)
      charged.announce(balances)
      if (windows?.length) booked.announce(windows)
      return [...locked]
    } catch (error) {
      if (!isTransientError(error)) return refused(group, error)
      log.warn('bills cannot be written; trying again', { waiting: waiting.length, reason: reason(error) })
      await Bun.sleep(pause_ms)
    }
  }
}

function ended(group: readonly QueuedCall[]) {
  reservations.forget(group.map(({ call }) => call))
  for (const { resolve } of group) resolve()
}

/** Finds the calls of a group that the database refuses. */
async function refused(group: readonly QueuedCall[], error: unknown): Promise<QueuedCall[]> {
  if (group.length === 1) return giveUp(group[0]!, error)
  const locked: QueuedCall[] = []
  for (const call of group) locked.push(...(await commit([call])))
  return locked
}

/** Drops first the log row and the record, then the bill of a call that the database refuses, so that the rest is committed. */
async function giveUp({ call, waited, resolve, reject }: QueuedCall, error: unknown): Promise<QueuedCall[]> {
  const { request_id, user_id, bill, record } = call
  log.error('the database refuses the end of a call', {
    request_id,
    user_id,
    quota: bill?.quota,
    with_log: Boolean(bill?.log),
    reason: reason(error),
  })
  if (bill?.log || record) {
    const bare = { ...call, bill: bill && { ...bill, log: undefined }, record: undefined }
    return commit([{ call: bare, waited, resolve, reject }])
  }
  if (bill) return commit([{ call: { ...call, bill: undefined }, waited, resolve: () => reject(error), reject }])
  reservations.forget([call])
  reject(error)
  return []
}
