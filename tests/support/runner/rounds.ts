/** All test files of a run: first several at a time, then alone what failed beside others. */
import { type Result, runBatch, type Site } from './batch.ts'
import type { Job } from './job.ts'

/** However many cores there are: PostgreSQL has room for the connections of so many files, and each has the time it needs. */
const AT_ONCE_MAX = 8
/** Three times the cores: with twice as many, an eighth of the processor's time was left over. */
const atOnce = Math.min(AT_ONCE_MAX, 3 * navigator.hardwareConcurrency)
/** A longer batch saves little, and what a crash takes with it runs again. */
const BATCH_MAX = 16
/** Each lasts as long as several others. */
const BROWSER_BATCH_MAX = 4
/** The most files that run again alone after they failed beside others: a machine may be shared. */
const AGAIN_MAX = 6
/** The same for files without counts: a crash takes the batch with it. */
const UNREPORTED_AGAIN_MAX = 2 * BATCH_MAX

/** @returns one result for each job, of its last run */
export async function runRounds(jobs: Job[], site: Site): Promise<Result[]> {
  const first = await runTogether(jobs, site)
  const failures = jobs.length > 1 ? first.filter(result => result.failed) : []
  const again = [
    ...failures.filter(result => result.reported).slice(0, AGAIN_MAX),
    ...failures.filter(result => !result.reported).slice(0, UNREPORTED_AGAIN_MAX),
  ].map(({ job }) => ({ ...job, shares: false }))
  if (again.length) site.print('\nAgain, one at a time, what failed beside the others:\n')
  const second = await runQueue(again, site)

  const steady = (one: Result) => second.find(({ job }) => nameOf(job) === nameOf(one.job)) ?? one
  const unsteady = second.filter(result => !result.failed).map(({ job }) => nameOf(job))
  if (unsteady.length) site.print(`\nunsteady, to be mended: ${unsteady.join(', ')}\n`)
  return first.map(steady)
}

export const nameOf = ({ file, engine }: Job) => `${file} (${engine})`

async function runTogether(jobs: Job[], site: Site): Promise<Result[]> {
  const waiting = jobs.filter(job => job.waits)
  const busy = jobs.filter(job => !job.waits)
  const workers = Array.from({ length: atOnce }, () => runQueue(busy, site))
  return (await Promise.all([...waiting.map(job => runQueue([job], site)), ...workers])).flat()
}

/** Takes the jobs out of the queue, which several may share. */
async function runQueue(queue: Job[], site: Site): Promise<Result[]> {
  const results: Result[] = []
  while (queue.length) {
    const batch = await runBatch(takeBatch(queue), site)
    for (const result of batch) site.print(lineOf(result))
    results.push(...batch)
  }
  return results
}

/** Batches become smaller towards the end, so that no worker ends long after the others. */
function takeBatch(queue: Job[]): Job[] {
  const { shares, engine, inBrowser } = queue[0]!
  const other = queue.findIndex(job => !job.shares || job.engine !== engine || job.inBrowser !== inBrowser)
  const like = other < 0 ? queue.length : other
  const size = Math.min(like, inBrowser ? BROWSER_BATCH_MAX : BATCH_MAX, Math.ceil(queue.length / (2 * atOnce)))
  return queue.splice(0, shares ? size : 1)
}

function lineOf({ job, passed, failed, seconds, trouble }: Result) {
  const counts = `${passed} passed${failed ? `, ${failed} failed` : ''}`
  return `${failed ? 'FAIL' : 'ok  '} ${nameOf(job)} ${counts} ${seconds.toFixed(1)} s\n${trouble}`
}
