/**
 * `npm test`: brings what the tests need, then runs every test file but those of the long tier, on SQLite, on PostgreSQL
 * or on both, and closes with the line `N passed, N failed`. `npm run test:long` runs all of them, those without a mark
 * on both engines, and with more looks of each page. Files that only call the application share processes; the others
 * have a process of their own. `npm test -- tests/console/tokens.test.ts tests/relay` runs a part, of either tier.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from './support/app/server.ts'
import { setUp, setUpTemplate } from './support/app/site.ts'
import { bringPackages } from './support/debian-packages.ts'
import { startPostgres } from './support/postgres/server.ts'
import { type Site, template } from './support/runner/batch.ts'
import { closeGroups, plainEnvironment, textOf } from './support/runner/group.ts'
import { type Engine, findJobs, type Tier } from './support/runner/job.ts'
import { nameOf, runRounds } from './support/runner/rounds.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-'))
chmodSync(folder, 0o711)
const site: Site = { folder, settings: {}, print: line => process.stdout.write(line) }

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => cleanUp().finally(() => process.exit(130)))

try {
  const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true })
  process.exitCode = (await runAll(positionals, values.long ? 'long' : 'short')) ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await cleanUp()
}

async function runAll(wanted: string[], tier: Tier): Promise<boolean> {
  const jobs = await findJobs(wanted, tier)
  site.settings.TIER = tier
  const onPostgres = jobs.some(job => job.engine === 'postgres')
  const onRedis = jobs.some(job => job.startsRedis)
  const inBrowser = jobs.some(job => job.inBrowser)
  await bringPackages([
    ...(onPostgres ? ['postgres' as const] : []),
    ...(inBrowser ? ['chromium' as const] : []),
    ...(onRedis ? ['redis' as const] : []),
  ])
  await succeed(['src/build-client.ts'])
  await Promise.all([
    ...[jobs.some(job => job.startsProgram) && buildProgram(), onPostgres && openPostgres()],
    jobs.some(job => job.shares && job.engine === 'sqlite') && migrateFile(),
  ])
  const engines = new Set(jobs.filter(job => job.startsProgram).map(job => job.engine))
  await Promise.all(Array.from(engines, setUpOnce))

  const results = await runRounds(jobs, site)
  const failed = results.filter(result => result.failed).map(({ job }) => nameOf(job))
  if (failed.length) site.print(`\nfailed: ${failed.join(', ')}\n`)
  const total = (count: 'passed' | 'failed') => results.reduce((sum, result) => sum + result[count], 0)
  site.print(`\n${total('passed')} passed, ${total('failed')} failed\n`)
  return total('failed') === 0 && total('passed') > 0
}

/** One executable for every process that a test starts: it starts in a third of the time that the sources take. */
async function buildProgram() {
  site.settings.TOLLGATE_PROGRAM = join(folder, 'tollgate')
  site.settings.BUILD_OUTPUT = await succeed(['src/build.ts', site.settings.TOLLGATE_PROGRAM])
}

/** Every file's database is a copy of one that is migrated already. */
async function openPostgres() {
  site.postgres = await startPostgres(folder)
  await site.postgres.create(template)
  await succeed(['src/main.ts', 'migrate'], { DATABASE_URL: site.postgres.url(template) })
}

/** The same of SQLite. */
async function migrateFile() {
  site.settings.MIGRATED_FILE = join(folder, 'migrated.db')
  await succeed(['src/main.ts', 'migrate'], { DATABASE_URL: `file:${site.settings.MIGRATED_FILE}` })
}

/** An installation with root's account: test files that start the program take copies of it. */
async function setUpOnce(engine: Engine) {
  site.settings.SET_UP_FOLDER = join(folder, 'set-up')
  const env: Record<string, string> = {}
  if (engine === 'postgres') {
    await site.postgres!.create(setUpTemplate, template)
    env.DATABASE_URL = site.postgres!.url(setUpTemplate)
  }
  const home = join(site.settings.SET_UP_FOLDER, engine)
  const server = await startServer({ folder: home, env, command: [site.settings.TOLLGATE_PROGRAM!] })
  await setUp(server.url)
  await server.stop()
}

async function succeed(command: string[], more: Record<string, string> = {}): Promise<string> {
  const env = { ...plainEnvironment(), TMPDIR: folder, DATA_DIR: join(folder, 'data'), ...more }
  const child = Bun.spawn([process.execPath, ...command], { env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited])
  if (child.exitCode !== 0) throw new Error(`bun ${command.join(' ')} failed\n${out}${err}`)
  return out
}

async function cleanUp() {
  closeGroups()
  await site.postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
