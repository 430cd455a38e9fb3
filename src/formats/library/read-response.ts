/** Reads an answer into a ChatResponse. https://docs.aiproxy.io/dev/library (read 2026-11) */
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { citationsOf, documentsIn, referencesTo } from './references.ts'

/** The API reports neither an id nor the usage. */
export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body) || typeof body.answer !== 'string') return undefined
  const { answer } = body
  const documents = documentsIn(body.documents)
  const citations = citationsOf(documents, answer.length)
  const text = answer + referencesTo(documents)
  return {
    id: '',
    model: '',
    choices: [{ parts: [{ kind: 'text', text, ...(citations.length && { citations }) }], finish: { reason: 'stop' } }],
    doubts: [],
  }
}
