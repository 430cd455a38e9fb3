// @engine sqlite
/** The estimate of tokens against the tokenizer: never much below it, and near it for ordinary texts. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { estimateTokens, TokenCounter } from '../../src/pure/estimate-tokens.ts'
import { printedWords } from '../../src/pure/known-words.ts'
import { seededRandom } from '../support/random.ts'

const asText = { disallowedSpecial: new Set<string>() }
const count = (text: string) => countTokens(text, asText)
const ratio = (text: string) => estimateTokens(text) / count(text)

const LEAST = 0.8
const PROMPTS = 10_000

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index))
const known = knownWords(String.fromCharCode(...printedWords()))
const knownIn = (pattern: RegExp) => known.filter(word => pattern.test(word))

/** Each is printed behind the number of characters that it shares with the one before. */
function knownWords(printed: string): string[] {
  let word = ''
  const pairs = printed.matchAll(/([\0-\x08])([^\0-\x08]+)/g)
  return Array.from(pairs, ([, shared, rest]) => (word = word.slice(0, shared!.charCodeAt(0)) + rest))
}

/** What prompts of each kind are made of. */
const kinds: Record<string, string[]> = {
  'lower letters': range(97, 123),
  'words and parts of words': knownIn(/^ ?[a-zA-Z]+$/),
  'words behind marks': [...knownIn(/^[a-zA-Z]+$/), ...range(33, 48), ...range(58, 65)],
  'rows of marks': knownIn(/^ ?[!-/:-@[-`{-~]+\n*$/),
  'letters with accents': knownIn(/^ ?\p{Script=Latin}+$/u),
  'combining marks': [...'aeou', ...range(0x300, 0x340), '\u20dd', '\u0489'],
  cyrillic: knownIn(/^ ?\p{Script=Cyrillic}+$/u),
  'arabic and hebrew': [...range(0x5d0, 0x5eb), ...range(0x627, 0x64b), ' '],
  indic: [...range(0x915, 0x94d), ...range(0xe01, 0xe3b), ' '],
  chinese: [...range(0x4e00, 0x9fa0)],
  'kana and hangul': [...range(0x3041, 0x30ff), ...range(0xac00, 0xb000)],
  emoji: range(0x1f300, 0x1f700),
  'rare scripts': [...range(0x12000, 0x12400), ...range(0x1400, 0x1680), ...range(0xa500, 0xa62c)],
  digits: [...range(48, 58), ' ', '.', ','],
  base64: [...range(48, 58), ...range(65, 91), ...range(97, 123), '+', '/'],
  hexadecimal: [...range(48, 58), ...range(97, 103), '-', '\n'],
  blanks: [' ', '  ', '\n', '\t', '\r\n', '\u00a0', '\u3000', '\f', '\u2003'],
  ascii: range(0, 128),
  'code and JSON': [
    '{"',
    '":',
    '},\n  ',
    '();\n',
    ' => ',
    '    ',
    'name',
    '_id',
    '.get',
    '\t\treturn ',
    "'s",
    'x',
    '0',
    '[]',
  ],
  'any of a plane': range(0x80, 0xd800),
}
kinds.mixed = Object.values(kinds).flatMap(pieces => pieces.slice(0, 60))

const LENGTHS = [3, 8, 20]

/** Changes a prompt piece by piece, and keeps each change that brings the estimate down. */
function climbed(pieces: string[], random: (limit: number) => number, prompts: number): number {
  const pick = () => pieces[random(pieces.length)]!
  let worst = Number.POSITIVE_INFINITY
  for (const length of LENGTHS) {
    let prompt = Array.from({ length }, pick)
    let least = Number.POSITIVE_INFINITY
    for (let tried = 0; tried < prompts / LENGTHS.length; tried++) {
      const changed = prompt.with(random(length), random(3) ? pick() : prompt[random(length)]!)
      const found = ratio(changed.join('').repeat(2))
      if (found > least) continue
      least = found
      prompt = changed
    }
    worst = Math.min(worst, ratio(prompt.join('').repeat(20)))
  }
  return worst
}

test.each(Object.entries(kinds))('an estimate cannot be deceived by %s', (name, pieces) => {
  const prompts = Math.ceil(PROMPTS / Object.keys(kinds).length)
  expect(climbed(pieces, seededRandom(name.length * 1000 + pieces.length), prompts)).toBeGreaterThanOrEqual(LEAST)
})

const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => pattern.test(name))
    .sort()
    .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n')

const chinese = filesIn('src/locales/zh', /\.json$/)
const ordinary: [kind: string, text: string, most: number][] = [
  ['English', filesIn('src/locales/en', /\.json$/).replace(/"[\w.]+": /g, ''), 1.25],
  ['English documents', filesIn('docs', /(running|glossary)\.md$/), 1.3],
  ['Chinese', chinese.replace(/[\x00-\x7f]+/g, ''), 1.25],
  ['JSON', chinese, 1.3],
  ['code', filesIn('src/relay', /\.ts$/), 1.3],
]

test.each(ordinary)('an estimate of %s is near the count', (_, text, most) => {
  expect(ratio(text.slice(0, 200_000))).toBeWithin(1, most)
})

test('repeated texts are counted to their end', () => {
  const blank = ' '.repeat(4096)
  const hidden = `${blank}${'知識 z9#q '.repeat(3584)}`.repeat(20)
  expect(ratio(hidden.slice(0, 3_000_000))).toBeGreaterThanOrEqual(LEAST)
})

test.each(Object.entries(kinds))('a text of %s in pieces has the tokens of the joined text', (_, pieces) => {
  const random = seededRandom(7)
  const text = Array.from({ length: 60 }, () => pieces[random(pieces.length)]!).join('')
  for (const size of [1, 2, 3, 7]) {
    const counter = new TokenCounter()
    for (let from = 0; from < text.length; from += size) counter.add(text.slice(from, from + size))
    expect(counter.tokens).toBe(estimateTokens(text))
  }
})
