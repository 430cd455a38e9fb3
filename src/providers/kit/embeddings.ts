/** Encodings of embeddings: numbers, or base64 of 32-bit floats. */
import type { Json } from '../../pure/json.ts'
import { each, without } from './json-edits.ts'

/** For providers that return numbers and refuse to be asked. */
export const withoutEncoding = (body: Json): Json => without(body, 'encoding_format')

/** OpenAI's own clients ask for base64 and cannot read numbers in its place. @param request the client's body */
export function inRequestedEncoding(body: Json, { encoding_format }: Json): Json {
  if (encoding_format !== 'base64') return body
  return each(body, 'data', item =>
    Array.isArray(item.embedding) ? { ...item, embedding: base64Of(item.embedding) } : item,
  )
}

/** Little-endian floats of four bytes. */
function base64Of(numbers: number[]): string {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (let index = 0; index < numbers.length; index++) bytes.writeFloatLE(numbers[index]!, index * 4)
  return bytes.toString('base64')
}

export const listOf = (input: unknown): unknown[] => (Array.isArray(input) ? input : [input])
