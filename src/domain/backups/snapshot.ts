/** The whole database in parts: the file of SQLite, which no checkpoint changes meanwhile, or a dump. */
import { dialect } from '../../db/dialect.ts'
import { keyMark } from '../../db/dump/format.ts'
import { SCHEMA } from '../../db/migrate.ts'
import { VERSION } from '../../pure/version.ts'
import { endName, partName, type Snapshot } from './names.ts'
import type { Vault } from './vault.ts'

export interface SnapshotEnd {
  /** Of PostgreSQL it is a dump, of SQLite the file itself. */
  engine: 'sqlite' | 'postgres'
  version: string
  /** The last migration that its program knows. */
  migration: string
  /** By which a wrong secret key is recognised. */
  key_mark: string
  bytes: number
  parts: number
}

export const PART_BYTES = 4_194_304
export const SNAPSHOT_EVERY_MS = 86_400_000

/** @param goesOn false ends it early, without an end */
export async function takeSnapshot(vault: Vault, path: string, of: Snapshot, bytes: number, goesOn: () => boolean) {
  const parts = Math.ceil(bytes / PART_BYTES)
  for (let part = 0; part < parts && goesOn(); part++) {
    const from = part * PART_BYTES
    const slice = await Bun.file(path)
      .slice(from, Math.min(bytes, from + PART_BYTES))
      .bytes()
    await vault.write(partName(of, part), slice)
  }
  if (!goesOn()) return
  const end: SnapshotEnd = { engine: dialect, version: VERSION, migration: SCHEMA, key_mark: keyMark(), bytes, parts }
  await vault.write(endName(of), Buffer.from(JSON.stringify(end)))
}
