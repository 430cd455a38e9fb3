// @engine sqlite
/** The rules of the house that a machine can check: imports, circles, names, comments, titles. Sizes are Biome's. */
import { describe, expect, test } from 'bun:test'
import { basename } from 'node:path'
import { circlesIn, grouped } from './support/source/circles.ts'
import { commentsOf, importsOf, read, type SourceFile, withoutComments } from './support/source/files.ts'

const may = (...paths: string[]) => new RegExp(`^(${paths.join('|')})`)

const ground = 'src/(pure|locales|models|billing|contracts)/'
const server = [ground, 'src/env.ts', 'src/(process|telemetry)/']
const doors = 'src/domain/[^/]+/index.ts'

/** Folder → what it may import besides itself. The first row that fits holds. */
const rows: [folder: RegExp, may: RegExp][] = [
  [/^src\/pure\//, may('package.json')],
  [/^src\/(locales|models)\/|^src\/env\.ts$/, may('src/pure/')],
  [/^src\/billing\//, may('src/(pure|models)/')],
  [/^src\/contracts\//, may('src/(pure|locales|models|billing)/')],
  [/^src\/formats\//, may('src/(pure|models|billing)/')],
  [
    /^src\/providers\//,
    may('src/(formats|pure|models|billing)/', 'src/process/clock.ts', 'src/contracts/custom-routes.ts'),
  ],
  [/^src\/process\//, may(ground, 'src/env.ts')],
  [/^src\/telemetry\//, may(ground, 'src/env.ts', 'src/process/')],
  [/^src\/(crypto|stream)\//, may(...server)],
  [/^src\/db\//, may(...server, 'src/crypto/')],
  [/^src\/net\//, may(...server, 'src/stream/')],
  [/^src\/cluster\//, may(...server, 'src/(db|crypto)/')],
  [/^src\/web\//, may(...server, 'src/(cluster|db|crypto)/', 'public/')],
  [/^src\/domain\//, may(...server, 'src/(providers|cluster|net|db|crypto)/', 'src/domain/[^/]+/(index|table).ts')],
  [/^src\/relay\//, may(...server, doors, 'src/(providers|formats|web|cluster|net|stream|crypto)/')],
  [/^src\/console\//, may(...server, doors, 'src/(web|crypto)/', 'views/', 'client/components/', 'src/console/[^/]+$')],
  [/^src\/jobs\//, may(...server, doors, 'src/cluster/')],
  [/^src\/(commands\/|[^/]+$)/, /./],
  [/^client\//, may('client/', ground)],
  [/^views\//, may('views/', 'client/', ground)],
]

/** What is not written on the server, its cure, and where the cure itself lives. */
const bans: [banned: RegExp, cure: string, except: RegExp][] = [
  [/db\.transaction\(/, 'atomic', /^src\/db\//],
  [/\.(get|all|run)\(\)/, 'await the query', /^src\/(db|cluster|process|net|stream)\/|^views\//],
  [/process\.env/, 'env.ts', /^src\/(env|build|build-client)\.ts$|^views\/home\/snippets\.tsx$/],
  [/Date\.now\(|new Date\(\)/, 'process/clock.ts', /^src\/process\/clock\.ts$/],
  [/console\.(log|info|warn|error)\(/, 'process/log.ts', /^$/],
  [/(?<![.\w])fetch\(/, 'net', /^src\/net\//],
  [/\b(TODO|FIXME|XXX)\b/, 'do it, or leave it out', /^$/],
  [/\bas any\b/, 'a type', /^src\/db\//],
  [/\btype\)? *[!=]== *'?\d|\bproviderOf\(\d/, 'a field of the provider', /^src\/providers\//],
]

const bannedWords = /\b(whoever|nobody|somebody|told|said|heard)\b/i

/** A sentence begins with its subject. */
const badBeginning = /^(of|that|who|whoever|what|with)\b/i
const TITLE_WORDS_MIN = 3

const folderOf = (path: string) => {
  const parts = path.split('/')
  const depth = /^src\/(domain|console)\/[^/]+\//.test(path) ? 3 : path.startsWith('src/') ? 2 : 1
  return `${parts.slice(0, depth).join('/')}${parts.length > depth ? '/' : ''}`
}

function straysOf(file: SourceFile): string[] {
  const row = rows.find(([folder]) => folder.test(file.path))
  if (!row) return [`${file.path}: has no row in the import table`]
  const own = folderOf(file.path)
  return importsOf(file)
    .filter(path => !path.startsWith(own) && !row[1].test(path))
    .map(path => `${file.path} → ${path}`)
}

/** Names of exported types, by file. A value and a type of one name in one file are one name. */
function exportedTypesOf({ path, code }: SourceFile): [name: string, path: string][] {
  const names = [...code.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm)]
  return [...new Set(names.map(([, name]) => name!))].map(name => [name, path])
}

/** Exported type names that a browser or Bun has already. */
const globals = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...'Window Document Element Node Text Image Audio Option Selection Range Comment Attr History Location'.split(' '),
  ...'Screen Notification Animation Touch Lock Cache Plugin'.split(' '),
])

function titlesOf(code: string): string[] {
  const plain = [...code.matchAll(/^\s*test\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/gm)]
  const tables = code.split(/\btest\.each\b/).slice(1)
  const each = tables.map(table => /\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1,/.exec(table)?.[2])
  return [...plain.map(([, , title]) => title!), ...each.filter(title => title !== undefined)]
}

const sources = await read('{src,views,client}/**/*.{ts,tsx}')
const tests = await read('tests/**/*.test.{ts,tsx}')
const arrows = new Map(sources.map(file => [file.path, importsOf(file)]))

describe('imports', () => {
  test('each folder imports only what its row allows', () => {
    expect(sources.flatMap(straysOf)).toEqual([])
  })

  test('no circle exists between files', () => {
    expect(circlesIn(arrows)).toEqual([])
  })

  test.each([
    ['domain nouns', /^src\/domain\/([^/]+)\//],
    ['rooms of domain/channels', /^src\/domain\/channels\/([^/]+)\//],
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
        .filter(([banned, , except]) => !except.test(path) && banned.test(withoutComments(code)))
        .map(([banned, cure]) => `${path}: ${banned.source} → ${cure}`),
    )
    expect(found).toEqual([])
  })

  test('exported type names exist once and shadow no global', () => {
    const files = new Map<string, string[]>()
    for (const [name, path] of sources.flatMap(exportedTypesOf)) files.set(name, [...(files.get(name) ?? []), path])
    const doubled = [...files].filter(([name, paths]) => paths.length > 1 || globals.has(name))
    expect(doubled.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([])
  })

  test('file names are kebab-case', () => {
    const names = sources.map(({ path }) => basename(path))
    expect(names.filter(name => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(name))).toEqual([])
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
        (/^src\/providers\/[^/]+\.ts$/.test(path) && /^\s*type: \d+,$/m.test(code)),
    )
    const header = /^\/\*\*[^/]*?https:\/\/[\s\S]*?\(read \d{4}-\d{2}\)[\s\S]*?\*\//
    expect(wire.length).toBeGreaterThan(20)
    expect(wire.filter(({ code }) => !header.test(code)).map(({ path }) => path)).toEqual([])
  })
})

describe('tests', () => {
  test('no test is skipped, focused or postponed', () => {
    const waiting = /\b(test|describe|it)\.(skip|only|todo|if|skipIf|todoIf)\b/
    expect(tests.filter(({ code }) => waiting.test(code)).map(({ path }) => path)).toEqual([])
  })

  test('titles are sentences: three words or more, subject first', () => {
    const isBad = (title: string) =>
      badBeginning.test(title) || title.trim().split(/\s+/).length < TITLE_WORDS_MIN || !/\w/.test(title)
    const found = tests.flatMap(({ path, code }) =>
      titlesOf(code)
        .filter(isBad)
        .map(title => `${path}: ${title}`),
    )
    expect(found).toEqual([])
  })
})
