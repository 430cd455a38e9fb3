/** The last characters of a code, by which it is found: kept beside the sealed code. */
import { asc, eq, isNull } from 'drizzle-orm'
import { CODE_TAIL_LENGTH } from '../../contracts/redemption.ts'
import { unsealedOrBlank } from '../../crypto/sealing.ts'
import { atomic, run } from '../../db/atomic.ts'
import type { Tx } from '../../db/database.ts'
import { redemptions } from './table.ts'

/** Of a short code the end tells too much: it is found by the whole of it alone. */
const LONG_ENOUGH = 4 * CODE_TAIL_LENGTH

export const tailOf = (key: string): string => (key.length < LONG_ENOUGH ? '' : key.slice(-CODE_TAIL_LENGTH))

const BATCH = 500

/** Writes the tails of codes that an earlier version has created. */
export async function fillTails(): Promise<void> {
  while ((await atomic(fillBatch)) === BATCH);
}

function* fillBatch(tx: Tx) {
  const { id, key_sealed, key_tail } = redemptions
  const rows = yield* run(
    tx.select({ id, key_sealed }).from(redemptions).where(isNull(key_tail)).orderBy(asc(id)).limit(BATCH),
  )
  for (const row of rows)
    yield* run(
      tx
        .update(redemptions)
        .set({ key_tail: tailOf(unsealedOrBlank(row.key_sealed)) })
        .where(eq(id, row.id)),
    )
  return rows.length
}
