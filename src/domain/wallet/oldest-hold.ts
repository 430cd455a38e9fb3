/** Since when the oldest reservation of the installation is held. */
import { min } from 'drizzle-orm'
import { momentOfRequest } from '../../crypto/random-id.ts'
import { db } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { now } from '../../process/clock.ts'
import { open } from './reservations.ts'
import { reservations } from './table.ts'

/** @returns seconds, undefined while nothing is held */
export async function oldestHold_seconds(): Promise<number | undefined> {
  const at = dialect === 'sqlite' ? oldestHere() : await oldestRow()
  return at === undefined ? undefined : Math.max(0, now() - at)
}

/** On SQLite reservations are in memory, in the order in which they began. */
function oldestHere(): number | undefined {
  const [first] = open.keys()
  return first === undefined ? undefined : momentOfRequest(first)
}

async function oldestRow(): Promise<number | undefined> {
  const [row] = await db.select({ at: min(reservations.created_time) }).from(reservations)
  return row?.at ?? undefined
}
