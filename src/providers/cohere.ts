/** Cohere: chat, embeddings and rerank of its API, version 2. https://docs.cohere.com/reference/about (read 2026-11) */
import { readError } from '../formats/cohere/api-error.ts'
import { cohereChat } from '../formats/cohere/index.ts'
import { isObject } from '../formats/json/checks.ts'
import { objectOf } from '../formats/json/lenient-json.ts'
import { openAiEmbeddings } from '../formats/openai-embeddings/index.ts'
import { rerank } from '../formats/rerank/index.ts'
import type { Json } from '../pure/json.ts'
import { baseUrlOf, withoutVersion } from './kit/base-url.ts'
import { inRequestedEncoding, listOf } from './kit/embeddings.ts'
import { each, only } from './kit/json-edits.ts'
import { provider } from './kit/provider.ts'
import type { UpstreamConfig } from './kit/upstream-config.ts'
import { fieldOf, namesIn, pagesFrom } from './kit/upstream-query.ts'

const BASE_URL = 'https://api.cohere.ai'
const INPUTS_MAX = 96
const PAGE_MAX = 1000

const urlOf = (path: string) => (config: UpstreamConfig) => withoutVersion(baseUrlOf(config, BASE_URL)) + path

const modelsUrl = urlOf(`/v1/models?page_size=${PAGE_MAX}`)

export const cohere = provider({
  type: 34,
  label: 'Cohere',
  base_url: BASE_URL,
  quirks: { probe: { model: 'command-r7b-12-2024' } },
  authorize: ({ key }) => ({ authorization: `Bearer ${key}` }),
  apis: {
    chat: { format: cohereChat, url: urlOf('/v2/chat') },
    embeddings: {
      format: { ...openAiEmbeddings, readError },
      url: urlOf('/v2/embed'),
      inputs_max: () => INPUTS_MAX,
      rewriteRequest: writeEmbeddingRequest,
      rewriteResponse: readEmbeddings,
    },
    rerank: {
      format: { ...rerank, readError },
      url: urlOf('/v2/rerank'),
      rewriteRequest: writeRerankRequest,
      rewriteResponse: readRerank,
    },
  },
  // https://docs.cohere.com/reference/list-models (read 2026-11)
  *listModels(config) {
    const url = modelsUrl(config)
    return yield* pagesFrom(url, namesIn('models', 'name'), body => {
      const next = fieldOf(body, 'next_page_token')
      return next ? `${url}&page_token=${encodeURIComponent(String(next))}` : undefined
    })
  },
})

/** The purpose of the vectors is required. https://docs.cohere.com/reference/embed (read 2026-11) */
function writeEmbeddingRequest(body: Json): Json {
  const { model, input, dimensions, input_type = 'search_document', output_dimension = dimensions } = body
  const inputs = listOf(input)
  return {
    model,
    ...(inputs.some(isObject) ? { inputs: inputs.map(writeInput) } : { texts: inputs }),
    input_type,
    embedding_types: ['float'],
    ...(output_dimension !== undefined && { output_dimension }),
    ...only(body, 'truncate', 'max_tokens', 'priority'),
  }
}

/** A text, or an object with a text or an image as Jina and OpenAI write it. */
function writeInput(input: unknown): Json {
  if (!isObject(input)) return { content: [{ type: 'text', text: input }] }
  if (Array.isArray(input.content)) return input
  const { text, image, image_url } = input
  const url = isObject(image_url) ? image_url.url : (image_url ?? image)
  const content: Json[] = text === undefined ? [] : [{ type: 'text', text }]
  return { content: url === undefined ? content : [...content, { type: 'image_url', image_url: { url } }] }
}

function readEmbeddings(body: Json, request: Json): Json {
  const { embeddings, meta } = body
  const vectors = isObject(embeddings) ? embeddings.float : embeddings
  if (!Array.isArray(vectors)) return body
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = embeddingUsage(fieldOf(meta, 'billed_units'))
  return inRequestedEncoding({ object: 'list', data, model: request.model, ...(usage && { usage }) }, request)
}

/** Images are billed in tokens of their own. */
function embeddingUsage(units: unknown): Json | undefined {
  const { input_tokens, image_tokens } = objectOf(units)
  const prompt_tokens = Number(input_tokens ?? 0) + Number(image_tokens ?? 0)
  return prompt_tokens ? { prompt_tokens, total_tokens: prompt_tokens } : undefined
}

/** Documents are texts; other data is best written as YAML, of which JSON is a part. https://docs.cohere.com/reference/rerank (read 2026-11) */
function writeRerankRequest(body: Json): Json {
  const { documents, top_n } = body
  return {
    ...only(body, 'model', 'query', 'max_tokens_per_doc', 'priority'),
    documents: listOf(documents).map(textOfDocument),
    ...(top_n ? { top_n } : undefined),
  }
}

function textOfDocument(document: unknown): unknown {
  if (!isObject(document)) return document
  return Object.keys(document).length === 1 && typeof document.text === 'string'
    ? document.text
    : JSON.stringify(document)
}

/** Version 2 returns no documents: clients who ask for them get their own. */
function readRerank(body: Json, { documents, return_documents }: Json): Json {
  if (return_documents !== true) return body
  const own = listOf(documents)
  return each(body, 'results', result => {
    const document = own[Number(result.index)]
    return document === undefined ? result : { ...result, document: isObject(document) ? document : { text: document } }
  })
}
