/**
 * Reads and writes the citations of a text block.
 * https://docs.anthropic.com/en/docs/build-with-claude/citations (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Citation } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'
import type { AnthropicCitation } from './wire.ts'

export const readCitations = (citations: unknown): Citation[] => objectsOf(citations).map(readCitation)

/** A citation applies to its whole text block, so it has no start or end. */
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

/** @returns undefined for a source without URL that was not read from this format */
export function writeCitation({ url, title = '', quote = '', native }: Citation): AnthropicCitation | undefined {
  if (native?.format === 'anthropic') return native.value as AnthropicCitation
  if (!url) return undefined
  return { type: 'web_search_result_location', url, title, cited_text: quote, encrypted_index: '' }
}
