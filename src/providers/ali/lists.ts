/**
 * DashScope's embeddings and rerank. https://help.aliyun.com/zh/model-studio/text-embedding-synchronous-api and
 * https://help.aliyun.com/zh/model-studio/text-rerank-api (read 2026-11)
 */
import { withErrorType } from '../../formats/ali/api-error.ts'
import { objectOf, objectsOf } from '../../formats/json/lenient-json.ts'
import type { Json } from '../../pure/json.ts'
import { inRequestedEncoding, listOf } from '../kit/embeddings.ts'
import { only, renamed } from '../kit/json-edits.ts'
import type { ApiDeclaration } from '../kit/openai-compatible.ts'
import { withDocuments } from '../kit/rerank.ts'

const [INPUTS_MAX, OLDER_INPUTS_MAX] = [10, 25]

const inputs_max = (model: string): number => (/-v[12]$/.test(model) ? OLDER_INPUTS_MAX : INPUTS_MAX)

/** Vectors are numbers alone. */
export const embeddings: ApiDeclaration = {
  inputs_max,
  rewriteRequest: body => ('encoding_format' in body ? { ...body, encoding_format: 'float' } : body),
}

const ownFields = ['text_type', 'output_type', 'instruct'] as const

/** Fields that only the native API knows. */
export const isNative = (body: Json | undefined): boolean => ownFields.some(name => body?.[name] !== undefined)

export const nativeEmbeddings: ApiDeclaration = {
  path: '/api/v1/services/embeddings/text-embedding/text-embedding',
  inputs_max,
  rewriteRequest: body => ({
    model: body.model,
    input: { texts: listOf(body.input) },
    parameters: only(renamed(body, 'dimensions', 'dimension'), 'dimension', ...ownFields),
  }),
  rewriteResponse: readEmbeddings,
}

function readEmbeddings(body: Json, request: Json): Json {
  const { embeddings: vectors } = objectOf(body.output)
  if (!Array.isArray(vectors)) return withErrorType(body)
  const sorted = objectsOf(vectors).toSorted((one, other) => Number(one.text_index) - Number(other.text_index))
  const data = sorted.map(({ text_index: index, ...vector }) => ({ object: 'embedding', index, ...vector }))
  const { total_tokens } = objectOf(body.usage)
  const usage = { prompt_tokens: total_tokens, total_tokens }
  return inRequestedEncoding({ object: 'list', data, model: request.model, usage }, request)
}

export const rerank: ApiDeclaration = {
  path: '/api/v1/services/rerank/text-rerank/text-rerank',
  rewriteRequest: ({ model, query, documents, top_n, ...others }) => ({
    model,
    input: { query, documents },
    // 0 means all of them to some clients, and none to DashScope.
    parameters: { ...(top_n ? { top_n } : {}), ...only(others, 'return_documents', 'instruct') },
  }),
  rewriteResponse(body) {
    const { results } = objectOf(body.output)
    if (!Array.isArray(results)) return withErrorType(body)
    return withDocuments({ id: body.request_id, results, usage: body.usage })
  },
}
