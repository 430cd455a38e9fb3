/** Sums of rolled spans of the site, kept until one of the spans is rolled up again: each dashboard reads them. */
import { store } from '../../process/stores.ts'
import type { UsageSum } from './sums.ts'

interface CachedSums {
  revision: number
  sums: readonly UsageSum[]
}

/** Rows of all sums together: some 10 MB. A dashboard reads some thousand for each thousand users. */
const ROWS_MAX = 50_000

/** By what is summed; the sums that were read last stand at the end. */
const cache = store('cached-sums', new Map<string, CachedSums>())

/** @param key what is summed, and the spans @param read sums it @returns rows to be read only */
export async function cachedSums<Row extends UsageSum>(
  key: string,
  revision: number,
  read: () => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> {
  const before = cache.get(key)
  const sums = before?.revision === revision ? (before.sums as readonly Row[]) : await read()
  cache.delete(key)
  cache.set(key, { revision, sums })
  for (const oldest of cache.keys()) {
    if (rowsCached() <= ROWS_MAX) break
    cache.delete(oldest)
  }
  return sums
}

const rowsCached = () => cache.values().reduce((rows, { sums }) => rows + sums.length, 0)
