/** A test file on one engine, and what it needs besides its own process. */

export type Engine = 'sqlite' | 'postgres'

export type Job = {
  file: string
  engine: Engine
  /** It waits for timeouts more than it computes: it runs beside the others. */
  waits: boolean
  inBrowser: boolean
  startsProgram: boolean
  /** One process runs it together with others. */
  shares: boolean
}

const isLong = /^tests\/long\//
const isPage = /^tests\/pages\//
/** A line above the code of a test file limits it to one engine. */
const onOneEngine = /^\/\/ @engine (sqlite|postgres)$/m
const waits = /^\/\/ @waits$/m
/** Imported by test files that drive a browser. */
const usesBrowser = /\/support\/browser\//
/** Imported by test files that start the program as a process. */
const startsProgram = /\/(?:support\/(?:app\/(?:server|installation)|clients\/grid)|shots\/demo)\.ts'/
/** Processes and threads of a test file find the settings of the whole process, not those of the file. */
const startsOther = /Bun\.spawn|\bWorker\b|worker_threads/

/**
 * Those that need a process of their own come first, pages before the rest: they take longest, and the others fill the gaps.
 * @param wanted how the paths of the files begin; all files when it is empty
 */
export async function findJobs(wanted: string[]): Promise<Job[]> {
  const files = (await Array.fromAsync(new Bun.Glob('tests/**/*.test.{ts,tsx}').scan())).sort()
  const chosen = wanted.length
    ? files.filter(file => wanted.some(part => file.startsWith(part.replace(/^\.\//, ''))))
    : files.filter(file => !isLong.test(file))
  if (!chosen.length) throw new Error(`no test file begins with ${wanted.join(' or ')}`)
  const jobs = (await Promise.all(chosen.map(async file => jobsOf(file, await Bun.file(file).text())))).flat()
  const rank = ({ file, shares }: Job) => (shares ? 2 : isPage.test(file) ? 0 : 1)
  return jobs.toSorted((one, other) => rank(one) - rank(other) || one.engine.localeCompare(other.engine))
}

export function jobsOf(file: string, code: string): Job[] {
  const one = onOneEngine.exec(code)?.[1] as Engine | undefined
  const needs = { waits: waits.test(code), inBrowser: usesBrowser.test(code), startsProgram: startsProgram.test(code) }
  const shares = !needs.waits && !needs.startsProgram && !isLong.test(file) && !startsOther.test(code)
  const engines: Engine[] = one ? [one] : ['sqlite', 'postgres']
  return engines.map(engine => ({ file, engine, ...needs, shares }))
}
