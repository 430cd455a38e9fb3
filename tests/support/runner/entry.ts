/** What `bun test` runs in place of a test file that comes after others in its process. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ENTRIES = '/entries/'
const freshStart = join(import.meta.dir, 'fresh-start.ts')

/** @returns the path of the entry */
export function writeEntry(file: string, settings: Record<string, string>, home: string): string {
  const path = join(home, ENTRIES, resolve(file))
  const quoted = JSON.stringify
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    `import { startFresh } from ${quoted(freshStart)}
await startFresh(${quoted(settings)})
await import(${quoted(resolve(file))})
`,
  )
  return path
}

/** @returns the absolute path of the test file that an entry, or itself, stands for */
export function testOf(path: string): string {
  const at = path.indexOf(ENTRIES)
  return at < 0 ? resolve(path) : path.slice(at + ENTRIES.length - 1)
}
