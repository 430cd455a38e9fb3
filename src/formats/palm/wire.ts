/** Bodies of generateMessage as far as they are written and read here. https://ai.google.dev/palm_docs/palm (read 2026-11) */

export type PalmBody = {
  prompt: { context?: string; messages: PalmMessage[] }
  temperature?: number
  candidateCount?: number
  topP?: number
  topK?: number
}

export type PalmMessage = { author: '0' | '1'; content: string }

/** All candidates may be filtered. */
export type PalmResponse = { candidates?: PalmMessage[]; filters?: PalmFilter[]; messages?: PalmMessage[] }

export type PalmFilter = { reason: string; message?: string }
