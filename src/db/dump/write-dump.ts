/** Writes a dump of a database in use, table by table, in flat memory. */
import { now } from '../../process/clock.ts'
import { VERSION } from '../../pure/version.ts'
import { UnusableDatabase } from '../database.ts'
import { DUMP_FORMAT, type DumpEnd, hashOfLines, keyMark, type Manifest, type TableEnd } from './format.ts'
import { type Place, quoted } from './place.ts'
import { appliedMigrations } from './schema.ts'

/** Size of the text that is compressed at one time. */
const CHUNK_CHARACTERS = 1_000_000
const ZSTD_LEVEL = 3

/** @returns the number of rows. @throws whatever `write` throws, and UnusableDatabase for an empty database */
export async function writeDump(place: Place, write: (bytes: Uint8Array) => void): Promise<number> {
  const output = compressed(write)
  const manifest = await manifestOf(place)
  await output.line(manifest)
  for (const table of manifest.tables) {
    const hash = hashOfLines()
    let rows = 0
    for await (const lines of place.read(table)) {
      rows += lines.length
      const text = `${lines.join('\n')}\n`
      hash.update(text)
      await output.text(text)
    }
    const end: TableEnd = { table: table.name, rows, sha256: hash.digest('hex') }
    await output.line(end)
  }
  const end: DumpEnd = { end: true, sha256: output.sha256() }
  await output.line(end)
  await output.flush()
  return manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
}

async function manifestOf(place: Place): Promise<Manifest> {
  const migration = (await appliedMigrations(place)).at(-1)
  if (!migration) throw new UnusableDatabase(`${place.name} has no tables of Tollgate`)
  const tables: Manifest['tables'] = []
  for (const table of await place.tables()) {
    const [counted] = await place.query(`select cast(count(*) as text) as rows from ${quoted(table.name)}`)
    tables.push({ ...table, rows: Number(counted!.rows) })
  }
  return {
    tollgate_dump: DUMP_FORMAT,
    version: VERSION,
    migration,
    engine: place.engine,
    created_time: now(),
    key_mark: keyMark(),
    sequences: await place.sequences(),
    tables,
  }
}

/** Texts become frames of zstd, which decompress one after another as one text. */
function compressed(write: (bytes: Uint8Array) => void) {
  const hash = hashOfLines()
  let waiting: string[] = []
  let characters = 0
  const flush = async () => {
    const bytes = await Bun.zstdCompress(waiting.join(''), { level: ZSTD_LEVEL })
    waiting = []
    characters = 0
    write(bytes)
  }
  const text = async (text: string) => {
    hash.update(text)
    waiting.push(text)
    characters += text.length
    if (characters >= CHUNK_CHARACTERS) await flush()
  }
  return {
    flush,
    text,
    line: (value: object) => text(`${JSON.stringify(value)}\n`),
    sha256: () => hash.copy().digest('hex'),
  }
}
