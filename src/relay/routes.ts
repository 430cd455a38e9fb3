/** The doors for machines. Keys open them, from any origin; no cookie is looked at. */
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'
import { countContentTokens, countMessageTokens } from '../formats/count-tokens.ts'
import { isOverloaded } from '../process/load-shedding.ts'
import { isStopping } from '../process/shutdown.ts'
import { idOf, languageFor } from '../web/request.ts'
import type { ApiCaller, Endpoint } from './call.ts'
import { subscription, usage } from './endpoints/billing-info.ts'
import { countTokens } from './endpoints/count-tokens.ts'
import { endpoints, geminiEndpoint } from './endpoints/endpoints.ts'
import { anthropicModels, findModel, geminiModels, listModels, openAiModels } from './endpoints/list-models.ts'
import { errorFormatFor, isAnthropicClient } from './errors/error-format.ts'
import { explain, headersFor } from './errors/explain.ts'
import { realtime, type Sockets } from './realtime/realtime.ts'
import { type Peer, relay } from './relay.ts'
import { checkAddress } from './request/admit.ts'
import { authenticate } from './request/authenticate.ts'
import { pathOf } from './request/read-request.ts'

interface Visit {
  request: Request
  server: Peer
}

/** Turns whatever the work throws into an answer. */
async function open<T>({ request }: Visit, work: () => Promise<T>): Promise<T | Response> {
  try {
    if (isStopping()) throw new Refusal('relay.stopping', {}, 503)
    if (isOverloaded()) throw new Refusal('relay.overloaded', {}, 503)
    return await work()
  } catch (error) {
    return explain(error, errorFormatFor(request, pathOf(request.url)), {
      request_id: idOf(request),
      language: languageFor(request),
    })
  }
}

const call = (visit: Visit, door: Endpoint) => open(visit, () => relay(visit.request, door, visit.server))

/** A question that costs nothing: the key has to be good, and used from where it may be. */
const ask = (visit: Visit, answer: (caller: ApiCaller) => Promise<unknown>) =>
  open(visit, async () => {
    const caller = await authenticate(visit.request)
    checkAddress(caller, visit.request, visit.server)
    return Response.json(await answer(caller), { headers: headersFor(idOf(visit.request)) })
  })

const refuse = (visit: Visit, refusal: Refusal) => open(visit, () => Promise.reject(refusal))

const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '86400',
}

/** Browsers ask before they call from another page. */
const allowed = () => new Response(null, { status: 204, headers: preflight })

const post = 'POST'

