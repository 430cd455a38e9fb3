/** The one timer: what is done again and again, by one node at a time. */
import { startJob } from '../cluster/leases.ts'
import { log, reason } from '../process/log.ts'
import { atEnd } from '../process/shutdown.ts'
import type { Job } from './job.ts'
import { refreshBalancesJob } from './refresh-balances.ts'
import { testChannelsJob } from './test-channels.ts'

const jobs: Job[] = [testChannelsJob, refreshBalancesJob]

const TICK_MS = 30_000
const SECONDS_PER_MINUTE = 60

export function startClock() {
  const timer = setInterval(() => void tick(), TICK_MS)
  atEnd(async () => clearInterval(timer))
}

/** Begins what is due. */
export async function tick() {
  for (const { name, every_minutes, work } of jobs) {
    const minutes = every_minutes()
    if (!minutes) continue
    try {
      await startJob(name, work, minutes * SECONDS_PER_MINUTE)
    } catch (error) {
      log.warn('a job was not begun', { name, reason: reason(error) })
    }
  }
}
