// @engine sqlite
/** The rules of docs/architecture.md: imports, circles, names, state, comments, titles. Sizes are Biome's. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { circlesIn, grouped } from './support/source/circles.ts'
import {
  commentsOf,
  importsOf,
  importsWithTypesOf,
  packagesOf,
  read,
  type SourceFile,
  withoutComments,
} from './support/source/files.ts'
import {
  bannedWords,
  bans,
  debtRules,
  debtsOf,
  floors,
  folders,
  importRows,
  namedFiles,
  nounOrder,
  stateWithoutStore,
  typesUpwards,
} from './support/source/law.ts'
import { unnamedState } from './support/source/module-state.ts'

const rowOf = ({ path }: SourceFile) => importRows.find(({ folder }) => folder.test(path))

function straysOf(file: SourceFile): string[] {
  const row = rowOf(file)
  if (!row) return [`${file.path}: has no row`]
  const own = row.folder.exec(file.path)![0]
  return arrows
    .get(file.path)!
    .filter(path => !path.startsWith(own) && !row.allows(path))
    .map(path => `${file.path}: ${path}`)
}

const strayPackagesOf = (file: SourceFile): string[] =>
  packages
    .get(file.path)!
    .filter(name => !rowOf(file)?.packages.includes(name))
    .map(name => `${file.path}: ${name}`)

/** `relay` for src/relay/relay.ts, `main` for src/main.ts, `views` for views/layout/menu.ts. */
const floorNameOf = (path: string) => /^(?:src\/)?(.+?)(?:\/|\.tsx?$)/.exec(path)![1]!
const floorOf = (path: string) => floors.findIndex(line => line.includes(floorNameOf(path)))

/** Whether an import does not lead down: up, or to another folder of the same floor. */
const isClimb = (from: string, to: string): boolean =>
  /^(src|views|client)\//.test(to) && floorNameOf(to) !== floorNameOf(from) && floorOf(to) <= floorOf(from)

const climbsOf = ({ path }: SourceFile): string[] =>
  arrows
    .get(path)!
    .filter(to => isClimb(path, to))
    .map(to => `${path}: ${to}`)

/** Imports of types that do not lead down, or that lead into the browser's code or out of it against its rows. */
function typeClimbsOf(file: SourceFile): { from: string; to: string }[] {
  const { path: from } = file
  const row = rowOf(file)!
  const own = row.folder.exec(from)![0]
  const isStray = (to: string) => !to.startsWith(own) && !row.allows(to)
  const entersOrLeavesBrowser = (to: string) => from.startsWith('client/') || /^(client|views)\//.test(to)
  return importsWithTypesOf(file)
    .filter(to => isClimb(from, to) || (entersOrLeavesBrowser(to) && isStray(to)))
    .map(to => ({ from, to }))
}

const nounOf = (path: string) => /^src\/domain\/([^/]+)\//.exec(path)?.[1]
const rankOf = (noun: string) => (nounOrder.includes(noun) ? nounOrder.indexOf(noun) : nounOrder.length)

function nounsOutOfOrder({ path }: SourceFile): string[] {
  const own = nounOf(path)
  if (!own || rankOf(own) === nounOrder.length) return []
  return arrows
    .get(path)!
    .filter(other => !isTable(other) && isAfter(nounOf(other), own))
    .map(other => `${path}: ${other}`)
}

const isTable = (path: string) => path.endsWith('/table.ts')

/** Imports of a table from the domain that lead to no other table. */
const climbsOfTable = ({ path }: SourceFile): string[] =>
  arrows
    .get(path)!
    .filter(other => nounOf(path) && isTable(path) && nounOf(other) && !isTable(other))
    .map(other => `${path}: ${other}`)

const isAfter = (other: string | undefined, own: string) =>
  other !== undefined && other !== own && rankOf(other) >= rankOf(own)

const unique = (names: string[]) => [...new Set(names)].sort()

