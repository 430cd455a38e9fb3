// @engine sqlite
/** The table of docs/glossary.md: term, meaning, path. */
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { read } from './support/source/files.ts'

const TERMS_MIN = 40

const glossary = await Bun.file('docs/glossary.md').text()
const rows = [...glossary.matchAll(/^\| (.+?) \| (.+?) \| `(.+?)` \|$/gm)].map(([, term, meaning, path]) => ({
  term: term!,
  meaning: meaning!,
  path: path!,
}))

test('the glossary defines at least 40 terms, each once and in order', () => {
  const terms = rows.map(({ term }) => term.toLowerCase())
  expect(terms.length).toBeGreaterThanOrEqual(TERMS_MIN)
  expect(terms).toEqual([...new Set(terms)].sort((a, b) => a.localeCompare(b, 'en')))
})

test('every line of the glossary table has a term, a meaning and a path', () => {
  expect(glossary.match(/^\| /gm)).toHaveLength(rows.length + 2)
})

test('every term of the glossary occurs in the code or the file names at its path', async () => {
  const found = await Promise.all(rows.map(async row => ({ ...row, occurs: await occursAt(row.term, row.path) })))
  expect(found.filter(({ occurs }) => !occurs).map(({ term, path }) => `${term}: ${path}`)).toEqual([])
})

/** A type is exported there under its name; words may be written together, with hyphens or in the plural. */
async function occursAt(term: string, path: string): Promise<boolean> {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return false
  const files = await read(stat.isFile() ? path : `${path}/**/*.{ts,tsx}`)
  if (/^[A-Z]/.test(term)) {
    const isExported = new RegExp(`^export (?:abstract )?(?:interface|type|class|const) ${term}\\b`, 'm')
    return files.some(({ code }) => isExported.test(code))
  }
  const words = new RegExp(`\\b${term.replaceAll(/[ -]/g, '[ -]?')}(s|es)?\\b`, 'i')
  return files.some(({ path: file, code }) => words.test(plain(`${file} ${code}`)))
}

/** `stored_object` and `storedObject` as words. */
const plain = (text: string) => text.replace(/_/g, ' ').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
