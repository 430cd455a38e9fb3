/** Google's own models on Vertex AI. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference (read 2026-11) */
import { gemini as content } from '../../formats/gemini/index.ts'
import { isObject } from '../../formats/json/checks.ts'
import { objectOf, objectsOf } from '../../formats/json/lenient-json.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import type { Json } from '../../pure/json.ts'
import { contentApis } from '../gemini/content.ts'
import { inRequestedEncoding, listOf } from '../kit/embeddings.ts'
import { each, only, without } from '../kit/json-edits.ts'
import type { Provider } from '../kit/provider.ts'
import type { UpstreamConfig } from '../kit/upstream-config.ts'
import { videoApi } from '../kit/video-api.ts'
import { vertexVideos } from '../videos/veo-vertex.ts'
import { methodUrl, operationUrl } from './address.ts'

/** Instances of one request. https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings (read 2026-11) */
const INSTANCES_MAX = 250

const urlOf = (method: string) => (config: UpstreamConfig, model: string) =>
  methodUrl(config, { publisher: 'google', model, method })

const { chat, ...media } = contentApis(urlOf)

export const googleApis: Provider['apis'] = {
  chat: { ...chat, rewriteRequest: withContents },
  ...media,
  videos: videoApi(vertexVideos({ submitUrl: urlOf('predictLongRunning'), askUrl: operationUrl })),
  embeddings: {
    format: { ...openAiEmbeddings, owner: 'gemini', readError: content.readError },
    url: urlOf('predict'),
    inputs_max: model => (model.startsWith('gemini-embedding') ? 1 : INSTANCES_MAX),
    rewriteRequest: writeInstances,
    rewriteResponse: readPredictions,
  },
}

/** Every content needs a role, and functions are matched by name and place: ids are unknown fields. */
function withContents(body: Json): Json {
  return each(withoutInvocations(body), 'contents', item =>
    each(item.role ? item : { ...item, role: 'user' }, 'parts', withoutId),
  )
}

/** Vertex AI combines its tools with functions unasked. https://ai.google.dev/api/caching#ToolConfig (read 2026-11) */
function withoutInvocations(body: Json): Json {
  const { toolConfig } = body
  return isObject(toolConfig) ? { ...body, toolConfig: without(toolConfig, 'includeServerSideToolInvocations') } : body
}

/** Google's clients may write either. */
const functionFields = ['functionCall', 'functionResponse', 'function_call', 'function_response']

function withoutId(part: Json): Json {
  const name = functionFields.find(field => field in part)
  const called = name && part[name]
  return isObject(called) ? { ...part, [name!]: without(called, 'id') } : part
}

/** @param body with `wishes`, the own fields of Google's clients by text */
function writeInstances({ input, dimensions, wishes }: Json): Json {
  const ownFields = objectsOf(wishes)
  const instances = listOf(input).map((text, index) => {
    const { taskType: task_type, title } = ownFields[index] ?? {}
    return { content: text, ...(task_type !== undefined && { task_type }), ...(title !== undefined && { title }) }
  })
  const outputDimensionality = dimensions ?? ownFields[0]?.outputDimensionality
  const parameters = {
    ...(outputDimensionality !== undefined && { outputDimensionality }),
    ...only(ownFields[0] ?? {}, 'autoTruncate'),
  }
  return { instances, ...(Object.keys(parameters).length && { parameters }) }
}

function readPredictions(body: Json, request: Json): Json {
  if (!Array.isArray(body.predictions)) return body
  const embeddings = objectsOf(body.predictions).map(({ embeddings }) => objectOf(embeddings))
  const data = embeddings.map(({ values }, index) => ({ object: 'embedding', index, embedding: values }))
  const counts = embeddings.map(({ statistics }) => objectOf(statistics).token_count)
  const total = counts.reduce<number>((sum, count) => sum + (Number(count) || 0), 0)
  const usage = total > 0 ? { usage: { prompt_tokens: total, total_tokens: total } } : undefined
  return inRequestedEncoding({ object: 'list', data, model: request.model, ...usage }, request)
}
