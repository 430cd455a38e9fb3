/** Jobs under leases: of all nodes one runs a job. It renews its lease meanwhile; the lease of a dead node is free again. */
import { and, eq, gte, ne } from 'drizzle-orm'
import { db } from '../db/database.ts'
import { dialect } from '../db/dialect.ts'
import { log, reason } from '../process/log.ts'
import { onShutdown } from '../process/shutdown.ts'
import { store } from '../process/stores.ts'
import { Lease } from './lease.ts'
import { HEARTBEAT_SECONDS, leaseStart } from './node.ts'
import { jobs } from './table.ts'

/**
 * @param signal aborted when the lease is lost or the process stops
 * @param lease what would be wrong twice is written under it
 */
export type LeasedRun = (signal: AbortSignal, lease: Lease) => Promise<void>

interface RunningJob {
  done: Promise<unknown>
  lease: Lease
}

const running = store('jobs', new Map<string, RunningJob>())

/**
 * Takes the lease of a job and runs it in the background.
 * @param every_seconds the lease is refused when the last run started less than this ago
 * @returns whether the lease was taken
 */
export function startJob(name: string, run: LeasedRun, every_seconds = 0): Promise<boolean> {
  if (running.has(name)) return Promise.resolve(false)
  const lease = new Lease(name)
  const taken = lease.take(every_seconds)
  const done = taken
    .then(isTaken => (isTaken ? runWithLease(run, lease) : undefined))
    .catch(error => log.error('job failed', { name, reason: reason(error) }))
    .finally(() => running.delete(name))
  running.set(name, { done, lease })
  return taken
}

/** Starts a job, after its run on this node if there is one: that may be past what has to be done. */
export async function startJobNext(name: string, run: LeasedRun) {
  const current = running.get(name)
  if (!current) return void (await startJob(name, run))
  const next = () => (current.lease.signal.aborted ? undefined : startJob(name, run))
  const isLogged = () => undefined
  current.done = current.done.then(next).catch(isLogged)
}

async function runWithLease(run: LeasedRun, lease: Lease) {
  const timer = setInterval(() => void lease.renew(), HEARTBEAT_SECONDS * 1000)
  try {
    await run(lease.signal, lease)
  } finally {
    clearInterval(timer)
    await lease.end()
  }
}

/** Of all jobs that have run; a node that is dead holds none. */
export async function jobLeases(): Promise<{ name: string; node: string; started_time: number }[]> {
  const rows = await db.select().from(jobs)
  const alive = await db.select({ name: jobs.name }).from(jobs).where(gte(jobs.seen_time, leaseStart))
  const names = new Set(alive.map(({ name }) => name))
  return rows.map(({ name, node, started_time }) => ({ name, node: names.has(name) ? node : '', started_time }))
}

/** Whether this node runs the job. */
export const runsHere = (name: string): boolean => running.has(name)

/** Resolves when no job runs on this node. */
export const jobsDone = () => Promise.all([...running.values()].map(({ done }) => done))

/** Whether any node runs the job. */
export async function isJobRunning(name: string): Promise<boolean> {
  if (dialect === 'sqlite') return running.has(name)
  const alive = and(eq(jobs.name, name), ne(jobs.node, ''), gte(jobs.seen_time, leaseStart))
  return (await db.select({ name: jobs.name }).from(jobs).where(alive)).length > 0
}

onShutdown('intake', () => {
  for (const { lease } of running.values()) lease.abort()
})
onShutdown('flush', () => Promise.all([...running.values()].map(({ lease }) => lease.end())))
