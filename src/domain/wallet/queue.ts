/** Group commit: calls that end in the same tick, or while a transaction runs, share the next transaction. */
import { atomic } from '../../db/atomic.ts'
import { isTransientError } from '../../db/transient-error.ts'
import { stopwatch } from '../../process/clock.ts'
import { log, reason } from '../../process/log.ts'
import { onReset } from '../../process/stores.ts'
import { charged } from './charged.ts'
import type { EndedCall } from './ended-call.ts'
import { observeCommit } from './metrics.ts'
import { reservations } from './reservations.ts'
import { type CommittedBills, commitBills } from './settle.ts'

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
/** A longer commit is stuck: no new reservations until it is done. */
const STUCK_MS = 2000
/** A commit counts as stuck only this long after it was found so: after a pause of the process, pending I/O runs first. */
const CONFIRM_MS = 100

const waiting: QueuedCall[] = []
let work: Promise<void> | undefined
let sinceCommit: (() => number) | undefined
let sinceFoundStuck: (() => number) | undefined
onReset('wallet-queue', () => {
  waiting.length = 0
  work = sinceCommit = sinceFoundStuck = undefined
})

/** Resolves after the commit, however long the database is unavailable. Rejects only what it will never take. */
export function enqueue(call: EndedCall): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.push({ call, waited: stopwatch(), resolve, reject })
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
export const allCommitted = async () => work

export const uncommitted = (): readonly EndedCall[] => waiting.map(({ call }) => call)

async function flush() {
  while (waiting.length) {
    sinceCommit = stopwatch()
    sinceFoundStuck = undefined
    const group = waiting.slice(0, GROUP_MAX)
    await commit(group)
    waiting.splice(0, group.length)
  }
  sinceCommit = work = undefined
}

/** Tries again, every 25 ms to 1 s, while the database is locked, full or unreachable. */
async function commit(group: readonly QueuedCall[]): Promise<void> {
  const calls = group.map(({ call }) => call)
  for (let pause_ms = RETRY_FIRST_MS; ; pause_ms = Math.min(pause_ms * 2, RETRY_LAST_MS)) {
    const elapsed = stopwatch()
    try {
      const committed = await atomic(tx => commitBills(tx, calls))
      observeCommit(
        elapsed(),
        group.map(({ waited }) => waited()),
      )
      return ended(group, committed)
    } catch (error) {
      if (!isTransientError(error)) return refused(group, error)
      log.warn('bills cannot be written; trying again', { waiting: waiting.length, reason: reason(error) })
      await Bun.sleep(pause_ms)
    }
  }
}

function ended(group: readonly QueuedCall[], { balances }: CommittedBills) {
  reservations.forget(group.map(({ call }) => call))
  for (const { resolve } of group) resolve()
  charged.announce(balances)
}

/** Finds the calls of a group that the database refuses. */
async function refused(group: readonly QueuedCall[], error: unknown): Promise<void> {
  if (group.length > 1) for (const call of group) await commit([call])
  else await giveUp(group[0]!, error)
}

/** Drops first the log row and the record, then the bill of a call that the database refuses, so that the rest is committed. */
async function giveUp({ call, waited, resolve, reject }: QueuedCall, error: unknown): Promise<void> {
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
}
