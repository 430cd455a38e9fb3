/** The table of docs/glossary.md: term, meaning, path. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'

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

test('every path of the glossary exists', () => {
  expect(rows.filter(({ path }) => !existsSync(path))).toEqual([])
})
