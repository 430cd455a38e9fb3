/** Fills an empty database from a dump: all of it, or nothing. */
import { checkKeyMark, type Manifest, UnusableDump } from './format.ts'
import type { DumpTable, Place } from './place.ts'
import { buildIndexes, postponeIndexes } from './postponed-indexes.ts'
import { readDump } from './read-dump.ts'
import { isKnown, migratePlace } from './schema.ts'

/** Reads the dump to its end without writing. @throws UnusableDump */
export const checkDump = (file: string, engine: Place['engine']): Promise<Manifest> =>
  readDump(file, { start: manifest => checkManifest(file, manifest, engine), rows: () => {} })

function checkManifest(file: string, manifest: Manifest, engine: Place['engine']) {
  if (!isKnown(engine, manifest.migration))
    throw new UnusableDump(
      `${file} is newer than this program (Tollgate ${manifest.version}, ${manifest.migration}); use a newer Tollgate`,
    )
  checkKeyMark(manifest)
}

/**
 * The tables are made as the dump has them, filled, and then brought up to date: migrations also change rows. What the
 * place held before is deleted. @returns the number of rows
 */
export async function restoreInto(place: Place, file: string): Promise<number> {
  await place.clear()
  let made: DumpTable[] = []
  let rows = 0
  const manifest = await readDump(file, {
    async start(manifest) {
      await migratePlace(place, manifest.migration)
      await postponeIndexes(place)
      made = await place.tables()
      checkTables(file, manifest, made)
    },
    async rows(table, lines) {
      await place.insert(asMade(made, table), lines)
      rows += lines.length
    },
  })
  await buildIndexes(place)
  await place.setSequences(manifest.sequences)
  await migratePlace(place)
  return rows
}

function checkTables(file: string, manifest: Manifest, made: DumpTable[]) {
  const columnsOf = ({ name, columns }: DumpTable) => `${name}(${columns.map(column => column.name).sort()})`
  const [dumped, expected] = [manifest.tables, made].map(tables => new Set(tables.map(columnsOf)))
  const [other] = [...dumped!.symmetricDifference(expected!)]
  if (other) throw new UnusableDump(`${file} is damaged: its tables are not those of ${manifest.migration}: ${other}`)
}

/** The columns in the dump's order with the types of this engine. */
function asMade(made: DumpTable[], table: DumpTable): DumpTable {
  const own = made.find(({ name }) => name === table.name)!
  const columns = table.columns.map(({ name }) => own.columns.find(column => column.name === name)!)
  return { ...own, columns }
}
