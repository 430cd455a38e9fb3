/** Facts of the running system, for the diagnostics page. */
import { postedJobs } from '../../cluster/job-board.ts'
import { jobLeases, runsHere, startJobNext } from '../../cluster/leases.ts'
import { NODE_ID } from '../../cluster/node.ts'
import { nodeFacts } from '../../cluster/node-state.ts'
import { redisLatency_ms } from '../../cluster/redis.ts'
import type { BackupFacts, Diagnostics, JobFacts, ShownWarning } from '../../contracts/diagnostics.ts'
import { Refusal } from '../../contracts/refusal.ts'
import { databaseAnswers, databaseFacts } from '../../db/database-server.ts'
import { env } from '../../env.ts'
import { stopwatch } from '../../process/clock.ts'
import { lastWarnings, type Warning } from '../../process/last-warnings.ts'
import { readingsOf } from '../../process/metrics/registry.ts'
import { storeSizes } from '../../process/stores.ts'
import { unixSeconds } from '../../pure/time.ts'
import { backupState, TEST_BACKUP } from '../backups/index.ts'
import { callQueue } from '../routing/index.ts'
import { oldestHold_seconds } from '../wallet/index.ts'
import { lastAudit } from './self-audit.ts'

const CACHES_MAX = 20
const QUEUED_USERS_MAX = 50

export async function diagnostics(): Promise<Diagnostics> {
  const [nodes, facts, latency_ms, redis, oldest_hold_seconds, jobs, pool, lag, settling] = await Promise.all([
    nodeFacts(),
    databaseFacts(),
    databaseLatency_ms(),
    env.REDIS_URL ? redisLatency_ms().then(latency_ms => ({ latency_ms })) : undefined,
    oldestHold_seconds(),
    jobFacts(),
    readingsOf('tollgate_db_pool'),
    readingsOf('tollgate_changes_lag_seconds'),
    readingsOf('tollgate_settle_queue'),
  ])
  const states = Array.from(pool, ([labels, count]) => [labels.slice('state="'.length, -1), count] as const)
  return {
    nodes,
    database: { ...facts, latency_ms, pool: states.length ? Object.fromEntries(states) : undefined },
    redis,
    changes_lag_seconds: lag.get(''),
    settle_queue: settling.get('') ?? 0,
    queued: callQueue.size,
    queue: callQueue.users().slice(0, QUEUED_USERS_MAX),
    oldest_hold_seconds,
    jobs,
    caches: storeSizes()
      .filter(({ entries }) => entries > 0)
      .sort((one, other) => other.entries - one.entries)
      .slice(0, CACHES_MAX),
    warnings: lastWarnings().map(shown),
    audit: lastAudit(),
    backup: backupFacts(jobs),
  }
}

function backupFacts(jobs: JobFacts[]): BackupFacts | undefined {
  const state = backupState()
  if (!state) return undefined
  const { ok, error, shipped_ms, last_snapshot_ms, last_test, gap } = state
  return {
    ...{ ok, error },
    newest_time: shipped_ms && unixSeconds(shipped_ms),
    snapshot_time: last_snapshot_ms && unixSeconds(last_snapshot_ms),
    gap: gap && { from: unixSeconds(gap.from_ms), to: gap.to_ms && unixSeconds(gap.to_ms) },
    is_testing: jobs.some(({ name, holder }) => name === TEST_BACKUP && holder !== undefined),
    last_test: last_test && { at: unixSeconds(last_test.at_ms), error: last_test.error },
  }
}

async function databaseLatency_ms(): Promise<number> {
  const elapsed = stopwatch()
  await databaseAnswers()
  return elapsed()
}

async function jobFacts(): Promise<JobFacts[]> {
  const leases = new Map((await jobLeases()).map(lease => [lease.name, lease]))
  return postedJobs().map(({ name, scope, every, succeeded }) => {
    const lease = leases.get(name)
    const seconds = every()
    const last_time = scope === 'node' ? succeeded() : lease?.started_time || undefined
    return {
      name,
      every: seconds,
      is_of_node: scope === 'node',
      last_time,
      next_time: seconds && last_time !== undefined ? last_time + seconds : undefined,
      holder: lease?.node || (runsHere(name) ? NODE_ID : undefined),
    }
  })
}

/** Starts a job now, after its run on this node if there is one. @throws Refusal 404 for one that is not run under a lease */
export async function runJobNow(name: string) {
  const job = postedJobs().find(one => one.name === name)
  if (!job?.run) throw new Refusal('diagnostics.no_job', { name }, 404)
  await startJobNext(name, job.run)
}

const shown = ({ at_ms, level, message, fields }: Warning): ShownWarning => {
  const tail = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`))
  return { at: Math.floor(at_ms / 1000), level, text: [message, ...tail].join(' ') }
}
