/** A test file on one engine, and what it needs besides its own process. */

export type Engine = 'sqlite' | 'postgres'

export type Job = {
  file: string
  engine: Engine
  /** It runs beside the others from the start on: it waits for timeouts more than it computes, or lasts long. */
  waits: boolean
  inBrowser: boolean
  startsProgram: boolean
  startsRedis: boolean
  /** One process runs it together with others. */
  shares: boolean
}

export type Tier = 'short' | 'long'

const isLong = /^tests\/long\//
/** A line above the code: the file runs in the long tier alone. */
const longTier = /^\/\/ @tier long$/m
/** A line above the code of a test file. Without one, it runs on SQLite, and in the long tier on both engines. */
const engineMark = /^\/\/ @engine (sqlite|postgres|both)$/m
const waits = /^\/\/ @waits$/m
/** Imported by test files that drive a browser. */
const usesBrowser = /\/support\/browser\//
const startsRedis = /\/support\/redis\//
/** Imported by test files that start the program as a process. */
const startsProgram = /\/(?:support\/(?:app\/(?:server|installation)|clients\/grid)|shots\/demo)\.ts'/
/** No file after it in its process could call the product: it refuses what comes after its end has begun. */
const endsProduct = /\/process\/shutdown\.ts'/
/** Processes and threads of a test file find the settings of the whole process, not those of the file. */
const startsOther = /Bun\.spawn|\bWorker\b|worker_threads/

/**
 * Those in a browser come first, then those with a process of their own: they take longest, and the others fill the gaps.
 * @param wanted how the paths of the files begin; all files of the tier when it is empty
 */
export async function findJobs(wanted: string[], tier: Tier): Promise<Job[]> {
  const files = (await Array.fromAsync(new Bun.Glob('tests/**/*.test.{ts,tsx}').scan())).sort()
  const chosen = wanted.length
    ? files.filter(file => wanted.some(part => file.startsWith(part.replace(/^\.\//, ''))))
    : files
  if (!chosen.length) throw new Error(`no test file begins with ${wanted.join(' or ')}`)
  const codes = await Promise.all(chosen.map(async file => [file, await Bun.file(file).text()] as const))
  const inTier = codes.filter(([file, code]) => wanted.length || tier === 'long' || !runsLong(file, code))
  const jobs = inTier.flatMap(([file, code]) => jobsOf(file, code, tier))
  const rank = ({ inBrowser, shares }: Job) => (inBrowser ? 0 : 2) + (shares ? 1 : 0)
  return jobs.toSorted((one, other) => rank(one) - rank(other) || one.engine.localeCompare(other.engine))
}

/** In the long tier alone, unless the file is asked for by its path. */
export const runsLong = (file: string, code: string): boolean => isLong.test(file) || longTier.test(code)

export function jobsOf(file: string, code: string, tier: Tier = 'short'): Job[] {
  const mark = engineMark.exec(code)?.[1] ?? (tier === 'long' ? 'both' : 'sqlite')
  const needs = {
    waits: waits.test(code),
    inBrowser: usesBrowser.test(code),
    startsProgram: startsProgram.test(code),
    startsRedis: startsRedis.test(code),
  }
  const isAlone = [startsOther, endsProduct].some(reason => reason.test(code)) || isLong.test(file)
  const shares = !needs.waits && !needs.startsProgram && !isAlone
  const engines = mark === 'both' ? (['sqlite', 'postgres'] as const) : [mark as Engine]
  return engines.map(engine => ({ file, engine, ...needs, shares }))
}
