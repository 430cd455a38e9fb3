/** Vectors as they were asked for. */
import type { Json } from '../pure/json.ts'
import { each } from './json-edits.ts'

/** Numbers only: for those who know no other way. */
export function asNumbers(body: Json): Json {
  if (body.encoding_format === undefined) return body
  const { encoding_format: _, ...rest } = body
  return rest
}

/** OpenAI's own clients ask for base64, and cannot read numbers where they did. */
export function asAsked(answer: Json, { encoding_format }: Json): Json {
  if (encoding_format !== 'base64') return answer
  return each(answer, 'data', item =>
    Array.isArray(item.embedding) ? { ...item, embedding: base64Of(item.embedding) } : item,
  )
}

/** Floats of four bytes, the lowest first. */
function base64Of(numbers: number[]): string {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (let at = 0; at < numbers.length; at++) bytes.writeFloatLE(numbers[at]!, at * 4)
  return bytes.toString('base64')
}

export const texts = (input: unknown): unknown[] => (Array.isArray(input) ? input : [input])
