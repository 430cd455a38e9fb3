/** The doors for machines. Keys open them, from any origin; no cookie is looked at. */
import { Elysia } from 'elysia'
import { openAiChat } from '../codecs/openai-chat/index.ts'
import { isStopping } from '../kit/life.ts'
import { Refusal } from '../kit/refusal.ts'
import { idOf, languageFor } from '../kit/request.ts'
import { checkAddress } from './admit.ts'
import { authenticate } from './authenticate.ts'
import type { Caller, Door } from './call.ts'
import { explain, headersFor } from './explain.ts'
import { findModel, listModels } from './models.ts'
import { pathOf } from './read-request.ts'
import { relay } from './relay.ts'

const chat: Door = { operation: 'chat', codec: openAiChat }

type Peer = {
  requestIP(request: Request): { address: string } | null
  timeout(request: Request, seconds: number): void
} | null

interface Visit {
  request: Request
  server: Peer
}

/** Lets the call take its time, and turns whatever it throws into an answer. */
async function open({ request, server }: Visit, work: () => Promise<Response>): Promise<Response> {
  server?.timeout(request, 0)
  try {
    if (isStopping()) throw new Refusal('relay.stopping', {}, 503)
    return await work()
  } catch (error) {
    return explain(error, openAiChat, { request_id: idOf(request), language: languageFor(request) })
  }
}

const call = (visit: Visit, door: Door) => open(visit, () => relay(visit.request, door, visit.server))

/** A question that costs nothing: the key has to be good, and used from where it may be. */
const ask = (visit: Visit, answer: (caller: Caller) => Promise<unknown>) =>
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

/** Doors that are known and not built: [path, methods]. A star is one segment. */
const known: [RegExp, string][] = [
  [/^\/v1\/chat\/completions$/, 'POST'],
  [/^\/v1\/models$/, 'GET'],
  [/^\/v1\/models\/.+$/, 'GET, DELETE'],
  [/^\/v1\/(completions|edits|embeddings|moderations|rerank|responses|messages)$/, 'POST'],
  [/^\/v1\/engines\/[^/]+\/embeddings$/, 'POST'],
  [/^\/v1\/images\/(generations|edits|variations)$/, 'POST'],
  [/^\/v1\/audio\/(speech|transcriptions|translations)$/, 'POST'],
  [/^\/v1\/realtime$/, 'GET'],
  [/^\/v1\/files$/, 'GET, POST'],
  [/^\/v1\/files\/[^/]+$/, 'GET, DELETE'],
  [/^\/v1\/files\/[^/]+\/content$/, 'GET'],
  [/^\/v1\/fine-tunes$/, 'GET, POST'],
  [/^\/v1\/fine-tunes\/[^/]+(\/events)?$/, 'GET'],
  [/^\/v1\/fine-tunes\/[^/]+\/cancel$/, 'POST'],
]

/** 405 for the wrong method, 501 for what is not there yet, 404 for what will never be. */
function elsewhere(visit: Visit): Promise<Response> {
  const { method, url } = visit.request
  const path = pathOf(url)
  const methods = known.find(([pattern]) => pattern.test(path.replace(/\/$/, '')))?.[1]
  if (!methods) return refuse(visit, new Refusal('error.invalid_url', { method, path }, 404))
  if (!methods.split(', ').includes(method))
    return refuse(visit, new Refusal('relay.method_not_allowed', { method, methods }, 405))
  return refuse(visit, new Refusal('relay.api_not_implemented', { path }, 501))
}

export const relayRoutes = new Elysia({ name: 'relay' })
  .post('/v1/chat/completions', ({ request, server }) => call({ request, server }, chat), { parse: 'none' })
  .get('/v1/models', ({ request, server }) => ask({ request, server }, listModels))
  .get('/v1/models/*', ({ request, server, params }) =>
    ask({ request, server }, caller => findModel(caller, decodeURIComponent(params['*']))),
  )
  .options('/v1/*', () => new Response(null, { status: 204, headers: preflight }))
  .all('/v1/*', ({ request, server }) => elsewhere({ request, server }), { parse: 'none' })
