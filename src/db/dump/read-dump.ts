/** Reads a dump from the beginning to the end, and refuses one that is cut, altered or foreign. */
import { DUMP_FORMAT, type DumpEnd, hashOfLines, type Manifest, type TableEnd, UnusableDump } from './format.ts'
import { BATCH_CHARACTERS, BATCH_ROWS } from './place.ts'

interface Reader {
  /** Receives the manifest before any rows. */
  start(manifest: Manifest): Promise<void> | void
  rows(table: Manifest['tables'][number], lines: string[]): Promise<void> | void
}

/** @throws UnusableDump, and what the reader throws */
export async function readDump(file: string, reader: Reader): Promise<Manifest> {
  const lines = linesOf(file)
  const first = await lines.next()
  const manifest = readManifest(file, first.done ? '' : first.value)
  await reader.start(manifest)
  const whole = hashOfLines().update(`${first.value}\n`)
  for (const table of manifest.tables) {
    const hash = hashOfLines()
    let count = 0
    let batch: string[] = []
    let characters = 0
    const pass = async () => {
      if (!batch.length) return
      const text = `${batch.join('\n')}\n`
      hash.update(text)
      whole.update(text)
      await reader.rows(table, batch)
      count += batch.length
      batch = []
      characters = 0
    }
    for (;;) {
      const next = await lines.next()
      if (next.done) throw cut(file)
      if (next.value.startsWith('{')) {
        await pass()
        const end = parsed<TableEnd>(file, next.value)
        if (end.table !== table.name || end.rows !== count || count !== table.rows || end.sha256 !== hash.digest('hex'))
          throw damaged(file, `the rows of ${table.name} are not those that were written`)
        whole.update(`${next.value}\n`)
        break
      }
      batch.push(next.value)
      characters += next.value.length
      if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await pass()
    }
  }
  const last = await lines.next()
  if (last.done) throw cut(file)
  const end = parsed<DumpEnd>(file, last.value)
  if (end.end !== true || end.sha256 !== whole.digest('hex') || !(await lines.next()).done)
    throw damaged(file, 'its checksum is another one')
  return manifest
}

function readManifest(file: string, line: string): Manifest {
  const manifest = parsed<Manifest>(file, line)
  if (manifest.tollgate_dump > DUMP_FORMAT) throw new UnusableDump(`${file} was written by a newer Tollgate`)
  if (manifest.tollgate_dump !== DUMP_FORMAT || !Array.isArray(manifest.tables)) throw foreign(file)
  return manifest
}

function parsed<T extends object>(file: string, line: string): T {
  try {
    const value = JSON.parse(line)
    if (value !== null && typeof value === 'object') return value
  } catch {
    // Refused below.
  }
  throw damaged(file, 'a line is not JSON')
}

const cut = (file: string) => new UnusableDump(`${file} is cut: its end is missing`)
const damaged = (file: string, how: string) => new UnusableDump(`${file} is damaged: ${how}`)
const foreign = (file: string) => new UnusableDump(`${file} is not a dump of Tollgate`)

const ZSTD_START = '28b52ffd'
const SQLITE_START = Buffer.from('SQLite f').toString('hex').slice(0, ZSTD_START.length)

async function checkStart(file: string) {
  const source = Bun.file(file)
  if (!(await source.exists())) throw new UnusableDump(`there is no file ${file}`)
  const start = Buffer.from(await source.slice(0, ZSTD_START.length / 2).arrayBuffer()).toString('hex')
  if (start === SQLITE_START)
    throw new UnusableDump(
      `${file} is a SQLite database, not a dump: put it in the place of the database, or name it in DATABASE_URL and run tollgate move`,
    )
  if (start !== ZSTD_START) throw foreign(file)
}

/** Whole lines without their ends. A last line without an end is left out: the file is cut. */
async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  await checkStart(file)
  const decoder = new TextDecoder()
  let begun: string[] = []
  try {
    for await (const bytes of Bun.file(file)
      .stream()
      .pipeThrough(new DecompressionStream('zstd' as 'gzip'))) {
      const parts = decoder.decode(bytes, { stream: true }).split('\n')
      if (parts.length === 1) {
        begun.push(parts[0]!)
        continue
      }
      yield begun.join('') + parts[0]
      for (let at = 1; at < parts.length - 1; at++) yield parts[at]!
      begun = [parts.at(-1)!]
    }
  } catch (error) {
    const { message } = error as Error
    throw /unexpected end/.test(message) ? cut(file) : damaged(file, message)
  }
  return undefined
}
