/** Leases: of all nodes one runs a job. It renews its lease meanwhile; the lease of a dead node is free again. */
import { and, eq, gte, lt, lte, ne, or, sql } from 'drizzle-orm'
import { db } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { now } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { onShutdown } from '../process/shutdown.ts'
import { store } from '../process/stores.ts'
import { databaseTime, HEARTBEAT_SECONDS, leaseStart, NODE_ID } from './node.ts'
import { jobs } from './table.ts'

interface RunningJob {
  done: Promise<unknown>
  abort: AbortController
}

const running = store('jobs', new Map<string, RunningJob>())

/** SQLite has one process: a job that does not run here does not run. */
const isFree = dialect === 'sqlite' ? undefined : or(eq(jobs.node, ''), lt(jobs.seen_time, leaseStart))

/**
 * Takes the lease of a job and runs it in the background.
 * @param run its signal is aborted when the lease is lost or the process stops
 * @param every_seconds the lease is refused when the last run started less than this ago
 * @returns whether the lease was taken
 */
export function startJob(
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  every_seconds = 0,
): Promise<boolean> {
  if (running.has(name)) return Promise.resolve(false)
  const abort = new AbortController()
  const taken = takeLease(name, every_seconds)
  const done = taken
    .then(isTaken => (isTaken ? runWithLease(name, run, abort) : undefined))
    .catch(error => log.error('job failed', { name, reason: reason(error) }))
    .finally(() => running.delete(name))
  running.set(name, { done, abort })
  return taken
}

/** Starts a job, after its run on this node if there is one: that may be past what has to be done. */
export async function startJobNext(name: string, run: (signal: AbortSignal) => Promise<void>) {
  const current = running.get(name)
  if (!current) return void (await startJob(name, run))
  const next = () => (current.abort.signal.aborted ? undefined : startJob(name, run))
  const isLogged = () => undefined
  current.done = current.done.then(next).catch(isLogged)
}

async function runWithLease(name: string, run: (signal: AbortSignal) => Promise<void>, abort: AbortController) {
  const timer = setInterval(() => void renewLease(name, abort), HEARTBEAT_SECONDS * 1000)
  try {
    await run(abort.signal)
  } finally {
    clearInterval(timer)
    await endLease(name)
  }
}

/** Whether this node runs the job. */
export const runsHere = (name: string): boolean => running.has(name)

/** Resolves when no job runs on this node. */
export const jobsDone = () => Promise.all([...running.values()].map(({ done }) => done))

async function takeLease(name: string, every_seconds: number): Promise<boolean> {
  const row = { node: NODE_ID, seen_time: databaseTime, started_time: now() }
  // A start in the future means that the clock was set back: the job is due.
  const isDue = or(lte(jobs.started_time, now() - every_seconds), sql`${jobs.started_time} > ${now()}`)
  const taken = await db
    .insert(jobs)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: jobs.name, set: row, setWhere: and(isFree, isDue) })
    .returning({ name: jobs.name })
  return taken.length > 0
}

/** Whether any node runs the job. */
export async function isJobRunning(name: string): Promise<boolean> {
  if (dialect === 'sqlite') return running.has(name)
  const alive = and(eq(jobs.name, name), ne(jobs.node, ''), gte(jobs.seen_time, leaseStart))
  return (await db.select({ name: jobs.name }).from(jobs).where(alive)).length > 0
}

const isOwn = (name: string) => and(eq(jobs.name, name), eq(jobs.node, NODE_ID))

async function renewLease(name: string, abort: AbortController) {
  try {
    const renewed = await db.update(jobs).set({ seen_time: databaseTime }).where(isOwn(name)).returning()
    if (!renewed.length) abort.abort()
  } catch (error) {
    log.warn('lease not renewed', { name, reason: reason(error) })
  }
}

const endLease = async (name: string) => void (await db.update(jobs).set({ node: '' }).where(isOwn(name)))

onShutdown('intake', () => {
  for (const { abort } of running.values()) abort.abort()
})
onShutdown('flush', () => Promise.all([...running.keys()].map(endLease)))
