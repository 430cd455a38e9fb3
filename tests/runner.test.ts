// @engine sqlite
/** The runner of the tests: what files in one process share, and what it says of those that fail or crash. */
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBatch } from './support/runner/batch.ts'
import { type Engine, findJobs, type Job, jobsOf, runsLong } from './support/runner/job.ts'
import { runRounds } from './support/runner/rounds.ts'

const folder = mkdtempSync(join(tmpdir(), 'runner-'))
afterAll(() => rmSync(folder, { recursive: true }))

const passes = "test('a test passes', () => {})"
const fails = "test('a test fails', () => expect(1).toBe(2))\ntest.skip('a test is skipped', () => {})"
const crashes = "test('a test crashes', () => process.kill(process.pid, 'SIGKILL'))"
const throws = "test('a test passes', () => {})\nPromise.reject(new Error('between tests'))"

/** Leaves behind whatever it can, and fails when something was left to it. */
const leaves = `
const alien = [process.env.LEFT, globalThis.left, process.listenerCount('SIGTERM') || undefined]
test('nothing of a run is left', async () => {
  expect(alien).toEqual([undefined, undefined, undefined])
  expect(process.env.DATA_DIR).toBe(join(tmpdir(), 'data'))
  expect(readdirSync(tmpdir())).not.toContain('left')
  await Bun.write(join(tmpdir(), 'left'), '')
  process.env.LEFT = globalThis.left = process.env.TMPDIR = 'left'
  process.on('SIGTERM', () => {})
  const server = Bun.serve({ port: Number(process.env.PORT_LEFT), fetch: () => new Response() })
})`

describe('the runner of the tests', () => {
  test('a failed file leaves the others of its process passed', async () => {
    const { site } = await siteOf()
    const results = await runBatch([await job('passes', passes), await job('fails', fails)], site)
    expect(results.map(({ passed, failed, reported }) => ({ passed, failed, reported }))).toEqual([
      { passed: 1, failed: 0, reported: true },
      { passed: 0, failed: 2, reported: true },
    ])
    expect(results.map(({ trouble }) => trouble.includes('toBe(expected)'))).toEqual([false, true])
  })

  test('a file that throws between its tests fails', async () => {
    const { site } = await siteOf()
    const results = await runBatch([await job('passes', passes), await job('throws', throws)], site)
    expect(results.map(({ failed, reported }) => [failed, reported])).toEqual([
      [0, true],
      [1, false],
    ])
  })

  test('a crash fails its file alone, and the others of its process pass in the second round', async () => {
    const { site, lines } = await siteOf()
    const others = Array.from({ length: 17 }, (_, index) => job(`passes-${index}`, passes))
    const jobs = [await job('crashes', crashes), ...(await Promise.all(others))]
    const results = await runRounds(jobs, site)
    expect(results.filter(result => result.passed === 1)).toHaveLength(17)
    expect(results.filter(result => result.failed).map(result => result.job.file)).toEqual([jobs[0]!.file])
    expect(lines.filter(line => line.includes('ended with SIGKILL')).length).toBeGreaterThan(2)
    expect(lines.join('')).toContain(`unsteady, to be mended: ${jobs[1]!.file} (sqlite)`)
  })

  test('files in one process share neither settings, folders, listeners nor servers', async () => {
    const { site } = await siteOf()
    const probe = Bun.serve({ port: 0, fetch: () => new Response() })
    site.settings.PORT_LEFT = String(probe.port)
    await probe.stop(true)
    const results = await runBatch(await Promise.all(['one', 'two', 'three'].map(name => job(name, leaves))), site)
    expect(results.map(({ passed, trouble }) => [passed, trouble])).toEqual([
      [1, ''],
      [1, ''],
      [1, ''],
    ])
  })

  test('only files that call the application and leave it running share a process', () => {
    const shares = (path: string, code: string) => jobsOf(path, code).map(job => job.shares)
    expect(shares('tests/relay/a.test.ts', '')).toEqual([true])
    expect(shares('tests/relay/a.test.ts', '// @engine both\n')).toEqual([true, true])
    expect(shares('tests/relay/a.test.ts', '// @waits\n')).toEqual([false])
    expect(shares('tests/long/a.test.ts', '')).toEqual([false])
    expect(shares('tests/pages/a.test.ts', "from '../support/browser/browser.ts'")).toEqual([true])
    expect(shares('tests/pages/a.test.ts', "from '../shots/demo.ts'")).toEqual([false])
    expect(shares('tests/system/a.test.ts', "from '../support/app/server.ts'")).toEqual([false])
    expect(shares('tests/net/a.test.ts', 'Bun.spawn(')).toEqual([false])
    expect(shares('tests/relay/a.test.ts', "from '../../src/process/shutdown.ts'")).toEqual([false])
  })

  test.each([
    ['', ['sqlite'], ['sqlite', 'postgres']],
    ['// @engine both\n', ['sqlite', 'postgres'], ['sqlite', 'postgres']],
    ['// @engine sqlite\n', ['sqlite'], ['sqlite']],
    ['// @engine postgres\n', ['postgres'], ['postgres']],
  ])('a file with the mark %j runs on its engines in each tier', (mark, short, long) => {
    const engines = (tier: 'short' | 'long') => jobsOf('tests/a.test.ts', mark, tier).map(({ engine }) => engine)
    expect([engines('short'), engines('long')]).toEqual([short, long] as Engine[][])
  })

  test('the long tier alone has the files of tests/long, and those that are marked', async () => {
    const longFiles = async (tier: 'short' | 'long') =>
      (await findJobs([], tier)).filter(({ file }) => file.startsWith('tests/long/'))
    expect(await longFiles('short')).toEqual([])
    expect((await longFiles('long')).length).toBeGreaterThan(20)
    expect(['', '// @tier long\n'].map(mark => runsLong('tests/a.test.ts', mark))).toEqual([false, true])
  })
})

async function siteOf() {
  const home = mkdtempSync(join(folder, 'site-'))
  mkdirSync(join(home, 'files'), { recursive: true })
  const lines: string[] = []
  return {
    site: { folder: home, settings: {} as Record<string, string>, print: (line: string) => lines.push(line) },
    lines,
  }
}

async function job(name: string, code: string): Promise<Job> {
  const file = join(folder, `${name}.test.ts`)
  const imports = [
    "import { expect, test } from 'bun:test'",
    "import { readdirSync } from 'node:fs'",
    "import { tmpdir } from 'node:os'",
    "import { join } from 'node:path'",
  ]
  await Bun.write(file, [...imports, code].join('\n'))
  return { ...jobsOf(file, '// @engine sqlite\n')[0]!, shares: true }
}
