/** Ranked documents as callers know them. */
import type { Json } from '../pure/json.ts'
import { each } from './json-edits.ts'

/** Some give back a document's bare text. */
export const withDocuments = (answer: Json): Json =>
  each(answer, 'results', result =>
    typeof result.document === 'string' ? { ...result, document: { text: result.document } } : result,
  )
