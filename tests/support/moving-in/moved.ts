/** A Tollgate that another gateway moves into by the command. */
import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MoveReport } from '../../../src/contracts/moving-in.ts'
import { dialect } from '../../../src/db/dialect.ts'
import type { Installation } from '../app/installation.ts'
import { newFolder, run } from '../app/server.ts'

export async function moved(
  place: Installation,
  from: string,
  ...more: string[]
): Promise<MoveReport & { out: string }> {
  const folder = newFolder()
  const { code, out, err } = await run(['import', from, '--report', folder, ...more], place)
  expect([code, err]).toEqual([0, ''])
  return { ...JSON.parse(readFileSync(join(folder, 'tollgate-import.json'), 'utf8')), out }
}

/** PostgreSQL gives 64-bit numbers as texts. */
export const rowsOf = async (place: Installation, query: string) =>
  ((await place.read(query)) as Record<string, unknown>[]).map(row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, /^-?\d+$/.test(String(value)) ? Number(value) : value]),
    ),
  )

const TABLES = {
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
  postgres: "select table_name as name from information_schema.tables where table_schema = 'public'",
}

/** A digest of each table, whatever the order of its rows. */
export async function everythingIn(place: Installation): Promise<Record<string, string>> {
  const tables = (await place.read(TABLES[dialect])) as { name: string }[]
  const digests: Record<string, string> = {}
  for (const { name } of tables) {
    const rows = (await place.read(`select * from "${name}"`)).map(row => JSON.stringify(row)).sort()
    digests[name] = new Bun.CryptoHasher('sha256').update(rows.join('\n')).digest('hex')
  }
  return digests
}
