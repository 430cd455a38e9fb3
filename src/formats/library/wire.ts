/** The body of a question, to which the provider adds the knowledge base. https://docs.aiproxy.io/dev/library (read 2026-11) */

export type LibraryBody = { model: string; stream: boolean; query: string }
