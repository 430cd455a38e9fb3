// @engine sqlite
/** The stages of a call: each field is written in one file, and the files that name them stand in no circle of types. */
import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { circlesIn } from './support/source/circles.ts'
import { read, type SourceFile, withoutComments } from './support/source/files.ts'

const CALL = 'src/relay/call.ts'
const files = (await read('src/relay/**/*.ts')).map(({ path, code }) => ({ path, code: withoutComments(code) }))
const declared = files.find(({ path }) => path === CALL)!.code

const stages = ['ReadCall', 'RoutedCall', 'PlannedCall', 'Call', 'Hold']

/** The lines of an interface, such as `readonly body: Json`. */
const linesOf = (name: string): string[] =>
  new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm')
    .exec(declared)![1]!
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

const fieldsOf = (name: string): string[] => linesOf(name).flatMap(line => /^readonly (\w+)\??:/.exec(line)?.[1] ?? [])

/** Whatever a call is called where it is written to. */
const names = '(?:call|read|routed|planned|overridden|changed|hold)'

/** A cast stands between the name and the field where the compiler would refuse. */
const writesTo = ({ code }: SourceFile, field: string) =>
  new RegExp(
    `\\b${names}(?: as [^;\\n]*\\))?\\.${field}\\b(?:\\[[^\\]]*\\])? *(?:(?:[-+*/]|\\?\\?|\\|\\|)?=(?![=>])|\\+\\+|--)`,
  ).test(code)

/** From an opening brace to its closing one, without the objects that are values of its fields. */
function literalAt(code: string, start: number): string {
  let depth = 0
  let end = start
  do {
    if (code[end] === '{') depth++
    if (code[end] === '}') depth--
  } while (++end < code.length && depth > 0)
  const inside = code.slice(start + 1, end - 1)
  return `{${inside.replace(/: \{(?:[^{}]|\{[^{}]*\})*\}/g, ': 0')}}`
}

/** The fields of a call that its copies in a file have instead of its own. */
function copiedFields({ code }: SourceFile): string[] {
  const copies = [...code.matchAll(new RegExp(`\\{\\s*\\.\\.\\.(?:\\w+\\.)*${names}(?![.\\w])`, 'g'))]
  const literals = copies.map(({ index }) => literalAt(code, index))
  const isIn = (field: string) => new RegExp(`(?<![.\\w])${field}(?=:|,|\\s*\\})`)
  const fields = stages.slice(0, -1).flatMap(fieldsOf)
  return fields.filter(field => literals.some(literal => isIn(field).test(literal))).sort()
}

test('the fields of a call are read only, and each belongs to one stage', () => {
  for (const stage of stages) expect(linesOf(stage).filter(line => !/^readonly |^\w+\(.*\): /.test(line))).toEqual([])
  const fields = stages.slice(0, -1).flatMap(fieldsOf)
  expect(fields.length).toBeGreaterThan(20)
  expect(fields).toEqual([...new Set(fields)])
})

test('each field of a call is written in one file: no file writes to a field of a call that is made elsewhere', () => {
  const written = stages.flatMap(stage =>
    fieldsOf(stage).flatMap(field =>
      files.filter(file => writesTo(file, field)).map(({ path }) => `${path}: ${field}`),
    ),
  )
  const own = fieldsOf('Hold').map(field => `src/relay/charging/hold.ts: ${field}`)
  expect(written.filter(one => !own.includes(one))).toEqual([])
})

test('fields are added to a call by its stages alone', () => {
  const adds = new RegExp(`\\b(?:assign|defineProperty|defineProperties|set)\\(\\s*(?:\\w+\\.)*${names}\\b(?!\\.)`)
  expect(files.filter(({ code }) => adds.test(code)).map(({ path }) => path)).toEqual([CALL])
})

test('a call is copied for another model, a task and the override of a channel alone, with these fields instead', () => {
  const copies = files.map(file => [file.path, copiedFields(file)] as const).filter(([, fields]) => fields.length)
  expect(Object.fromEntries(copies)).toEqual({
    'src/relay/fallbacks.ts': ['body', 'canonical', 'facts'],
    'src/relay/tasks/submit.ts': ['body', 'callback', 'hold', 'prompt_tokens', 'runs_tools', 'stored_tokens'],
    'src/relay/upstream/override-facts.ts': ['billed_body', 'facts', 'hold', 'prompt_tokens'],
  })
})

test('each stage of a call is made in one file', () => {
  const makers = ['RoutedCall', 'PlannedCall', 'Call'].map(stage =>
    files.filter(({ code }) => new RegExp(`nextStage<\\w+, ${stage}>`).test(code)).map(({ path }) => path),
  )
  const readers = files.filter(({ code }) => /Promise<ReadCall> \{/.test(code)).map(({ path }) => path)
  expect([readers, ...makers]).toEqual([
    ['src/relay/request/read-request.ts'],
    ['src/relay/upstream/holders.ts'],
    ['src/relay/upstream/within-tariffs.ts'],
    ['src/relay/charging/reserve.ts'],
  ])
})

test('the files that name a call, its caller and its endpoint stand in no circle, imports of types included', () => {
  const arrows = new Map(
    files.map(({ path, code }) => [
      path,
      [...code.matchAll(/ from '(\.[^']+)'/g)].map(([, specifier]) => join(dirname(path), specifier!)),
    ]),
  )
  const shared = [CALL, 'src/relay/caller.ts', 'src/relay/endpoint.ts', 'src/relay/attempts.ts']
  expect(shared.filter(path => !arrows.get(path)!.length)).toEqual([])
  expect(circlesIn(arrows).filter(circle => shared.some(path => circle.includes(path)))).toEqual([])
})
