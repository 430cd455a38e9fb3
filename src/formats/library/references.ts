/** The documents that an answer rests on: citations of it, and a list behind it. https://docs.aiproxy.io/dev/library (read 2026-11) */
import type { Citation } from '../canonical/chat.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'
import type { LibraryDocument } from './wire.ts'

interface Document {
  title: string
  url: string
}

export const documentsIn = (documents: unknown): Document[] =>
  objectsOf<LibraryDocument>(documents)
    .map(({ title, url }) => ({ title: textOf(title) || textOf(url), url: textOf(url) }))
    .filter(({ title }) => title)

/** @returns empty without documents */
export function referencesTo(documents: Document[]): string {
  if (!documents.length) return ''
  const lines = documents.map(({ title, url }, index) => `${index + 1}. [${title}](${url})`)
  return `\n\n## References\n\n${lines.join('\n')}`
}

/** @param length of the answer without the list behind it */
export const citationsOf = (documents: Document[], length: number): Citation[] =>
  documents.flatMap(({ title, url }) => (url ? [{ url, title, start: 0, end: length }] : []))
