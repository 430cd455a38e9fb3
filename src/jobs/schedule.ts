/** The only periodic timer: every second it starts the jobs that are due. */
import { postJob } from '../cluster/job-board.ts'
import { type LeasedRun, runsHere, startJob } from '../cluster/leases.ts'
import { env } from '../env.ts'
import { now, now_ms } from '../process/clock.ts'
import { log, reason } from '../process/log.ts'
import { gauges } from '../process/metrics/gauge.ts'
import { isStopping, onShutdown } from '../process/shutdown.ts'
import { store } from '../process/stores.ts'
import { type Job, jobs } from './jobs.ts'

const TICK_MS = 1000
/** How often a node asks for the lease of a cluster job at most; the lease knows when the job last ran on any node. */
const LEASE_REQUEST_SECONDS = 30

/** Unix seconds of the last run on this node that has succeeded, by job. */
const succeeded = store('job-successes', new Map<string, number>())
gauges(
  'tollgate_job_last_success_timestamp',
  'End of the last successful run on this node, in Unix seconds.',
  ['job'],
  () => Array.from(succeeded, ([name, at]) => [[name], at] as const),
)

const lastStart_ms = store('schedule', new Map<string, number>())
const running = store('node-jobs', new Set<string>())

/** A node that relays is spared what one node does for all: there is a node with a console beside it. */
const ofThisNode = jobs.filter(({ scope }) => scope === 'node' || env.ROLE !== 'relay')

/** Each job starts for the first time when its interval has passed. */
export function startSchedule() {
  for (const { name } of ofThisNode) lastStart_ms.set(name, now_ms())
  const timer = setInterval(() => void tick(), TICK_MS)
  onShutdown('flush', () => clearInterval(timer))
}

/** Starts what is due; resolves when leases are taken or refused, not when jobs end. */
export async function tick() {
  for (const job of ofThisNode) {
    const seconds = typeof job.every === 'number' ? job.every : job.every()
    // A run that takes longer than its interval is followed by the next one at once.
    if (!seconds || !isDue(job, seconds) || runsHere(job.name)) continue
    lastStart_ms.set(job.name, now_ms())
    if (job.scope === 'node') void runHere(job)
    else if (!isStopping()) await requestLease(job, seconds)
  }
}

/** A clock that is set back delays a job by one interval at most. */
function isDue({ name, scope }: Job, seconds: number): boolean {
  const interval = scope === 'node' ? seconds : Math.min(seconds, LEASE_REQUEST_SECONDS)
  // A tick may come a little early: without the tolerance what is due each second would wait for every other one.
  return Math.abs(now_ms() - (lastStart_ms.get(name) ?? 0)) >= interval * 1000 - TICK_MS / 2
}

async function requestLease({ name, run }: Extract<Job, { scope: 'cluster' }>, seconds: number) {
  const noted: typeof run = (...args) => run(...args).then(() => void succeeded.set(name, now()))
  try {
    await startJob(name, noted, seconds)
  } catch (error) {
    log.warn('lease not requested', { name, reason: reason(error) })
  }
}

for (const { name, scope, every, run } of jobs)
  postJob({
    ...{ name, scope },
    every: () => (typeof every === 'number' ? every : every()),
    succeeded: () => succeeded.get(name),
    run: scope === 'cluster' ? (run as LeasedRun) : undefined,
  })

const shutdown = new AbortController()
onShutdown('intake', () => shutdown.abort())

/** A run that takes longer than its interval is not joined by a second one. */
async function runHere({ name, run }: Extract<Job, { scope: 'node' }>) {
  if (running.has(name)) return
  running.add(name)
  try {
    await run(shutdown.signal)
    succeeded.set(name, now())
  } catch (error) {
    log.warn('job failed', { name, reason: reason(error) })
  } finally {
    running.delete(name)
  }
}
