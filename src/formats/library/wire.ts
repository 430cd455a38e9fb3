/** Bodies of a question, to which the provider adds the knowledge base, and of its answer. https://docs.aiproxy.io/dev/library (read 2026-11) */

export type LibraryBody = { model: string; stream: boolean; query: string }

export type LibraryAnswer = { answer: string; documents?: LibraryDocument[] }

/** The last event has `finish` and the documents. */
export type LibraryEvent = { content: string; finish: boolean; model: string; documents?: LibraryDocument[] }

export type LibraryDocument = { title?: string; url: string }
