/** What a body says in words, whatever its format: every text in it but names, ids, addresses and bytes. */
import type { Json } from '../../pure/json.ts'

/** Fields that hold no prose in any of the formats that callers speak. */
const wordless = new Set([
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
    for (const key in value) if (isWordy(key, value as Json)) collect((value as Json)[key], texts)
  }
}

/** `data` is bytes, except in Anthropic's plain text documents. */
function isWordy(key: string, { type }: Json): boolean {
  if (key === 'data') return type === 'text'
  return !wordless.has(key) && !isId.test(key)
}
