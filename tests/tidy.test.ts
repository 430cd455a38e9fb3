// @engine sqlite
/** The rules of the house that a machine can check. Sizes and default exports are Biome's: see biome.json. */
import { describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'

const ground = 'src/(pure|contracts|locales)/'
const slow_ms = 180_000

/** Folder → what it may import, besides itself; the first row that fits holds. Types are free: they are erased. */
const imports: [folder: RegExp, may: RegExp][] = [
  [/^src\/(pure|contracts|locales)\//, may(ground, 'package.json')],
  [/^src\/kit\/(render|assets)\.tsx?$/, may('src/kit/', ground, 'views/', 'client/parts/', 'public/')],
  [/^src\/kit\//, may('src/env.ts', ground)],
  [/^src\/db\//, may('src/(kit|pure)/', 'src/env.ts')],
  [/^src\/codecs\//, may('src/pure/')],
  [/^src\/providers\//, may('src/(codecs|kit|pure)/')],
  [/^src\/console\/[^/]+\/table\.ts$/, may('src/db/columns.ts', 'src/console/[^/]+/table.ts', ground)],
  [
    /^src\/console\//,
    may(
      'src/(db|kit)/',
      ground,
      'src/env.ts',
      'views/',
      'src/console/[^/]+/(service|guard|table).ts',
      'src/providers/index.ts',
    ),
  ],
  [
    /^src\/(relay|tasks)\//,
    may('src/(providers|codecs|db|kit)/', ground, 'src/env.ts', 'src/console/[^/]+/(service|guard|table).ts'),
  ],
  [/^src\/jobs\//, may('src/console/[^/]+/service.ts', 'src/(relay|kit)/')],
  [/^src\/(commands\/|[^/]+$)/, /./],
  [/^client\//, may('client/', ground)],
  [/^views\//, may('views/', 'client/', ground)],
]

/** What is not written in src and views, its cure, and where the cure itself lives. */
const bans: [banned: RegExp, cure: string, except: RegExp][] = [
  [/db\.transaction\(/, 'atomic', /^src\/db\//],
  [/\.(get|all|run)\(\)/, 'await the query', /^src\/db\/|^views\/|^src\/kit\//],
  [/process\.env/, 'env.ts', /^src\/(env|build|build-client)\.ts$|^views\/home\/snippets\.tsx$/],
  [/Date\.now\(|new Date\(\)/, 'kit/clock.ts', /^src\/kit\/clock\.ts$/],
  [/console\.(log|info|warn|error)\(/, 'kit/log.ts', /^$/],
  [/(?<![.\w])fetch\(/, 'relay/send.ts or kit', /^src\/(kit|relay\/send\.ts)/],
  [/\b(TODO|FIXME|XXX)\b/, 'do it, or leave it out', /^$/],
  [/\bas any\b/, 'a type', /^src\/db\//],
]

type Source = { file: string; code: string }

function may(...paths: string[]): RegExp {
  return new RegExp(`^(${paths.join('|')})`)
}

async function read(pattern: string): Promise<Source[]> {
  const files = await Array.fromAsync(new Bun.Glob(pattern).scan())
  return Promise.all(files.sort().map(async file => ({ file, code: await Bun.file(file).text() })))
}

describe('code', async () => {
  const ours = await read('{src,views,client}/**/*.{ts,tsx}')

  test('every folder imports only what stands below it', () => {
    expect(ours.flatMap(source => straying(source))).toEqual([])
  })

  test('nothing banned is written', () => {
    const server = ours.filter(({ file }) => !file.startsWith('client/'))
    const found = server.flatMap(({ file, code }) =>
      bans
        .filter(([banned, , except]) => !except.test(file) && banned.test(withoutComments(code)))
        .map(([banned, cure]) => `${file}: ${banned.source} → ${cure}`),
    )
    expect(found).toEqual([])
  })

  test('names are kebab-case', () => {
    expect(
      ours.map(source => basename(source.file)).filter(name => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(name)),
    ).toEqual([])
  })

  test('no test is skipped, focused or left for later', async () => {
    const tests = await read('tests/**/*.test.{ts,tsx}')
    const waiting = /\b(test|describe|it)\.(skip|only|todo|if|skipIf|todoIf)\b/
    expect(tests.filter(({ code }) => waiting.test(code)).map(({ file }) => file)).toEqual([])
  })
})

function straying({ file, code }: Source): string[] {
  const row = imports.find(([folder]) => folder.test(file))
  if (!row) return [`${file}: stands in no folder of the house`]
  const own = file.startsWith('src/console/')
    ? `${dirname(file)}/`
    : file
        .split('/')
        .slice(0, file.startsWith('src/') ? 2 : 1)
        .join('/')
  const scanner = new Bun.Transpiler({ loader: file.endsWith('x') ? 'tsx' : 'ts' })
  return scanner
    .scanImports(code)
    .filter(found => found.path.startsWith('.'))
    .map(found => join(dirname(file), found.path))
    .filter(path => !path.startsWith(own) && !row[1].test(path))
    .map(path => `${file} → ${path}`)
}

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

describe('locales', async () => {
  const english = await read('src/locales/en/*.json')
  const chinese = await read('src/locales/zh/*.json')

  test('both languages have the same keys, with the same placeholders', () => {
    const shape = (sources: Source[]) =>
      Object.fromEntries(sources.map(({ file, code }) => [basename(file), placeholdersIn(code)]))
    expect(shape(chinese)).toEqual(shape(english))
  })

  test('every message key is used somewhere', async () => {
    const code = (await read('{src,views,client}/**/*.{ts,tsx}')).map(source => source.code).join('\n')
    // `channel.${name}_help` says whatever has its `name` among the words of the code; an option names its own.
    const words = new Set(code.match(/[\w-]+/g))
    const filled = [...code.matchAll(/`(\w+\.[^`]*\$\{[^`]*)`/g)].map(
      ([, template]) => new RegExp(`^${template!.replace(/\$\{.*?\}/, '(.+)')}$`),
    )
    const isSaid = (sentence: string) =>
      code.includes(`'${sentence}'`) || filled.some(template => words.has(template.exec(sentence)?.[1] ?? ''))
    const silent = english
      .filter(({ file }) => basename(file) !== 'option.json')
      .flatMap(({ file, code }) => Object.keys(JSON.parse(code)).map(key => `${basename(file, '.json')}.${key}`))
      .filter(sentence => !isSaid(sentence.replace(/_(one|other)$/, '')))
    expect(silent).toEqual([])
  })

  test('every noun is registered', async () => {
    for (const { file, code } of await read('src/locales/*/index.ts')) {
      const nouns = (await read(`${dirname(file)}/*.json`)).map(source => basename(source.file))
      expect(nouns.filter(noun => !code.includes(`./${noun}`))).toEqual([])
    }
  })

  test('Chinese is set as Chinese: full-width punctuation, a space beside Latin letters and digits', () => {
    const wrong = /\p{Script=Han}[,;:!?]|\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u
    const found = chinese.flatMap(({ file, code }) =>
      Object.entries(JSON.parse(code) as Record<string, string>)
        .filter(([, sentence]) => wrong.test(sentence))
        .map(([key, sentence]) => `${file} ${key}: ${sentence}`),
    )
    expect(found).toEqual([])
  })
})

function placeholdersIn(code: string): Record<string, string[]> {
  const sentences = Object.entries(JSON.parse(code) as Record<string, string>)
  return Object.fromEntries(
    sentences.map(([key, sentence]) => [key, [...new Set(sentence.match(/\{\{.*?\}\}/g))].sort()]),
  )
}

describe('tools', () => {
  test(
    'Biome finds nothing',
    () => expect(outputOf(['x', '--bun', 'biome', 'check', '--error-on-warnings', '--colors=off'])).resolves.toBe(''),
    slow_ms,
  )

  test('the types hold', () => expect(outputOf(['x', '--bun', 'tsc', '--noEmit'])).resolves.toBe(''), slow_ms)

  test.each([
    ['sqlite', 'sqlite', 'file::memory:'],
    ['postgres', 'postgresql', 'postgres://nobody@localhost/nothing'],
  ])(
    'the migrations for %s are not behind the tables',
    async (engine, dialect, DATABASE_URL) => {
      const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
      cpSync(`drizzle/${engine}`, folder, { recursive: true })
      const tables = ['--schema', './src/{domain,cluster}/**/table.ts', '--out', relative('.', folder)]
      const output = await outputOf(
        ['x', '--bun', 'drizzle-kit', 'generate', '--dialect', dialect, ...tables],
        { DATABASE_URL },
        true,
      )
      rmSync(folder, { recursive: true })
      expect(output).toContain('No schema changes')
    },
    slow_ms,
  )
})

/** What a tool prints; by default only when it fails. */
async function outputOf(command: string[], settings: Record<string, string> = {}, always = false): Promise<string> {
  const run = Bun.spawn([process.execPath, ...command], {
    env: { ...process.env, ...settings },
    stdin: 'ignore',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([run.stdout, run.stderr].map(stream => new Response(stream).text()))
  return (await run.exited) === 0 && !always ? '' : `${out}${err}`
}
