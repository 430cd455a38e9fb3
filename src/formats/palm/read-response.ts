/** Reads the response of generateMessage into a ChatResponse. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import type { ChatResponse } from '../canonical/chat.ts'
import { isObject } from '../json/checks.ts'
import { objectsOf, textOf } from '../json/lenient-json.ts'

/** The API reports neither an id nor the usage. */
export function readResponse(body: unknown): ChatResponse | undefined {
  if (!isObject(body)) return undefined
  const candidates = objectsOf(body.candidates)
  if (!candidates.length) return undefined
  return {
    id: '',
    model: '',
    choices: candidates.map(({ content }) => ({
      parts: [{ kind: 'text', text: textOf(content) }],
      finish: { reason: 'stop' },
    })),
    doubts: [],
  }
}
