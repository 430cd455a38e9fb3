/** Reads the citations of a text. https://docs.cohere.com/docs/rag-citations (read 2026-11) */
import type { Json } from '../../pure/json.ts'
import type { Citation } from '../canonical/chat.ts'
import { numberOf, objectOf, objectsOf, textOf, type UnreadFields } from '../json/lenient-json.ts'
import type { CohereCitation, CohereSource } from './wire.ts'

/** One for each source of a passage. Citations of a plan or of thoughts have no place in other formats. */
export function readCitation({ start, end, type = 'TEXT_CONTENT', sources }: UnreadFields<CohereCitation>): Citation[] {
  if (type !== 'TEXT_CONTENT') return []
  return objectsOf<CohereSource>(sources).map(source => {
    const fields: Json = { ...objectOf(source.document), ...objectOf(source.tool_output) }
    const url = textOf(fields.url)
    const title = textOf(fields.title)
    const quote = textOf(fields.text) || textOf(fields.snippet) || textOf(fields.content)
    return {
      ...(url && { url }),
      ...(title && { title }),
      ...(quote && { quote }),
      start: numberOf(start),
      end: numberOf(end),
      native: { format: 'cohere', value: source },
    }
  })
}
