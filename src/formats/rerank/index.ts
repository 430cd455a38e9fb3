/**
 * Rerank as Jina, Cohere and others share it: documents ordered by relevance to a query. https://jina.ai/reranker and
 * https://docs.cohere.com/reference/rerank (read 2026-11)
 */
import { estimateTokens } from '../../pure/estimate-tokens.ts'
import type { Json } from '../../pure/json.ts'
import { bodyTokens, countableInput, inputText, isInput, joined } from '../embedding-input.ts'
import { countFlaw, type Flaw, firstOf, isAbsent, isObject, required, wrong } from '../json/checks.ts'
import { nonGenerative } from '../non-generative.ts'

const DOCUMENTS_MAX = 10_000

export const rerank = nonGenerative({
  name: 'rerank',
  flaw: body => firstOf(queryFlaw(body), documentsFlaw(body), countFlaw(body, 'top_n', 0, DOCUMENTS_MAX)),
  // The query counts once for each document.
  promptTokens({ query, ...body }) {
    const { documents } = body
    return bodyTokens(body, 'documents') + estimateTokens(query as string) * (documents as unknown[]).length
  },
  countablePrompt: ({ query, documents }) =>
    joined([countableInput(documents), { texts: Array((documents as unknown[]).length).fill(query), tokens: 0 }]),
  promptText: ({ query, documents }) => `${query}\n${inputText(documents)}`,
  results: response => response.results,
  report,
})

function queryFlaw({ query }: Json): Flaw | undefined {
  if (isAbsent(query) || query === '') return required('query')
  if (typeof query !== 'string') return wrong('query')
}

function documentsFlaw({ documents }: Json): Flaw | undefined {
  if (isAbsent(documents)) return required('documents')
  if (!Array.isArray(documents) || documents.length > DOCUMENTS_MAX || !isInput(documents)) return wrong('documents')
}

/**
 * Jina reports `usage`. Cohere reports `meta` with billed units or tokens; a search unit counts as one call for prices
 * per call.
 */
function report({ usage, meta }: Json): Json | undefined {
  if (isObject(usage)) return usage
  if (!isObject(meta)) return undefined
  const { tokens, billed_units } = meta
  const counts = [billed_units, tokens].filter(isObject)
  return {
    total_tokens: counts.find(count => count.input_tokens)?.input_tokens,
    search_units: isObject(billed_units) ? billed_units.search_units : undefined,
  }
}