/** Names of types by file. A value and a type of one name in one file are one name. */
const typesAfter = (start: string) => {
  const declarations = new RegExp(`^${start}(?:declare )?(?:abstract )?(?:interface|type|class) (\\w+)`, 'gm')
  return ({ path, code }: SourceFile) =>
    [...new Set([...code.matchAll(declarations)].map(([, name]) => name!))].map(name => [name, path] as const)
}
const exportedTypesOf = typesAfter('export ')
const typesOf = typesAfter('(?:export )?')

/** A participle that is the whole name. */
const participle =
  /^([A-Z][a-z]+ed|Found|Sent|Given|Kept|Known|Spent|Held|Written|Chosen|Shown|Won|Lost|Made|Left|Taken|Drawn|Paid|Sold|Bought|Built|Read|Waiting|Sending|Growing)$/

/** Results of pure functions, in the folders of pure code. */
const isMemo = /^src\/(pure|models|formats|providers)\/.*memo$/i

/** Exported type names that a browser or Bun has already. */
const globals = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...'Window Document Element Node Text Image Audio Option Selection Range Comment Attr History Location'.split(' '),
  ...'Screen Notification Animation Touch Lock Cache Plugin'.split(' '),
])

const sources = await read('{src,views,client}/**/*.{ts,tsx}')
const arrows = new Map(sources.map(file => [file.path, importsOf(file)]))
const packages = new Map(sources.map(file => [file.path, packagesOf(file)]))

