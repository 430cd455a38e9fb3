import type { Json } from '../../pure/json.ts'
import type { Citation } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'

export const readCitations = (citations: unknown): Citation[] => objectsOf(citations).map(readCitation)

/** A citation stands for the whole of its text block, so no position is said. */
export function readCitation(value: Json): Citation {
  const title = textOf(value.title) || textOf(value.document_title)
  const url = textOf(value.url) || (/^https?:/.test(textOf(value.source)) ? textOf(value.source) : '')
  return {
    ...(url && { url }),
    ...(title && { title }),
    ...(textOf(value.cited_text) && { quote: textOf(value.cited_text) }),
    native: { format: 'anthropic', value },
  }
}

/** @returns undefined for a source that is not on the web: it has no place in this format unless it came in it. */
export function writeCitation({ url, title = '', quote = '', native }: Citation): Json | undefined {
  if (native?.format === 'anthropic') return native.value
  if (!url) return undefined
  return { type: 'web_search_result_location', url, title, cited_text: quote, encrypted_index: '' }
}
