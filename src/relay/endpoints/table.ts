/**
 * The table of API routes. A row gives registration (paths under /v1 also under /hf), preflight, 405, 501 and the format
 * of errors. Its prefix exempts it from rate limits by client address.
 */
import { TRY_IT_PATH } from '../../contracts/try-it.ts'
import { anthropic } from '../../formats/anthropic/index.ts'
import { countContentTokens, countMessageTokens } from '../../formats/count-tokens.ts'
import type { ClientFormat } from '../../formats/format.ts'
import { batchEmbedContents, embedContent } from '../../formats/gemini/embeddings.ts'
import { gemini } from '../../formats/gemini/index.ts'
import { openAiChat } from '../../formats/openai-chat/index.ts'
import { openAiCompletions } from '../../formats/openai-completions/index.ts'
import { openAiEmbeddings } from '../../formats/openai-embeddings/index.ts'
import { imageEdits, imageVariations } from '../../formats/openai-images/index.ts'
import { openAiModerations } from '../../formats/openai-moderations/index.ts'
import { openAiRealtime } from '../../formats/openai-realtime/index.ts'
import { openAiCompaction, openAiResponses } from '../../formats/openai-responses/index.ts'
import { openAiSpeech } from '../../formats/openai-speech/index.ts'
import { openAiTranscriptions } from '../../formats/openai-transcriptions/index.ts'
import { rerank } from '../../formats/rerank/index.ts'
import type { Operation } from '../../providers/index.ts'
import type { ApiRoute, Endpoint, RelayContext } from '../endpoint.ts'
import { anthropicErrors, geminiErrors, isAnthropicClient, openAiErrors, sharedErrors } from '../errors/error-format.ts'
import { checkUpgrade } from '../realtime/open-realtime.ts'
import { relay } from '../relay.ts'
import { jimengErrors, klingErrors, makerVideoRoutes } from '../tasks/maker-videos.ts'
import { midjourneyErrors, midjourneyRoutes } from '../tasks/midjourney.ts'
import { pictureRoutes } from '../tasks/pictures.ts'
import { playgroundTaskRoutes } from '../tasks/playground-tasks.ts'
import { sunoErrors, sunoRoutes } from '../tasks/suno.ts'
import { fileRoutes } from '../tasks/task-file.ts'
import { videoRoutes } from '../tasks/videos.ts'
import { subscription, usage } from './billing-info.ts'
import { budgetUsage } from './budget-usage.ts'
import { countInputTokens } from './count-input-tokens.ts'
import { countTokens } from './count-tokens.ts'
import { findModel, listModels } from './list-models.ts'
import { lookup } from './lookup.ts'
import { anthropicModels, geminiModels, openAiModels } from './model-formats.ts'
import { cancelResponse, deleteResponse, listInputItems, retrieveResponse } from './responses.ts'
import { tokenUsage } from './token-usage.ts'

/** A call whose model stands in the body. */
function call(
  path: ApiRoute['path'],
  format: ClientFormat,
  operation: Operation,
  { form, below, errors = openAiErrors }: Pick<Endpoint, 'form' | 'below'> & Partial<Pick<ApiRoute, 'errors'>> = {},
): ApiRoute {
  const endpoint = { operation, format, form, below }
  return { method: 'POST', path, errors, operation, ...relayed(() => endpoint) }
}

const relayed = (endpoint: (context: RelayContext) => Endpoint): Pick<ApiRoute, 'endpoint' | 'handle'> => ({
  endpoint,
  handle: context => relay(context, endpoint(context)),
})

/** Gemini's path names the model and, by its verb, the operation; the query may ask for events. */
function geminiRoutes(prefix: '/v1' | '/v1beta'): ApiRoute[] {
  const route = (verb: string, rest: Pick<ApiRoute, 'operation' | 'endpoint' | 'handle'>): ApiRoute => ({
    method: 'POST',
    path: `${prefix}/models/*:${verb}`,
    errors: geminiErrors,
    key_in_query: true,
    ...rest,
  })
  const operationRoute = (
    verb: string,
    operation: Operation,
    format: ClientFormat,
    stream?: (request: Request) => Endpoint['stream'],
  ) =>
    route(verb, {
      operation,
      ...relayed(context => ({ operation, format, model: modelIn(context), stream: stream?.(context.request) })),
    })
  return [
    operationRoute('generateContent', 'chat', gemini, () => false),
    operationRoute('streamGenerateContent', 'chat', gemini, streamIn),
    operationRoute('embedContent', 'embeddings', embedContent),
    operationRoute('batchEmbedContents', 'embeddings', batchEmbedContents),
    route('countTokens', {
      handle: lookup((caller, context) =>
        countTokens(caller, context.request, body => countContentTokens(body, modelIn(context))),
      ),
    }),
  ]
}

const streamIn = ({ url }: Request) => new URL(url).searchParams.get('alt') === 'sse' || 'array'

