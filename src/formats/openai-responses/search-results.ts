/**
 * Marks in a text that cite the results of a search, as Perplexity writes them: `[2]` cites the second one.
 * https://docs.perplexity.ai/docs/cookbook/articles/streaming-citations/README (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'
import type { Citation } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'

interface Mark {
  number: number
  start: number
  end: number
}

export const marksIn = (text: string): Mark[] =>
  Array.from(text.matchAll(/\[(\d{1,3})\]/g), ({ 0: mark, 1: number, index }) => ({
    number: Number(number),
    start: index,
    end: index + mark.length,
  }))

export const resultsIn = (item: Json): Json[] => (item.type === 'search_results' ? objectsOf(item.results) : [])

/** The citations of a part of a message by its marks; none when the upstream itself has annotated it. */
export function citationsIn({ type, text, annotations }: Json, results: Json[]): Citation[] {
  if (!results.length || type !== 'output_text' || objectsOf(annotations).length) return []
  return marksIn(textOf(text)).flatMap(({ number, start, end }) => {
    const source = results.find(({ id }) => id === number)
    return source ? [{ url: textOf(source.url), title: textOf(source.title), start, end }] : []
  })
}
