/**
 * Test files that run one after the other in one process, which evaluates the modules of the product once. Each has its
 * own folder and database, and starts as in a fresh process (`fresh-start.ts`).
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Postgres } from '../postgres/server.ts'
import { testOf, writeEntry } from './entry.ts'
import { plainEnvironment, type Ran, runGroup } from './group.ts'
import type { Job } from './job.ts'
import { type FileReport, readReport } from './report.ts'

export type Result = FileReport & {
  job: Job
  /** What the process printed about a file that failed. */
  trouble: string
  /** The file ended with counts of its own: the process neither crashed nor hung. */
  reported: boolean
}

export type Site = {
  folder: string
  /** With a migrated database of the name `template`. */
  postgres?: Postgres
  /** What every test file finds in its environment besides its own folder and database. */
  settings: Record<string, string>
  print(line: string): void
}

type Settings = Record<string, string>

export const template = 'migrated'
/** Nothing is timed: a slow machine is no failure, only a test that hangs. */
const test_cap_ms = 240_000
const process_cap_seconds = 1200
/** Real clients start anew for each of their scenarios. */
const long_tier_cap_seconds = 3600
/** For each file after the first. */
const further_cap_seconds = 300
/** Names the folders: short, since the paths of sockets may not be long. */
let started = 0

/** @param jobs of different files */
export async function runBatch(jobs: Job[], { folder, postgres, settings }: Site): Promise<Result[]> {
  const home = join(folder, String(++started))
  mkdirSync(home)
  const databases = jobs.filter(job => job.engine === 'postgres').map(databaseOf)
  for (const database of databases) await postgres?.create(database, template)
  const own = jobs.map((job, index) => settingsOf(job, join(home, String(index)), postgres))
  const entries = jobs.map(({ file }, index) => writeEntry(file, own[index]!, home))
  const report = join(home, 'report.xml')
  const first_cap_seconds = settings.TIER === 'long' ? long_tier_cap_seconds : process_cap_seconds
  const cap_seconds = first_cap_seconds + (jobs.length - 1) * further_cap_seconds
  const ran = await runGroup(
    [
      'test',
      ...(jobs.length > 1 ? entries : [resolve(jobs[0]!.file)]),
      '--only-failures',
      `--timeout=${test_cap_ms}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
    ],
    {
      ...plainEnvironment(),
      // As the product runs; React's builds for development take a fifth of the processor of a page.
      NODE_ENV: 'production',
      ...settings,
      ...own[0],
    },
    cap_seconds,
  )
  for (const database of databases) await postgres?.drop(database)
  return resultsOf(jobs, ran, await readReport(report))
}

function settingsOf(job: Job, home: string, postgres?: Postgres): Settings {
  mkdirSync(home)
  const url = job.engine === 'postgres' && postgres ? postgres.url(databaseOf(job)) : 'file::memory:'
  return { TMPDIR: home, DATA_DIR: join(home, 'data'), DATABASE_URL: url, ...(job.waits && { WAITS: 'true' }) }
}

const databaseOf = ({ file, engine }: Job) => `${file} ${engine}`.replace(/[^a-z0-9]+/g, '_')

/** A process that fails without a failed file leaves all its files without counts. */
function resultsOf(jobs: Job[], ran: Ran, report: Map<string, FileReport>): Result[] {
  const missing = jobs.some(job => !report.has(resolve(job.file)))
  const failed = [...report.values()].some(file => file.failed)
  const unclear = ran.hung || (ran.end !== 0 && !failed && !missing)
  return jobs.map(job => {
    const counts = report.get(resolve(job.file))
    if (counts && !unclear) return { job, ...counts, trouble: counts.failed ? troubleOf(job, ran) : '', reported: true }
    const end = ran.hung
      ? `hung, ended after ${Math.round(ran.seconds)} s`
      : `no counts, the process ended with ${ran.end}`
    const seconds = counts?.seconds ?? ran.seconds
    return { job, passed: 0, failed: 1, seconds, trouble: `${end}\n${troubleOf(job, ran)}`, reported: false }
  })
}

/** The part of the output below the name of the file. */
function troubleOf({ file }: Job, { output }: Ran): string {
  const parts = output.split(/^(?=\S+\.test\.tsx?:$)/m)
  return parts.filter(part => testOf(part.slice(0, part.indexOf(':\n'))) === resolve(file)).join('') || output
}
