/** Parses a JSON body without losing digits, so that what is priced is what is sent. */

import { Refusal } from '../../contracts/refusal.ts'
import { DEPTH_MAX, PIECES_MAX } from '../../contracts/relay.ts'
import type { Json } from '../../pure/json.ts'
import { parseJson } from '../../web/read-body.ts'

/** @throws Refusal 400 */
export function readJson(text: string): Json {
  const { depth, pieces } = shapeOf(text)
  if (depth > DEPTH_MAX) throw new Refusal('relay.too_deep', { limit: DEPTH_MAX }, 400)
  if (pieces > PIECES_MAX) throw new Refusal('relay.too_many_pieces', { limit: PIECES_MAX }, 400)
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('relay.body_not_object', {}, 400)
  return (mayLoseDigits.test(text) ? withExactNumbers(text) : body) as Json
}

/** Counts before parsing: a body of nested brackets would exhaust the memory when parsed. */
function shapeOf(text: string): { depth: number; pieces: number } {
  let depth = 0
  let deepest = 0
  let pieces = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      pieces++
      deepest = Math.max(deepest, ++depth)
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return { depth: deepest, pieces }
}

function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let back = end
    while (text.charCodeAt(back - 1) === BACKSLASH && back > from) back--
    if ((end - back) % 2 === 0) return end
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

const mayLoseDigits = /\d{16}|\d[eE]\+?\d{2}/

type WithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown
const { parse, rawJSON } = JSON as unknown as { parse: WithSource; rawJSON(text: string): unknown }

/** Keeps whole numbers beyond 2^53 as written and refuses infinite ones. */
const withExactNumbers = (text: string): unknown =>
  parse(text, (key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    if (!Number.isFinite(value)) throw new Refusal('relay.number_too_large', { field: key }, 400, key)
    return Number.isInteger(value) ? rawJSON(source!) : value
  })
