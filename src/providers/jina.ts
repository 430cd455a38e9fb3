/** Jina: embeddings of texts and images, and rerank. https://api.jina.ai/scalar (read 2026-11) */
import { isObject } from '../formats/json/checks.ts'
import type { Json } from '../pure/json.ts'
import { inRequestedEncoding } from './kit/embeddings.ts'
import { each, errorBody, without } from './kit/json-edits.ts'
import { openAiCompatible } from './kit/openai-compatible.ts'
import { withDocuments } from './kit/rerank.ts'

export const jina = openAiCompatible({
  type: 38,
  label: 'Jina',
  base_url: 'https://api.jina.ai',
  key_format: 'jina_…',
  quirks: { probe: { model: 'jina-embeddings-v3' } },
  apis: {
    embeddings: {
      rewriteRequest: writeEmbeddingRequest,
      rewriteResponse: (body, request) => inRequestedEncoding(withPromptTokens(body), request),
    },
    rerank: { rewriteRequest: writeRerankRequest, rewriteResponse: body => withDocuments(withPromptTokens(body)) },
  },
  rewriteError,
  listModels: undefined,
})

/** An error is a text, or a list of invalid fields, in `detail`; only the text shows an empty balance. */
function rewriteError(body: Json): Json {
  const { detail } = body
  return typeof detail === 'string' && /insufficient.*balance/i.test(detail)
    ? errorBody(detail, 'insufficient_quota', '')
    : body
}

/** Vectors are numbers unless `embedding_type` is set; OpenAI's other fields are refused. https://jina.ai/embeddings (read 2026-11) */
function writeEmbeddingRequest(body: Json): Json {
  return each(without(body, 'encoding_format', 'user'), 'input', withOwnImage)
}

/** An image is a URL or bare base64; other APIs write it as `image_url`, inline as a data URL. */
function withOwnImage(input: Json): Json {
  const { type: _, image_url, image = isObject(image_url) ? image_url.url : image_url, ...others } = input
  if (typeof image !== 'string') return input
  return { ...others, image: image.replace(/^data:[^,]*;base64,/, '') }
}

/** 0 documents are not «all of them». https://jina.ai/reranker (read 2026-11) */
function writeRerankRequest(body: Json): Json {
  return body.top_n === 0 ? without(body, 'top_n') : body
}

/** All tokens are those of the input; some models report only the sum. */
function withPromptTokens(body: Json): Json {
  const { usage } = body
  if (!isObject(usage) || usage.prompt_tokens !== undefined) return body
  return { ...body, usage: { ...usage, prompt_tokens: usage.total_tokens } }
}
