/** Rerank responses in the form that clients expect. */
import type { Json } from '../../pure/json.ts'
import { each } from './json-edits.ts'

/** Some providers return a document as a bare text. */
export const withDocuments = (body: Json): Json =>
  each(body, 'results', result =>
    typeof result.document === 'string' ? { ...result, document: { text: result.document } } : result,
  )
