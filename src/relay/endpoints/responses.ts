/** Responses by their id: those that the gateway keeps itself, and those that the upstream which made them keeps. */
import { Refusal } from '../../contracts/refusal.ts'
import { RESPONSE_MAX_BYTES } from '../../contracts/relay.ts'
import { forgetStored, recordListed } from '../../domain/stored-objects/index.ts'
import { env } from '../../env.ts'
import { objectsOf } from '../../formats/json/lenient-json.ts'
import { renamedResponse } from '../../formats/openai-responses/background.ts'
import { madeIn } from '../../formats/openai-responses/stored-places.ts'
import { unknownResponse } from '../../formats/stored-errors.ts'
import { readBody, readChunks } from '../../net/upstream-fetch.ts'
import { type Json, parseObject } from '../../pure/json.ts'
import { bodyStream } from '../../stream/body-stream.ts'
import { ClientConnection } from '../../stream/client-connection.ts'
import { eventStream } from '../../stream/sse.ts'
import { idOf } from '../../web/request.ts'
import { eventsResponse } from '../background/event-source.ts'
import { cancelRun, latestOf, removeRun } from '../background/runs.ts'
import type { RelayContext } from '../endpoint.ts'
import { headersFor } from '../errors/explain.ts'
import { Fault } from '../errors/fault.ts'
import { authenticate } from '../request/authenticate.ts'
import { hopsBehind } from '../request/hops.ts'
import { askHolder, type HeldResponse, heldResponse, holderBelow } from '../upstream/ask-holder.ts'

/** @throws Fault 404 in the maker's words for a response that the caller has not made */
export async function retrieveResponse(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const id = idIn(context)
  const { searchParams } = new URL(context.request.url)
  const found = await latestOf(id, user.id)
  if (!found) return forward(context, user.id, { method: 'GET', path: '', search: searchParams.toString() })
  if (searchParams.get('stream') !== 'true') return respond(context, found.response)
  if (!found.is_streamed) throw new Refusal('relay.background_unstreamed', {}, 400, 'stream')
  const after = numberAfter(searchParams.get('starting_after'))
  return eventsResponse(context, idOf(context.request), { id, user_id: user.id, after })
}

/** @throws Refusal 400 */
function numberAfter(text: string | null): number {
  if (text === null || text === '') return -1
  if (!/^\d{1,12}$/.test(text))
    throw new Refusal('relay.field_wrong', { field: 'starting_after' }, 400, 'starting_after')
  return Number(text)
}

export async function deleteResponse(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const id = idIn(context)
  if (!(await latestOf(id, user.id))) {
    const deleted = await forward(context, user.id, { method: 'DELETE', path: '' })
    await forgetStored('response', id)
    return deleted
  }
  await removeRun(id, user.id)
  // The upstream may keep it under an id of its own.
  await forward(context, user.id, { method: 'DELETE', path: '' }).catch(() => undefined)
  await forgetStored('response', id)
  return respond(context, { id, object: 'response', deleted: true })
}

export async function cancelResponse(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const found = await latestOf(idIn(context), user.id)
  if (!found) return forward(context, user.id, { method: 'POST', path: '/cancel' })
  const cancelled = await cancelRun(found, user.id)
  return respond(context, (cancelled ?? found).response)
}

export async function listInputItems(context: RelayContext): Promise<Response> {
  const { user } = await authenticate(context)
  const { search } = new URL(context.request.url)
  return forward(context, user.id, { method: 'GET', path: INPUT_ITEMS, search })
}

/** @throws Fault 404 for an id that PostgreSQL cannot look up: it takes no text with NUL */
function idIn({ params }: RelayContext): string {
  const id = params.id!
  if (id.includes('\0')) throw notFound(id)
  return id
}

const respond = ({ request }: RelayContext, body: Json) => Response.json(body, { headers: headersFor(idOf(request)) })

const INPUT_ITEMS = '/input_items'

interface ForwardedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Behind the id. */
  path: string
  search?: string
}

/** @throws Fault of the upstream, or 404 where none holds the response for this user */
async function forward(
  { request, server, params }: RelayContext,
  user_id: number,
  { method, path, search }: ForwardedRequest,
): Promise<Response> {
  const id = params.id!
  const held = await heldResponse(id, user_id)
  const holder = held && holderBelow(held, `/${encodeURIComponent(held.row.upstream_id || id)}${path}`)
  if (!holder) throw notFound(id)
  const abort = new AbortController()
  request.signal.addEventListener('abort', () => abort.abort())
  const response = await askHolder(holder, { method, search, hops: hopsBehind(request) }, abort).catch(error => {
    // The upstream names it by its own id.
    throw error instanceof Fault && error.status === 404 ? notFound(id) : error
  })
  const headers = headersFor(idOf(request))
  const idle_ms = env.STREAM_IDLE_TIMEOUT * 1000
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const { next } = readChunks(response, abort, idle_ms)
    const connection = new ClientConnection(request, server)
    connection.hold()
    const source = { next, cancelled: () => abort.abort() }
    return new Response(bodyStream(source, connection, user_id), { headers: { ...headers, ...eventStream } })
  }
  const bytes = await readBody(response, abort, { max_bytes: RESPONSE_MAX_BYTES, body_ms: idle_ms })
  if (path === INPUT_ITEMS) await bindItems(bytes, id, held)
  const body = path === '' && held.row.upstream_id ? underOwnId(bytes, id) : bytes
  return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } })
}

const notFound = (id: string) =>
  new Fault({ status: 404, code: 'relay.stored_unknown', retry: false, upstream_error: unknownResponse(id) })

/** The maker gives the client's own items ids too, which later calls can name. */
async function bindItems(bytes: Uint8Array<ArrayBuffer>, id: string, { row, channel, key }: HeldResponse) {
  const items = objectsOf(parseObject(new TextDecoder().decode(bytes))?.data)
  const { user_id, tokens } = row
  const at = { user_id, channel_id: channel.id, key, tokens, response_id: id }
  const named = madeIn(items, true).filter(({ kind }) => kind === 'item')
  await recordListed(named.map(({ kind, id }) => ({ kind, id, ...at })))
}

/** A response that ran in the background has another id at its upstream. */
function underOwnId(bytes: Uint8Array<ArrayBuffer>, id: string) {
  const body = parseObject(new TextDecoder().decode(bytes))
  if (!body) return bytes
  return JSON.stringify(body.deleted ? { ...body, id } : renamedResponse(body, id))
}