describe('imports', () => {
  test('each folder imports only what its row allows', () => {
    expect(sources.flatMap(straysOf)).toEqual([])
  })

  test('each folder imports only the packages of its row', () => {
    expect(unique(sources.flatMap(strayPackagesOf))).toEqual(debtsOf('packages').sort())
  })

  test('each row has files, and each of its packages is imported', () => {
    const idle = importRows.flatMap(row => {
      const own = sources.filter(file => rowOf(file) === row)
      const imported = new Set(own.flatMap(({ path }) => packages.get(path)!))
      return own.length
        ? row.packages.filter(name => !imported.has(name)).map(name => `${row.text}: ${name}`)
        : row.text
    })
    expect(idle).toEqual([])
  })

  test('imports lead down from floor to floor', () => {
    expect(sources.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)).toEqual([])
    expect(sources.flatMap(climbsOf)).toEqual([])
  })

  test('types lead down from floor to floor, with the exceptions that are named', () => {
    const climbs = sources.flatMap(typeClimbsOf)
    const isUnnamed = ({ from, to }: (typeof climbs)[number]) =>
      !typesUpwards.some(({ isFrom, isTo }) => isFrom(from) && isTo(to))
    expect(climbs.filter(isUnnamed)).toEqual([])
    const isIdle = ({ isFrom, isTo }: (typeof typesUpwards)[number]) =>
      !climbs.some(({ from, to }) => isFrom(from) && isTo(to))
    expect(typesUpwards.filter(isIdle).map(({ text }) => text)).toEqual([])
  })

  test('nouns of the domain import from those before them', () => {
    expect(nounOrder.filter(noun => !existsSync(`src/domain/${noun}`))).toEqual([])
    expect(sources.flatMap(nounsOutOfOrder)).toEqual([])
    expect(sources.flatMap(climbsOfTable)).toEqual([])
  })

  test('no circle exists between files', () => {
    expect(circlesIn(arrows)).toEqual([])
  })

  test.each([
    ['domain nouns', /^src\/domain\/([^/]+)\/(?!table\.ts$)/],
    ['rooms of domain/channels', /^src\/domain\/channels\/([^/]+)\//],
    ['rooms of domain/routing', /^src\/domain\/routing\/([^/]+)\//],
    ['relay rooms', /^src\/relay\/([^/]+)\//],
    ['folders', /^(src\/[^/]+|views|client)\//],
  ])('no circle exists between %s', (_, pattern) => {
    expect(circlesIn(grouped(arrows, path => pattern.exec(path)?.[1]))).toEqual([])
  })
})

describe('code', () => {
  test('banned calls have their cure', () => {
    const onServer = sources.filter(({ path }) => !path.startsWith('client/'))
    const found = onServer.flatMap(({ path, code }) =>
      bans
        .filter(({ banned, isExempt }) => !isExempt(path) && banned.test(withoutComments(code)))
        .map(({ banned, cure }) => `${path}: ${banned.source} → ${cure}`),
    )
    expect(found).toEqual([])
  })

  test('exported type names exist once and shadow no global', () => {
    const files = new Map<string, string[]>()
    for (const [name, path] of sources.flatMap(exportedTypesOf)) files.set(name, [...(files.get(name) ?? []), path])
    const doubled = [...files].filter(([name, paths]) => paths.length > 1 || globals.has(name))
    expect(doubled.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([])
  })

  test('type names are no participles', () => {
    const found = sources.flatMap(typesOf).filter(([name]) => participle.test(name))
    expect(found.map(([name, path]) => `${path}: ${name}`)).toEqual(debtsOf('participle'))
  })

  test('state of modules is in a named store: `store` and `onReset` of src/process/stores.ts', () => {
    const found = sources
      .filter(({ path }) => /^(src|views)\//.test(path))
      .flatMap(file => unnamedState(file).map(name => `${file.path}: ${name}`))
      .filter(entry => !isMemo.test(entry))
    expect(found.sort()).toEqual([...stateWithoutStore, ...debtsOf('state')].sort())
  })

  test('chat formats declare what they write, and hide no field from the compiler', () => {
    const writers = sources.filter(({ path }) => /^src\/formats\/[^/]+\/write-[^/]+\.ts$/.test(path))
    const folders = [...new Set(writers.map(({ path }) => dirname(path)))]
    expect(folders.length).toBeGreaterThan(10)
    expect(folders.filter(folder => !sources.some(({ path }) => path === `${folder}/wire.ts`))).toEqual([])
    const hidden = /\.\.\.\([^\n]*&& \{ ?\w/
    expect(writers.filter(({ code }) => hidden.test(code)).map(({ path }) => path)).toEqual([])
  })

  test('file names are kebab-case', () => {
    const names = sources.map(({ path }) => basename(path))
    expect(names.filter(name => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(name))).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  test('the folders of src, of the domain, its channels and routing, and the relay are those of its table', () => {
    const found = ['src', 'src/domain', 'src/domain/channels', 'src/domain/routing', 'src/relay'].flatMap(parent =>
      readdirSync(parent, { withFileTypes: true }).flatMap(entry =>
        entry.isDirectory() ? `${parent}/${entry.name}/` : [],
      ),
    )
    expect([...folders].sort()).toEqual([...found, 'client/', 'views/'].sort())
  })

  test('the files of its table exist', () => {
    const names = new Set(sources.flatMap(({ path }) => [path.replace(/\.tsx?$/, ''), dirname(path)]))
    expect(namedFiles.length).toBeGreaterThan(500)
    expect(namedFiles.filter(name => !names.has(name))).toEqual([])
  })

  test('the debts name rules that exist', () => {
    expect(debtRules.filter(rule => !['packages', 'state', 'participle'].includes(rule))).toEqual([])
  })
})

describe('prose', () => {
  test('each file starts with a sentence', () => {
    expect(sources.filter(({ code }) => !/^\/\*\*/.test(code)).map(({ path }) => path)).toEqual([])
  })

  test('comments and file names use no banned word', () => {
    const found = sources.flatMap(({ path, code }) =>
      [basename(path).replaceAll('-', ' '), ...commentsOf(code)]
        .filter(text => bannedWords.test(text))
        .map(text => `${path}: ${text}`),
    )
    expect(found).toEqual([])
  })

  test('wire formats and providers start with the address of their page and the month it was read', () => {
    const wire = sources.filter(
      ({ path, code }) =>
        /^src\/formats\/[^/]+\/index\.ts$/.test(path) ||
        (/^src\/providers\//.test(path) && /^\s*type: \d+,$/m.test(code)),
    )
    const header = /^\/\*\*[^/]*?https:\/\/[\s\S]*?\(read \d{4}-\d{2}\)[\s\S]*?\*\//
    expect(wire.length).toBeGreaterThan(20)
    expect(wire.filter(({ code }) => !header.test(code)).map(({ path }) => path)).toEqual([])
  })
})
