/** Opens the place that an address names. */
import { resolve } from 'node:path'
import { IN_MEMORY, UnusableDatabase } from '../database.ts'
import type { Access, Place } from './place.ts'
import { postgresPlace } from './postgres-place.ts'
import { sqlitePlace } from './sqlite-place.ts'

export const isPostgres = (address: string) => address.startsWith('postgres')
export const pathIn = (address: string) => address.slice('file:'.length)

/** Two addresses with the same one are of the same database. */
export const identityOf = (address: string) =>
  isPostgres(address) ? new URL(address).host + new URL(address).pathname : resolve(pathIn(address))

/** @param address as in DATABASE_URL. @throws UnusableDatabase */
export async function openPlace(address: string, access: Access): Promise<Place> {
  if (address === IN_MEMORY) throw new UnusableDatabase('a database in memory belongs to one process')
  return isPostgres(address) ? postgresPlace(address, access) : sqlitePlace(pathIn(address), access)
}
