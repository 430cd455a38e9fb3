// @engine sqlite
/** README and docs: their size, their links, the paths and variables that they name. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { read, type SourceFile } from './support/source/files.ts'

const README_BYTES_MAX = 9216

const documents = [...(await read('*.md')), ...(await read('docs/*.md'))]
const textOf = (path: string) => documents.find(document => document.path === path)!.code

/** Anchors that GitHub gives to the headings of a page. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

/** Links to files of the repository that do not resolve, pictures among them. */
function brokenLinks({ path, code }: SourceFile): string[] {
  return [...code.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].flatMap(([, link]) => {
    const [file = '', anchor] = link!.split('#')
    const target = file ? join(dirname(path), file) : path
    const isFound = existsSync(target) && (!anchor || anchorsOf(textOf(target)).includes(anchor))
    return isFound ? [] : `${path}: ${link}`
  })
}

test('README.md has at most 9 KB', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(README_BYTES_MAX)
})

test('each relative link of README, CHANGELOG and docs resolves', () => {
  expect(documents.length).toBeGreaterThan(10)
  expect(documents.flatMap(brokenLinks)).toEqual([])
})

test('each path that the documents of the code name exists', () => {
  const names = ['README', 'docs/architecture', 'docs/CONTRIBUTING', 'docs/decisions', 'docs/running']
  const missing = names.flatMap(name =>
    [...textOf(`${name}.md`).matchAll(/`((?:src|views|client|tests|docs|drizzle)\/[^`<>*\s]*)`/g)]
      .filter(([, path]) => !existsSync(path!))
      .map(([, path]) => `${name}.md: ${path}`),
  )
  expect(missing).toEqual([])
})

test('docs/running.md names every environment variable, README.md ten of them', async () => {
  const variables = [...(await Bun.file('src/env.ts').text()).matchAll(/^ {4}([A-Z_]+):/gm)]
    .map(([, name]) => name!)
    .filter(name => name !== 'NODE_ENV')
  expect(variables.length).toBeGreaterThan(20)
  expect(variables.filter(name => !textOf('docs/running.md').includes(`\`${name}\``))).toEqual([])
  expect(textOf('README.md').match(/^\| `[A-Z_]+`/gm)).toHaveLength(10)
})

test('each script of package.json is named in README.md or docs/CONTRIBUTING.md, and no other', async () => {
  const { scripts } = (await Bun.file('package.json').json()) as { scripts: Record<string, string> }
  const text = textOf('README.md') + textOf('docs/CONTRIBUTING.md')
  const named = [...text.matchAll(/\bnpm (?:run )?(?!run\b)([a-z:]+)/g)].map(([, name]) => name!)
  const wanted = Object.keys(scripts).filter(name => !name.startsWith('pre'))
  expect([...new Set(named)].sort()).toEqual(wanted.sort())
})
