/**
 * Parses a JSON body without losing digits, so that what is priced is what is sent. Its shape is checked first, and a
 * large body is parsed in steps: its long texts apart from the rest, which is small.
 */
import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contracts/refusal.ts'
import { nextTurn } from '../../process/next-turn.ts'
import { semaphore } from '../../process/semaphore.ts'
import { type Awaitable, chain } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import { excessCodes, JsonScan, type JsonToken, REQUEST_LIMITS } from '../../pure/json-scan.ts'
import { decode, parseJson } from '../../web/read-body.ts'

/** Smaller bodies are parsed at once. */
const LARGE_BYTES = 262_144
/** Larger bodies are parsed one after another: meanwhile each takes about three times its size. */
const HUGE_BYTES = 8 * 1_048_576
const oneAtATime = semaphore(1)
/** Bytes that are scanned or parsed in one step. */
const STEP_BYTES = 262_144
/** Texts of a large body that are parsed apart from it. */
const LONG_TEXT_BYTES = 1024
const LONG_NUMBER_MAX = 4096
/** Bytes of a text without escapes that are checked in one step. */
const PLAIN_STEP_BYTES = 4_194_304
const BACKSLASH_CODE = 0x5c
const control = /[\0-\x1f]/

/** @param bytes lost when they are many. @throws Refusal 400 */
export function readJson(bytes: Uint8Array): Awaitable<Json> {
  if (bytes.length > HUGE_BYTES) return oneAtATime(() => parseHuge(bytes)).then(objectOf)
  return chain(bytes.length > LARGE_BYTES ? parseInSteps(asBuffer(bytes)) : parse(asBuffer(bytes)), objectOf)
}

function objectOf(body: unknown): Json {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('relay.body_not_object', {}, 400)
  return body as Json
}

/** Frees the bytes at once: the collector would keep them while the next body is read. */
async function parseHuge(bytes: Uint8Array): Promise<unknown> {
  const body = await parseInSteps(asBuffer(bytes))
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  return body
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

function parse(bytes: Buffer): Awaitable<unknown> {
  const scan = new JsonScan(REQUEST_LIMITS)
  push(scan, bytes.toString('latin1'))
  scan.end()
  return parseApart(bytes, scan.tokens)
}

async function parseInSteps(bytes: Buffer): Promise<unknown> {
  const scan = new JsonScan(REQUEST_LIMITS, LONG_TEXT_BYTES)
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    push(scan, bytes.toString('latin1', at, at + STEP_BYTES))
    await nextTurn()
  }
  scan.end()
  return parseApart(bytes, scan.tokens)
}

/**
 * @param text one character per byte: what the scan looks for is ASCII
 * @throws Refusal 400 for a body that would take too long to parse
 */
function push(scan: JsonScan, text: string) {
  if (!scan.push(text)) throw new Refusal(excessCodes[scan.excess!], { limit: REQUEST_LIMITS[scan.excess!] }, 400)
}

/** @param tokens what is parsed apart from the rest; mostly nothing */
const parseApart = (bytes: Buffer, tokens: JsonToken[]): Awaitable<unknown> =>
  tokens.length ? parseTokens(bytes, tokens) : parseJson(decode(bytes))

async function parseTokens(bytes: Buffer, tokens: JsonToken[]): Promise<unknown> {
  const values: Apart[] = []
  const rest: string[] = []
  let end = 0
  let step = 0
  for (const token of tokens) {
    const place = `${PLACE_JSON}${values.length}`
    rest.push(bytes.toString('latin1', end, token.from), token.kind === 'number' ? `"${place}"` : place)
    values.push(token.kind === 'number' ? numberIn(bytes, token) : await textIn(bytes, token))
    step += TOKEN_BYTES + token.to - token.from
    end = token.to
    if (step < STEP_BYTES) continue
    step = 0
    await nextTurn()
  }
  rest.push(bytes.toString('latin1', end))
  const text = decode(Buffer.from(rest.join(''), 'latin1'))
  return new Reassembly(values).of(parseJson(text, { checks_text: false }))
}

/** The value of a token, which stands in a place of its own until the rest is parsed. */
type Apart = unknown

