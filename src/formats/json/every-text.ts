/**
 * Collects every text of a body for the estimate of its tokens: strings, numbers and the names of fields, wherever they
 * stand, since no list of fields that upstreams read is complete.
 */
import type { Json } from '../../pure/json.ts'
import type { Countable } from '../format.ts'

/** A message is one, with its role. */
export const PER_OBJECT = 3
/** The quotes, colon and comma of a field. */
const PER_FIELD = 2
const PER_NUMBER = 1
/** Digits of one token. */
const DIGITS_LIMIT = 1000

/** Frame of messages and their parts, which counts with the object. */
const frame = new Set(['role', 'content', 'text', 'type', 'parts'])
const ROLE_MAX = 16

/** Bytes or addresses of media, which count by their size, as long as they are no text. */
const media = new Set([
  ...['url', 'image_url', 'file_url', 'fileUri', 'file_uri', 'uri', 'data', 'file_data', 'b64_json', 'bytes'],
  ...['image', 'audio', 'video', 'mask'],
])
const isMedia = /^(?:data:|https?:|gs:|s3:)|^[\w+/=-]{64}/
/** The largest address. */
const URL_MAX = 8192
const isAddress = /^(?:https?|gs|s3):/

/** What only its maker can read: base64 of compressed thoughts. */
const sealed = new Set([
  ...['encrypted_content', 'signature', 'thoughtSignature', 'thought_signature', 'thinking_signature'],
])
const SEALED_CHARACTERS_PER_TOKEN = 6

/** Fields of requests whose texts count however short they are; in others, a short text is a setting. */
const prose = new Set(['input', 'instructions', 'system', 'prompt', 'suffix', 'query'])
const SETTING_MAX = 64

/** @param without names of fields of a request that are counted otherwise */
export function everyText(body: Json, ...without: string[]): Countable {
  const countable: Countable = { texts: [], tokens: 0 }
  for (const name in body) if (!without.includes(name)) addField(name, body[name], countable)
  return countable
}

function addField(name: string, value: unknown, countable: Countable) {
  if (typeof value === 'object') add(value, '', countable)
  else if (typeof value === 'string' && (value.length > SETTING_MAX || prose.has(name))) countable.texts.push(value)
}

function add(value: unknown, name: string, countable: Countable) {
  if (typeof value === 'string') addText(value, name, countable)
  else if (typeof value === 'number')
    countable.tokens += value > -DIGITS_LIMIT && value < DIGITS_LIMIT ? PER_NUMBER : String(value).length * PER_NUMBER
  else if (Array.isArray(value)) for (const item of value) add(item, name, countable)
  else if (typeof value === 'object' && value !== null) {
    countable.tokens += PER_OBJECT
    for (const field in value) {
      if (!frame.has(field)) {
        countable.texts.push(field)
        countable.tokens += PER_FIELD
      }
      add((value as Json)[field], isPlainText(field, value as Json) ? 'text' : field, countable)
    }
  } else countable.tokens += PER_NUMBER
}

/** Anthropic's documents of plain text. */
const isPlainText = (field: string, { type }: Json): boolean => field === 'data' && type === 'text'

function addText(text: string, name: string, countable: Countable) {
  if (name === 'role' && text.length <= ROLE_MAX) return
  if (sealed.has(name)) countable.tokens += Math.ceil(text.length / SEALED_CHARACTERS_PER_TOKEN)
  else if (!media.has(name) || !isMedia.test(text) || (isAddress.test(text) && text.length > URL_MAX))
    countable.texts.push(text)
}
