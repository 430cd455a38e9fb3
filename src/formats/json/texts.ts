/** The prose in a body of any format: every text except names, ids, URLs and bytes. */
import type { Json } from '../../pure/json.ts'

/** Fields without prose in every format of clients. */
const withoutProse = new Set([
  ...['model', 'role', 'type', 'object', 'name', 'id', 'user', 'metadata', 'service_tier', 'safety_identifier'],
  ...[
    'prompt_cache_key',
    'url',
    'image_url',
    'file_url',
    'file_data',
    'fileUri',
    'uri',
    'image',
    'audio',
    'mask',
    'b64_json',
  ],
  ...['format', 'media_type', 'mime_type', 'mimeType', 'signature', 'thoughtSignature', 'thought_signature'],
  ...['encrypted_content', 'detail', 'voice', 'size', 'quality'],
])
const isId = /_id$|Id$/

export function textsIn(body: Json): string[] {
  const texts: string[] = []
  collect(body, texts)
  return texts
}

function collect(value: unknown, texts: string[]) {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const item of value) collect(item, texts)
  else if (typeof value === 'object' && value !== null) {
    for (const key in value) if (hasProse(key, value as Json)) collect((value as Json)[key], texts)
  }
}

const mediaFields = ['data', 'file_data', 'url', 'image_url', 'file_url', 'fileUri']

/** @returns the bytes as base64, data URLs and URLs of media in a body of any format */
export function mediaIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mediaIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) =>
    typeof field !== 'string'
      ? mediaIn(field)
      : mediaFields.includes(key) && !hasProse(key, value as Json)
        ? [field]
        : [],
  )
}

/** `data` is bytes, except in Anthropic's documents of plain text. */
function hasProse(key: string, { type }: Json): boolean {
  if (key === 'data') return type === 'text'
  return !withoutProse.has(key) && !isId.test(key)
}
