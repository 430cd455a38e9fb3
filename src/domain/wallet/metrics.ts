/** What settling counts. */
import { histogram, SHORT_SECONDS } from '../../process/metrics/histogram.ts'

const BATCHES = Array.from({ length: 9 }, (_, power) => 2 ** power)

const settleSeconds = histogram('tollgate_settle_seconds', 'From the end of a call to its commit.', [], SHORT_SECONDS)
const settleBatch = histogram('tollgate_settle_batch', 'Ended calls that share a transaction.', [], BATCHES)
const databaseSeconds = histogram(
  'tollgate_db_seconds',
  'Work of the database: commit is a transaction of bills, reserve what a call waits for before it begins.',
  ['kind'],
  SHORT_SECONDS,
)

const MS_PER_SECOND = 1000

export const observeReserve = (ms: number) => databaseSeconds.of('reserve').observe(ms / MS_PER_SECOND)

/** @param commit_ms of the transaction. @param waited_ms of each call, from its end to the commit */
export function observeCommit(commit_ms: number, waited_ms: readonly number[]) {
  databaseSeconds.of('commit').observe(commit_ms / MS_PER_SECOND)
  settleBatch.of().observe(waited_ms.length)
  for (const ms of waited_ms) settleSeconds.of().observe(ms / MS_PER_SECOND)
}
