// @engine sqlite
/** Both languages are complete, and each message is used. */
import { describe, expect, test } from 'bun:test'
import { basename, dirname } from 'node:path'
import { read, type SourceFile } from './support/source/files.ts'

describe('locales', async () => {
  const english = await read('src/locales/en/*.json')
  const chinese = await read('src/locales/zh/*.json')

  test('both languages have the same keys and placeholders', () => {
    const shape = (sources: SourceFile[]) =>
      Object.fromEntries(sources.map(({ path, code }) => [basename(path), placeholdersIn(code)]))
    expect(shape(chinese)).toEqual(shape(english))
  })

  test('every message key is used', async () => {
    const code = (await read('{src,views,client}/**/*.{ts,tsx}')).map(source => source.code).join('\n')
    // `channel.${name}_help` says whatever has its `name` among the words of the code; an option names its own.
    const words = new Set(code.match(/[\w-]+/g))
    const filled = [...code.matchAll(/`(\w+\.[^`]*\$\{[^`]*)`/g)].map(
      ([, template]) => new RegExp(`^${template!.replace(/\$\{.*?\}/, '(.+)')}$`),
    )
    const isSaid = (sentence: string) =>
      code.includes(`'${sentence}'`) || filled.some(template => words.has(template.exec(sentence)?.[1] ?? ''))
    const silent = english
      .filter(({ path }) => basename(path) !== 'option.json')
      .flatMap(({ path, code }) => Object.keys(JSON.parse(code)).map(key => `${basename(path, '.json')}.${key}`))
      .filter(sentence => !isSaid(sentence.replace(/_(one|other)$/, '')))
    expect(silent).toEqual([])
  })

  test('every noun is registered', async () => {
    for (const { path, code } of await read('src/locales/*/index.ts')) {
      const nouns = (await read(`${dirname(path)}/*.json`)).map(source => basename(source.path))
      expect(nouns.filter(noun => !code.includes(`./${noun}`))).toEqual([])
    }
  })

  test('Chinese messages follow Chinese typography: full-width punctuation, a space beside Latin letters and digits', () => {
    const wrong = /\p{Script=Han}[,;:!?]|\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u
    const found = chinese.flatMap(({ path, code }) =>
      Object.entries(JSON.parse(code) as Record<string, string>)
        .filter(([, sentence]) => wrong.test(sentence))
        .map(([key, sentence]) => `${path} ${key}: ${sentence}`),
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