/** Cannot be guessed: no text of a client is taken for a place. */
const PLACE = `\0${randomUUID().slice(0, 8)}`
const PLACE_JSON = JSON.stringify(PLACE).slice(1, -1)
/** What a token costs besides its length. */
const TOKEN_BYTES = 64

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Keeps a whole number beyond 2^53 as written. */
function numberIn(bytes: Buffer, { from, to }: JsonToken): Apart {
  if (to - from > LONG_NUMBER_MAX) return Number.POSITIVE_INFINITY
  const source = bytes.toString('latin1', from, to)
  const value = parseJson(source) as number
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? rawJSON(source) : value
}

async function textIn(bytes: Buffer, { from, to }: JsonToken): Promise<Apart> {
  const part = bytes.subarray(from, to)
  const isPlain = part.length > STEP_BYTES && isAscii(part) && !part.includes(BACKSLASH_CODE)
  return isPlain ? plainText(part) : textInSteps(bytes, from, to)
}

/** A text without escapes, such as an image in base64, is copied once. */
async function plainText(part: Buffer): Promise<string> {
  const text = part.toString('latin1')
  for (let at = 0; at < text.length; at += PLAIN_STEP_BYTES) {
    if (control.test(text.slice(at, at + PLAIN_STEP_BYTES))) throw new Refusal('error.invalid_json', {}, 400)
    await nextTurn()
  }
  return text
}

async function textInSteps(bytes: Buffer, from: number, to: number): Promise<string> {
  const parts: string[] = []
  for (let at = from; at < to; ) {
    const { text, end } = partOfText(bytes, at, to)
    parts.push(text)
    at = end
    if (at < to) await nextTurn()
  }
  const text = parts.length === 1 ? parts[0]! : parts.join('')
  if (!text.isWellFormed() || text.includes('\0')) throw new Refusal('error.invalid_text', {}, 400)
  if (parts.length > 1) await nextTurn()
  return text
}

/** Bytes of the longest escape, and of the longest character. */
const ESCAPE_BYTES = 6

/** One step of a text: its end is moved to where neither an escape nor a character is cut. */
function partOfText(bytes: Buffer, from: number, to: number): { text: string; end: number } {
  let end = Math.min(from + STEP_BYTES, to)
  for (let moved = 0; end < to && moved <= 2 * ESCAPE_BYTES; moved++, end++) {
    if ((bytes[end]! & 0xc0) === 0x80) continue
    const text = stringOf(decode(bytes.subarray(from, end)))
    if (text !== undefined) return { text, end }
  }
  const text = stringOf(decode(bytes.subarray(from, end)))
  if (text === undefined) throw new Refusal('error.invalid_json', {}, 400)
  return { text, end }
}

/** @returns undefined for what is no JSON text, such as one with half an escape at its end */
function stringOf(json: string): string | undefined {
  try {
    return JSON.parse(`"${json}"`)
  } catch {
    return undefined
  }
}

/** Puts the values of the tokens back in their places, and checks the other texts as `parseJson` does. */
class Reassembly {
  constructor(private readonly values: readonly Apart[]) {}

  of(value: unknown, key: string | number = ''): unknown {
    if (typeof value === 'string') return this.#text(value, key)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const item = value[at]
        if (typeof item === 'string' || typeof item === 'object') value[at] = this.of(item, at)
      }
      return value
    }
    const object = value as Json
    for (const name of Object.keys(object)) {
      if (!isStorable(name)) throw new Refusal('error.invalid_text', {}, 400)
      const item = object[name]
      if (typeof item !== 'string' && typeof item !== 'object') continue
      const whole = this.of(item, name)
      if (whole !== item) put(object, name, whole)
    }
    return value
  }

  #text(text: string, key: string | number): unknown {
    if (!text.startsWith(PLACE)) {
      if (!isStorable(text)) throw new Refusal('error.invalid_text', {}, 400)
      return text
    }
    const value = this.values[Number(text.slice(PLACE.length))]
    if (value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) return value
    throw new Refusal('relay.number_too_large', { field: String(key).slice(0, 100) }, 400, String(key).slice(0, 100))
  }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** `__proto__` is a field like any other. */
const put = (object: Json, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
