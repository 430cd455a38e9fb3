// @engine sqlite
/** The tests of the suite: none is skipped, and each has a title. */
import { expect, test } from 'bun:test'
import { read } from './support/source/files.ts'

/** A sentence begins with its subject. */
const badBeginning = /^(of|that|who|whoever|what|with)\b/i
const TITLE_WORDS_MIN = 3
const TITLE_LENGTH_MAX = 120

const tests = await read('tests/**/*.test.{ts,tsx}')

test('no test is skipped, focused or postponed', () => {
  const waiting = /\b(test|describe|it)\.(skip|only|todo|if|skipIf|todoIf)\b/
  expect(tests.filter(({ code }) => waiting.test(code)).map(({ path }) => path)).toEqual([])
})

test('titles are sentences: three words or more, at most 120 characters, subject first', () => {
  const isBad = (title: string) =>
    badBeginning.test(title) ||
    title.trim().split(/\s+/).length < TITLE_WORDS_MIN ||
    title.length > TITLE_LENGTH_MAX ||
    !/\w/.test(title)
  const found = tests.flatMap(({ path, code }) =>
    titlesOf(code)
      .filter(isBad)
      .map(title => `${path}: ${title}`),
  )
  expect(found).toEqual([])
})

function titlesOf(code: string): string[] {
  const plain = [...code.matchAll(/^\s*test\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/gm)]
  const tables = code.split(/\btest\.each\b/).slice(1)
  const each = tables.map(table => /\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1,/.exec(table)?.[2])
  return [...plain.map(([, , title]) => title!), ...each.filter(title => title !== undefined)]
}
