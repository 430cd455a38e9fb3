/** The body of generateMessage as it is written here. https://ai.google.dev/palm_docs/palm (read 2026-11) */

export type PalmBody = {
  prompt: { context?: string; messages: PalmMessage[] }
  temperature?: number
  candidateCount?: number
  topP?: number
  topK?: number
}

export type PalmMessage = { author: '0' | '1'; content: string }
