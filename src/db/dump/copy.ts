/** Copies one database into another one, table by table, and goes on where a run before has stopped. */
import { digest } from '../../crypto/sealing.ts'
import { StartupError } from '../../process/shutdown.ts'
import { UnusableDatabase } from '../database.ts'
import { differenceOf, type Figures, figuresOf } from './figures.ts'
import type { DumpTable, Place } from './place.ts'
import { buildIndexes, postponeIndexes } from './postponed-indexes.ts'
import { appliedMigrations, hasUsers, lastMigration, markUnfinished, migratePlace, unfinishedMove } from './schema.ts'

/** @throws UnusableDatabase when the source is older than this program, or empty */
export async function checkSource(source: Place) {
  if ((await appliedMigrations(source)).at(-1) !== lastMigration(source.engine))
    throw new UnusableDatabase(`${source.name} is older than this program; run tollgate migrate`)
  if (!(await hasUsers(source))) throw new UnusableDatabase(`${source.name} has no users: there is nothing to move`)
}

/**
 * An unfinished copy of the same rows is continued, one of others begun anew: in between the source was used.
 * @returns the figures of the source. @throws StartupError for a target in use
 */
export async function prepareTarget(source: Place, target: Place): Promise<Figures> {
  const begun = await unfinishedMove(target)
  if (!begun && (await hasUsers(target)))
    throw new StartupError(`${target.name} has users already; a move needs an empty database`)
  const figures = await figuresOf(source, await source.tables())
  const identity = digest(JSON.stringify(figures))
  if (begun === identity) return figures
  await target.clear()
  await migratePlace(target)
  await postponeIndexes(target)
  await markUnfinished(target, identity)
  return figures
}

/**
 * @param done receives each table with the rows that this run has copied
 * @throws StartupError when a figure differs at the end
 */
export async function copyRows(
  source: Place,
  target: Place,
  figures: Figures,
  done: (table: string, rows: number) => void,
) {
  const made = await target.tables()
  for (const table of await source.tables()) {
    const own = made.find(({ name }) => name === table.name)!
    done(table.name, await copyTable(source, target, table, typedAs(own, table)))
  }
  await buildIndexes(target)
  await target.setSequences(await source.sequences())
  await target.finish()
  const difference = differenceOf(figures, await figuresOf(target, made))
  if (difference) throw new StartupError(`the copy differs: in ${target.name} ${difference}`)
}

const typedAs = (own: DumpTable, { columns }: DumpTable): DumpTable => ({
  ...own,
  columns: columns.map(({ name }) => own.columns.find(column => column.name === name)!),
})

/** Reads the next rows while those before are written. */
async function copyTable(source: Place, target: Place, table: DumpTable, own: DumpTable): Promise<number> {
  let rows = 0
  let writing: Promise<void> = Promise.resolve()
  for await (const lines of source.read(table, await target.lastKey(own))) {
    await writing
    writing = target.insert(own, lines)
    // Its failure is thrown where it is awaited.
    writing.catch(() => {})
    rows += lines.length
  }
  await writing
  return rows
}
