/** Reads the response of generateMessage into a ChatResponse. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import type { ChatResponse } from '../canonical/chat.ts'
import { objectOf, objectsOf, textOf } from '../json/lenient-json.ts'
import type { PalmMessage, PalmResponse } from './wire.ts'

/** The API reports neither an id nor the usage. */
export function readResponse(body: unknown): ChatResponse | undefined {
  const candidates = objectsOf<PalmMessage>(objectOf<PalmResponse>(body).candidates)
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
