/**
 * Reads and writes the URL citations in `annotations` of a message.
 * https://platform.openai.com/docs/api-reference/chat (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Citation } from '../canonical/chat.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import type { OpenAiAnnotation } from './wire.ts'

export const readAnnotations = (annotations: unknown): Citation[] => objectsOf(annotations).flatMap(readAnnotation)

function readAnnotation({ type, url_citation }: Json): Citation[] {
  if (type !== 'url_citation') return []
  const { url, title, start_index, end_index } = objectOf(url_citation)
  return [{ url: textOf(url), title: textOf(title), start: numberOf(start_index), end: numberOf(end_index) }]
}

/** @param offset position of `text` in the content of the message */
export function writeAnnotation(
  { url, title = '', start = 0, end }: Citation,
  text: string,
  offset: number,
): OpenAiAnnotation[] {
  if (!url) return []
  const [start_index, end_index] = [offset + start, offset + (end ?? text.length)]
  return [{ type: 'url_citation', url_citation: { start_index, end_index, url, title } }]
}
