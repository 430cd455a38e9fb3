/** Opens a foreign database by its address. */
import { foreignAddress } from './address.ts'
import { type ForeignDatabase, foreignDatabase } from './foreign-database.ts'
import { serverDriver } from './server.ts'
import { sqliteDriver } from './sqlite.ts'

/** @throws UnusableDatabase */
export async function openForeign(text: string): Promise<ForeignDatabase> {
  const address = foreignAddress(text)
  return foreignDatabase(await (typeof address === 'string' ? sqliteDriver(address) : serverDriver(address)))
}
