/** Checks that the installation's secret unseals its database. */
import { asc, desc } from 'drizzle-orm'
import { unseal } from '../crypto/sealing.ts'
import { db } from '../db/database.ts'
import { channels } from '../domain/channels/index.ts'
import { tokens } from '../domain/tokens/index.ts'
import { StartupError } from '../process/shutdown.ts'

/**
 * Under another secret no key could be unsealed, and new rows would be lost when the right secret is back.
 * @throws StartupError when neither the oldest nor the newest sealed rows can be unsealed
 */
export async function checkSecretKey() {
  const sealed = (await Promise.all([samplesOf(tokens), samplesOf(channels)])).flat()
  if (sealed.length && !sealed.some(canUnseal))
    throw new StartupError('this database was encrypted with another secret key; set SECRET_KEY, or restore secret.key')
}

async function samplesOf(table: typeof tokens | typeof channels): Promise<string[]> {
  const read = (order: typeof asc) =>
    db.select({ sealed: table.key_sealed }).from(table).orderBy(order(table.id)).limit(1)
  return (await Promise.all([read(asc), read(desc)])).flat().map(row => row.sealed)
}

function canUnseal(sealed: string): boolean {
  try {
    unseal(sealed)
    return true
  } catch (error) {
    if (error instanceof StartupError) throw error
    return false
  }
}
