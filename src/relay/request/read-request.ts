/** What is asked for: the body, read once and checked once. */

import { Refusal } from '../../contracts/refusal.ts'
import { HOP_HEADER } from '../../contracts/relay.ts'
import { sign } from '../../crypto/sealing.ts'
import { stopwatch } from '../../process/clock.ts'
import type { Json } from '../../pure/json.ts'
import { ClientConnection, type TimeoutControl } from '../../stream/client-connection.ts'
import { decode } from '../../web/read-body.ts'
import { idOf, languageFor } from '../../web/request.ts'
import type { Call, Endpoint } from '../call.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import { readInflated } from './inflate.ts'
import { MultipartForm } from './multipart-form.ts'
import { readJson } from './read-json.ts'

/** @throws Refusal 4xx that names what is wrong, 508 for a call that has been here before. */
export async function readRequest(request: Request, endpoint: Endpoint, server: TimeoutControl): Promise<Call> {
  const elapsed = stopwatch()
  const hops = nextHops(request.headers.get(HOP_HEADER))
  const { body, form } = await readBody(request, endpoint)
  const facts = endpoint.format.readFacts(body)
  if ('code' in facts) {
    await form?.close()
    throw new Refusal(facts.code, facts.params, 400, facts.param ?? undefined)
  }
  return {
    endpoint,
    request_id: idOf(request),
    path: pathOf(request.url),
    // Asked for only when something has to be said.
    get language() {
      return languageFor(request)
    },
    facts,
    body,
    form,
    prompt_tokens: endpoint.format.promptTokens(body),
    elapsed,
    disconnected: request.signal,
    connection: new ClientConnection(request, server),
    hops,
    client_headers: forwardedHeaders(request.headers),
    attempts: [],
  }
}

async function readBody(request: Request, endpoint: Endpoint): Promise<{ body: Json; form?: MultipartForm }> {
  const is_form = endpoint.form && /^multipart\/form-data/i.test(request.headers.get('content-type') ?? '')
  if (is_form) {
    const form = await MultipartForm.read(request)
    return { form, body: await form.fields({ with_seconds: endpoint.form === 'recording' }) }
  }
  if (endpoint.is_websocket) return { body: { model: new URL(request.url).searchParams.get('model') } }
  if (endpoint.form === 'recording') throw new Refusal('relay.form_required', {}, 415)
  const body = await readJsonOf(request)
  return { body: endpoint.model === undefined ? body : { ...body, ...saidIn(endpoint) } }
}

/** @throws Refusal 4xx, Abandoned when the caller leaves before all of it has come */
export async function readJsonOf(request: Request): Promise<Json> {
  const bytes = await readInflated(request).catch(error => {
    throw request.signal.aborted ? new ClientDisconnected() : error
  })
  return readJson(decode(bytes))
}

/** What others say in the body, the address says here. */
const saidIn = ({ model, stream }: Endpoint): Json =>
  stream === undefined ? { model } : { model, stream: stream !== false }

export const pathOf = (url: string) => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}

/** Of what a client sends along, what an upstream may see. */
const forwarded = ['openai-beta', 'anthropic-beta', 'anthropic-version']

/** How a page says the same, which can set no headers for its socket. */
const BETA_PROTOCOL = 'openai-beta.realtime-v1'

function forwardedHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of forwarded) {
    const value = headers.get(name)
    if (value !== null) kept[name] = value
  }
  if (headers.get('sec-websocket-protocol')?.includes(BETA_PROTOCOL)) kept['openai-beta'] = 'realtime=v1'
  return kept
}

let mark: string | undefined
const MARK_LENGTH = 16

function nextHops(passed: string | null): string {
  mark ??= sign('hop', 'here').slice(0, MARK_LENGTH)
  if (passed === null) return mark
  if (passed.includes(mark)) throw new Refusal('relay.loop', {}, 508)
  return `${passed},${mark}`
}
