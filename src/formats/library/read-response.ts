/** Reads an answer into a ChatResponse. https://docs.aiproxy.io/dev/library (read 2026-11) */
import type { ChatResponse } from '../canonical/chat.ts'
import { objectOf } from '../json/lenient-json.ts'
import { citationsOf, documentsIn, referencesTo } from './references.ts'
import type { LibraryAnswer } from './wire.ts'

/** The API reports neither an id nor the usage. */
export function readResponse(body: unknown): ChatResponse | undefined {
  const { answer, documents: listed } = objectOf<LibraryAnswer>(body)
  if (typeof answer !== 'string') return undefined
  const documents = documentsIn(listed)
  const citations = citationsOf(documents, answer.length)
  const text = answer + referencesTo(documents)
  return {
    id: '',
    model: '',
    choices: [{ parts: [{ kind: 'text', text, ...(citations.length && { citations }) }], finish: { reason: 'stop' } }],
    doubts: [],
  }
}
