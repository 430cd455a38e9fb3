/**
 * Reads and writes the `annotations` of output text.
 * https://platform.openai.com/docs/api-reference/responses (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Citation } from '../canonical/chat.ts'
import { numberOf, objectsOf, textOf } from '../json/lenient-json.ts'
import type { ResponsesAnnotation } from './wire.ts'

export const readAnnotations = (annotations: unknown): Citation[] => objectsOf(annotations).map(readAnnotation)

export function readAnnotation(value: Json): Citation {
  const url = textOf(value.url)
  if (!url) return { title: textOf(value.filename), native: { format: 'openai-responses', value } }
  return { url, title: textOf(value.title), start: numberOf(value.start_index), end: numberOf(value.end_index) }
}

/** @returns undefined for a source without URL that was not read from this format */
export function writeAnnotation(
  { url, title = '', start = 0, end, native }: Citation,
  text: string,
): ResponsesAnnotation | undefined {
  if (native?.format === 'openai-responses') return native.value as ResponsesAnnotation
  return url ? { type: 'url_citation', url, title, start_index: start, end_index: end ?? text.length } : undefined
}