/** The model name before the verb; slashes may be encoded. */
function modelIn({ params, route }: RelayContext): string {
  const [, verb = ''] = route.path.split('*')
  return decoded(params['*']!.slice(0, params['*']!.length - verb.length))
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const get = (path: ApiRoute['path'], bodyOf: Parameters<typeof lookup>[0], errors = openAiErrors): ApiRoute => ({
  method: 'GET',
  path,
  errors,
  key_in_query: errors === geminiErrors,
  handle: lookup(bodyOf),
})

const ofResponses = (
  method: ApiRoute['method'],
  path: ApiRoute['path'],
  handle: NonNullable<ApiRoute['handle']>,
): ApiRoute => ({ method, path, errors: openAiErrors, handle })

const unavailable = (method: ApiRoute['method'], path: ApiRoute['path']): ApiRoute => ({
  method,
  path,
  errors: sharedErrors,
})

const modelList = ({ request }: RelayContext) => (isAnthropicClient(request) ? anthropicModels : openAiModels)

const realtime: Endpoint = { operation: 'realtime', format: openAiRealtime }

async function handleRealtime(context: RelayContext) {
  checkUpgrade(context.request)
  return relay(context, realtime)
}

/** Loaded with its first call: it needs the console's sessions, which a gateway that only relays does not. */
const playground: ApiRoute = {
  method: 'POST',
  path: '/pg/chat/completions',
  errors: openAiErrors,
  by_session: true,
  handle: async context => (await import('../playground.ts')).relayPlayground(context, chat),
}

/** Loaded with its first call, as the playground. */
const tryIt: ApiRoute = {
  method: 'POST',
  path: TRY_IT_PATH,
  errors: openAiErrors,
  by_visitor: true,
  handle: async context => (await import('../try-it.ts')).relayTryIt(context),
}

const chat: Endpoint = { operation: 'chat', format: openAiChat }

export const apiRoutes: readonly ApiRoute[] = [
  call('/v1/chat/completions', openAiChat, 'chat'),
  playground,
  tryIt,
  call('/v1/responses', openAiResponses, 'responses'),
  call('/v1/responses/compact', openAiCompaction, 'responses', { below: '/compact' }),
  ofResponses('POST', '/v1/responses/input_tokens', countInputTokens),
  ofResponses('GET', '/v1/responses/:id', retrieveResponse),
  ofResponses('DELETE', '/v1/responses/:id', deleteResponse),
  ofResponses('POST', '/v1/responses/:id/cancel', cancelResponse),
  ofResponses('GET', '/v1/responses/:id/input_items', listInputItems),
  call('/v1/messages', anthropic, 'chat', { errors: anthropicErrors }),
  call('/v1/completions', openAiCompletions, 'completions'),
  call('/v1/embeddings', openAiEmbeddings, 'embeddings'),
  ...pictureRoutes,
  call('/v1/images/edits', imageEdits, 'image_edits', { form: 'optional' }),
  call('/v1/images/variations', imageVariations, 'image_variations', { form: 'optional' }),
  call('/v1/audio/speech', openAiSpeech, 'speech'),
  call('/v1/audio/transcriptions', openAiTranscriptions, 'transcriptions', { form: 'recording' }),
  call('/v1/audio/translations', openAiTranscriptions, 'translations', { form: 'recording' }),
  call('/v1/moderations', openAiModerations, 'moderations'),
  call('/v1/rerank', rerank, 'rerank'),
  call('/rerank', rerank, 'rerank'),
  {
    method: 'POST',
    path: '/v1/engines/:model/embeddings',
    errors: openAiErrors,
    operation: 'embeddings',
    ...relayed(({ params }) => ({ operation: 'embeddings', format: openAiEmbeddings, model: params.model })),
  },
  { method: 'GET', path: '/v1/realtime', errors: openAiErrors, operation: 'realtime', handle: handleRealtime },
  ...geminiRoutes('/v1'),
  ...geminiRoutes('/v1beta'),
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    errors: anthropicErrors,
    handle: lookup((caller, { request }) => countTokens(caller, request, countMessageTokens)),
  },
  get('/v1/models', (caller, context) => listModels(caller, modelList(context), context.request), sharedErrors),
  get('/v1/models/*', (caller, context) => findModel(caller, modelIn(context), modelList(context)), sharedErrors),
  get('/v1beta/models', (caller, { request }) => listModels(caller, geminiModels, request), geminiErrors),
  get('/v1beta/models/*', (caller, context) => findModel(caller, modelIn(context), geminiModels), geminiErrors),
  get('/v1/dashboard/billing/subscription', subscription),
  get('/v1/dashboard/billing/usage', usage),
  get('/dashboard/billing/subscription', subscription),
  get('/dashboard/billing/usage', usage),
  get('/api/usage/token', tokenUsage),
  get('/v1/usage', budgetUsage),
  ...sunoRoutes,
  ...midjourneyRoutes,
  ...videoRoutes,
  ...makerVideoRoutes,
  ...fileRoutes,
  ...playgroundTaskRoutes,
  unavailable('POST', '/v1/edits'),
  unavailable('DELETE', '/v1/models/*'),
  unavailable('GET', '/v1/fine-tunes'),
  unavailable('POST', '/v1/fine-tunes'),
  unavailable('GET', '/v1/fine-tunes/:id'),
  unavailable('GET', '/v1/fine-tunes/:id/events'),
  unavailable('POST', '/v1/fine-tunes/:id/cancel'),
]

/** Paths without a row below these answer 404 or 405 in this format. */
export const apiPrefixes: readonly Pick<ApiRoute, 'path' | 'errors'>[] = [
  { path: '/v1/messages', errors: anthropicErrors },
  { path: '/v1beta', errors: geminiErrors },
  { path: '/upload/v1beta', errors: geminiErrors },
  { path: '/suno', errors: sunoErrors },
  { path: '/mj', errors: midjourneyErrors },
  { path: '/kling', errors: klingErrors },
  { path: '/jimeng', errors: jimengErrors },
  { path: '/v1', errors: sharedErrors },
]
