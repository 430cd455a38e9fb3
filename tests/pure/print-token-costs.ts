/**
 * Prints src/pure/token-costs.gz and known-words.gz from the table of `o200k`: `npm run tokens`.
 *
 * An estimate is to be no less than 0.8 of the true count of any text, and near it for ordinary ones. A word that is one
 * token costs one. Every other character costs 0.83 of what it costs when it stands alone, which is about the most that
 * characters in a row come to. ASCII characters cost less behind one with which they form a token: then no two of them
 * in a row are tokens of their own.
 */
import { gzipSync } from 'node:zlib'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { SHARED_MAX, WORD_MAX } from '../../src/pure/known-words.ts'
import { ASCII, CODES } from '../../src/pure/token-costs.ts'

const asText = { disallowedSpecial: new Set<string>() }
const count = (text: string) => countTokens(text, asText)

const TOKEN = 64
const ALONE = 53
/** Pairs of a lower rank are parts of more tokens. */
const COMMON_RANK = 700
/** Words of a higher rank are rare, and would make the table too large for the processor's cache. */
const RANK_MAX = 60_000

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Accents of any script, whose bytes merge with those of their neighbours. */
const accents = /\p{Script=Inherited}/u
const kinds: [kind: number, characters: RegExp][] = [
  [1, /[\r\n]/],
  [0, /\s/],
  [2, /[0-9]/],
  [3, /[\p{N}\p{Cs}]/u],
  [3, ideographs],
  [6, /[\p{Lu}\p{Lt}]/u],
  [5, /[\p{L}\p{M}]/u],
  [4, /./su],
]
const kindOf = (character: string) => kinds.find(([, characters]) => characters.test(character))![0]

const characterOf = (code: number) => String.fromCharCode(code)
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff

/** Characters beyond 16 bits are two codes: emoji cost up to 3 tokens, others 4. */
function costOf(code: number): number {
  if (isSurrogate(code)) return code < 0xdc00 && (code < 0xd83c || code > 0xd83f) ? 131 : 79
  const character = characterOf(code)
  const tokens = count(character)
  if (isFragile(character, tokens)) return ALONE * Math.min(BYTES_MAX, tokens + 1)
  const [, factor] = factors.find(([characters]) => characters.test(character)) ?? [undefined, 1]
  return Math.round(factor * ALONE * tokens)
}

/** Scripts whose characters cost more among others than alone. */
const factors: [characters: RegExp, factor: number][] = [
  [/\p{Script=Hangul}/u, 1.06],
  [/\p{M}/u, 1.5],
]

/** Bytes of a character of 16 bits. */
const BYTES_MAX = 3

/** Whether its bytes merge with those of nearly any neighbour. */
const isFragile = (character: string, tokens: number): boolean =>
  accents.test(character) ||
  /[^\x00-\x7f\P{N}]|[\u1680\u2000-\u205f]/u.test(character) ||
  (tokens === 2 && !ideographs.test(character)) ||
  count(` ${character}`) > tokens + 1

const REPEATED = [2, 3, 4, 5, 8, 12, 17, 24, 31, 48, 63, 80, 100, 127]

/** The most that a blank costs behind the same one, in a row of any length. */
function repeatCostOf(code: number): number {
  if (isFragile(characterOf(code), 1)) return costOf(code)
  const blank = characterOf(code)
  const [once, ...costs] = [1, ...REPEATED].map(length => count(blank.repeat(length)))
  return Math.ceil(0.85 * TOKEN * Math.max(...costs.map((cost, index) => (cost - once!) / (REPEATED[index]! - 1))))
}

const { default: ranks } = (await import('gpt-tokenizer/bpeRanks/o200k_base')) as unknown as {
  default: (string | number[])[]
}
const tokens = ranks.flatMap((token, rank) => (typeof token === 'string' ? [[token, rank] as const] : []))

const pairs = new Map(tokens.filter(([token]) => /^[\x00-\x7f]{2}$/.test(token)))

/** Of an ASCII character behind one that it forms a common token with, another token, and none. */
function pairCostOf(pair: number): number {
  const rank = pairs.get(characterOf(Math.floor(pair / ASCII)) + characterOf(pair % ASCII))
  return rank === undefined ? ALONE : rank < COMMON_RANK ? 30 : 36
}

const isWord = /^ ?(?:[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+[\r\n]*)$/u
const leads = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\t\u00a0\u3000']

const isToken = new Set(tokens.map(([token]) => token))

/** What stands before a word joins it, and may break it where it forms a token with the beginning of the word. */
function isStable(word: string): boolean {
  if (!/^\p{L}/u.test(word)) return true
  const beginnings = Array.from(word, (_, at) => word.slice(0, at + 1))
  return leads.every(lead => !beginnings.some(beginning => isToken.has(lead + beginning)) || count(lead + word) <= 2)
}

const words = tokens
  .filter(
    ([token, rank]) =>
      rank < RANK_MAX && token.length > 1 && token.length <= WORD_MAX && isWord.test(token) && !ideographs.test(token),
  )
  .map(([token]) => token)
  .filter(isStable)
  .sort()

function frontCoded(words: string[]): string {
  let before = ''
  return words
    .map(word => {
      let shared = 0
      while (shared < SHARED_MAX && word[shared] !== undefined && word[shared] === before[shared]) shared++
      before = word
      return characterOf(shared) + word.slice(shared)
    })
    .join('')
}

const codes = Array.from({ length: CODES }, (_, code) => code)
const kindsOfCodes = codes.map(code => kindOf(characterOf(code)))
const costs = Buffer.concat([
  Uint8Array.from(kindsOfCodes),
  Uint8Array.from(codes, costOf),
  Uint8Array.from(codes, code => (kindsOfCodes[code]! <= 1 ? repeatCostOf(code) : 0)),
  Uint8Array.from({ length: ASCII * ASCII }, (_, pair) => pairCostOf(pair)),
])
await write('token-costs', costs)
await write('known-words', Buffer.from(frontCoded(words), 'utf16le'))

async function write(name: string, table: Buffer) {
  await Bun.write(new URL(`../../src/pure/${name}.gz`, import.meta.url), gzipSync(table, { level: 9 }))
}