/** Addresses that are known: [path, methods]. */
const known: [RegExp, string][] = [
  ...Object.keys(endpoints).map((path): [RegExp, string] => [new RegExp(`^/v1${path}$`), post]),
  [/^\/v1\/engines\/[^/]+\/embeddings$/, post],
  [/^\/v1\/edits$/, post],
  [/^\/v1\/messages\/count_tokens$/, post],
  [
    /^\/v1(beta)?\/models\/.+:(generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/,
    post,
  ],
  [/^\/v1\/realtime$/, 'GET'],
  [/^\/v1(beta)?\/models$/, 'GET'],
  [/^\/v1\/models\/.+$/, 'GET, DELETE'],
  [/^\/v1beta\/models\/.+$/, 'GET'],
  [/^\/v1\/files$/, 'GET, POST'],
  [/^\/v1\/files\/[^/]+$/, 'GET, DELETE'],
  [/^\/v1\/files\/[^/]+\/content$/, 'GET'],
  [/^\/v1\/fine-tunes$/, 'GET, POST'],
  [/^\/v1\/fine-tunes\/[^/]+(\/events)?$/, 'GET'],
  [/^\/v1\/fine-tunes\/[^/]+\/cancel$/, post],
]

const nowhere = (visit: Visit) => {
  const { method, url } = visit.request
  return refuse(visit, new Refusal('error.invalid_url', { method, path: pathOf(url) }, 404))
}

/** 405 for the wrong method, 501 for what is not there yet, 404 for what will never be. */
function elsewhere(visit: Visit): Promise<Response> {
  const { method, url } = visit.request
  const path = pathOf(url)
  const plain = path.replace(/^\/hf(?=\/)/, '').replace(/\/$/, '')
  const methods = known.find(([pattern]) => pattern.test(plain))?.[1]
  if (!methods) return nowhere(visit)
  if (!methods.split(', ').includes(method))
    return refuse(visit, new Refusal('relay.method_not_allowed', { method, methods }, 405))
  return refuse(visit, new Refusal('relay.api_not_implemented', { path }, 501))
}

const shapeFor = (request: Request) => (isAnthropicClient(request) ? anthropicModels : openAiModels)

/** All of it, below an address: clients of one well-known host put `/hf` before everything. */
function machines(prefix: string) {
  const app = new Elysia({ name: `relay ${prefix}` })
  const unread = { parse: 'none' } as const
  /** A plain string: the router's types would try to take a template apart for ever. */
  const at = (path: string): string => `${prefix}/v1${path}`
  // Visits are taken apart here: for whoever takes one whole, Elysia reads its cookies and makes the answer anew.
  for (const [path, door] of Object.entries(endpoints)) {
    app.post(at(path), ({ request, server }) => call({ request, server }, door), unread)
  }
  app.post(
    at('/engines/:model/embeddings'),
    ({ request, server, params }) => call({ request, server }, embeddingsBy(named(params, 'model'))),
    unread,
  )
  app.get(at('/realtime'), ({ request, server }) =>
    open({ request, server }, () => realtime(request, server as Sockets | null)),
  )
  app.get(at('/models'), ({ request, server }) =>
    ask({ request, server }, caller => listModels(caller, shapeFor(request))),
  )
  app.get(at('/models/*'), ({ request, server, params }) =>
    ask({ request, server }, caller => findModel(caller, decoded(named(params, '*')), shapeFor(request))),
  )
  app.post(at('/models/*'), ({ request, server, params }) => googles({ request, server }, named(params, '*')), unread)
  app.post(
    at('/messages/count_tokens'),
    ({ request, server }) => ask({ request, server }, () => countTokens(request, countMessageTokens)),
    unread,
  )
  app.get(at('/dashboard/billing/subscription'), ({ request, server }) => ask({ request, server }, subscription))
  app.get(at('/dashboard/billing/usage'), ({ request, server }) => ask({ request, server }, usage))
  app.options(at('/*'), allowed)
  app.all(at('/*'), ({ request, server }) => elsewhere({ request, server }), unread)
  return app
}

/** What is to be done stands behind the name of the model. */
function googles(visit: Visit, named: string): Promise<Response> {
  const [, name = '', deed = ''] = /^(.+):(\w+)$/.exec(named) ?? []
  const model = decoded(name)
  if (deed === 'countTokens') {
    return ask(visit, () => countTokens(visit.request, body => countContentTokens(body, model)))
  }
  const door = geminiEndpoint(model, deed, new URL(visit.request.url).searchParams.get('alt'))
  return door ? call(visit, door) : nowhere(visit)
}

/** A part of the address, of which the plain string says nothing to the types. */
const named = (params: object, name: string) => (params as Record<string, string>)[name]!

/** Names may have slashes in them, written in either way. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const embeddingsBy = (model: string): Endpoint => ({ ...endpoints['/embeddings']!, model })

export const relayRoutes = new Elysia({ name: 'relay' })
  .use(machines(''))
  .use(machines('/hf'))
  .post('/rerank', ({ request, server }) => call({ request, server }, endpoints['/rerank']!), { parse: 'none' })
  .get('/dashboard/billing/subscription', ({ request, server }) => ask({ request, server }, subscription))
  .get('/dashboard/billing/usage', ({ request, server }) => ask({ request, server }, usage))
  .get('/v1beta/models', ({ request, server }) => ask({ request, server }, caller => listModels(caller, geminiModels)))
  .get('/v1beta/models/*', ({ request, server, params }) =>
    ask({ request, server }, caller => findModel(caller, decoded(params['*']), geminiModels)),
  )
  .post('/v1beta/models/*', ({ request, server, params }) => googles({ request, server }, params['*']), {
    parse: 'none',
  })
  .options('/v1beta/*', allowed)
  .options('/rerank', allowed)
  .options('/dashboard/billing/*', allowed)
  .all('/v1beta/*', ({ request, server }) => elsewhere({ request, server }), { parse: 'none' })
