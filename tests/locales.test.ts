// @engine sqlite
/** Every language is complete, and each message is used. */
import { describe, expect, test } from 'bun:test'
import { basename, dirname } from 'node:path'
import { type Language, languageCodes, languages } from '../src/locales/languages.ts'
import { read, type SourceFile } from './support/source/files.ts'

describe('locales', async () => {
  const english = await read('src/locales/en/*.json')
  const chinese = await read('src/locales/zh/*.json')

  test('every language has the messages of English in its own plural forms, with the same placeholders', async () => {
    for (const language of languageCodes) {
      const sources = await read(`src/locales/${language}/*.json`)
      expect([language, shapeOf(sources, language)]).toEqual([language, shapeOf(english, 'en', language)])
    }
  })

  test('every message key is used', async () => {
    const code = (await read('{src,views,client}/**/*.{ts,tsx}')).map(source => source.code).join('\n')
    // A key built from a template counts as used when its variable part is a word of the code; options name their own.
    const words = new Set(code.match(/[\w-]+/g))
    const filled = [...code.matchAll(/`(\w+\.[^`]*\$\{[^`]*)`/g)].map(
      ([, template]) => new RegExp(`^${template!.replace(/\$\{.*?\}/, '(.+)')}$`),
    )
    const quoted = new Set(Array.from(code.matchAll(/'([a-z_]+\.\w+)'/g), ([, key]) => key))
    const isUsed = (sentence: string) =>
      quoted.has(sentence) || filled.some(template => words.has(template.exec(sentence)?.[1] ?? ''))
    const unused = english
      .filter(({ path }) => basename(path) !== 'option.json')
      .flatMap(({ path, code }) => Object.keys(JSON.parse(code)).map(key => `${basename(path, '.json')}.${key}`))
      .filter(sentence => !isUsed(sentence.replace(/_(one|other)$/, '')))
    expect(unused).toEqual([])
  })

  test('every folder of messages is in the table of languages, every file in the type of the keys', async () => {
    const files = await read('src/locales/*/*.json')
    expect([...new Set(files.map(({ path }) => basename(dirname(path))))].sort()).toEqual([...languageCodes].sort())
    const keys = await Bun.file('src/locales/message-key.ts').text()
    const nouns = new Set(files.map(({ path }) => basename(path)))
    expect([...nouns].filter(noun => !keys.includes(`./en/${noun}`))).toEqual([])
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

/** Placeholders by file and message. Plural forms of `source` count as one message, named in the forms of `target`. */
function shapeOf(sources: SourceFile[], source: Language, target = source) {
  const plural = new RegExp(`_(${languages[source].plural.join('|')})$`)
  const shape = ({ path, code }: SourceFile) => {
    const forms = Object.entries(JSON.parse(code) as Record<string, string>).flatMap(([key, message]) => {
      const placeholders = [...new Set(message.match(/\{\{.*?\}\}/g))].sort()
      const names = plural.test(key) ? languages[target].plural.map(form => key.replace(plural, `_${form}`)) : [key]
      return names.map(name => [name, placeholders])
    })
    return [basename(path), Object.fromEntries(forms)]
  }
  return Object.fromEntries(sources.map(shape))
}
