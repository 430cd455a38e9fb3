/** Reads the request: its body is read and checked once. */

import { Refusal } from '../../contracts/refusal.ts'
import { randomKey } from '../../crypto/random-id.ts'
import type { ClientFormat } from '../../formats/format.ts'
import { stopwatch } from '../../process/clock.ts'
import type { Awaitable } from '../../pure/awaitable.ts'
import type { Json } from '../../pure/json.ts'
import { ClientConnection } from '../../stream/client-connection.ts'
import { BodyShare } from '../../web/body-budget.ts'
import { idOf, pathOf } from '../../web/request.ts'
import { AttemptLog } from '../attempts.ts'
import type { ReadCall } from '../call.ts'
import { Cleanup } from '../cleanup.ts'
import type { Endpoint, RelayContext } from '../endpoint.ts'
import { ClientDisconnected } from '../errors/fault.ts'
import { CallRecorder } from '../watching/call-recorder.ts'
import { languageAt } from './api-language.ts'
import { CanonicalForm } from './canonical-form.ts'
import { Departure } from './departure.ts'
import { estimateInSteps } from './estimate-in-steps.ts'
import { hopsBehind } from './hops.ts'
import { readInflated } from './inflate.ts'
import { MultipartForm } from './multipart-form.ts'
import { readJson } from './read-json.ts'

/** Larger bodies would block other calls if they were written at once. */
const LARGE_BYTES = 262_144
const RESPONSE_ID_LENGTH = 48

/** @throws Refusal 4xx that names what is wrong, 503 when the body budget is spent, 508 for a call that has passed here before */
export async function readRequest(
  { request, server, route, trace }: RelayContext,
  endpoint: Endpoint,
  user_id: number,
): Promise<ReadCall> {
  let clock = stopwatch()
  const hops = hopsBehind(request)
  const cleanup = new Cleanup()
  try {
    const share = cleanup.use(new BodyShare(`user ${user_id}`))
    const { body: sent, form } = await readBody(request, endpoint, share)
    if (form) cleanup.use(form)
    const body = endpoint.is_task ? { ...sent, stream: false } : sent
    const read = endpoint.format.readFacts(body)
    if ('code' in read) throw new Refusal(read.code, read.params, 400, read.param ?? undefined)
    const facts = endpoint.is_task ? { ...read, background: { body, is_streamed: false } } : read
    const { background } = facts
    // A client that fetches the response later does not leave.
    const disconnected = background ? new AbortController().signal : request.signal
    const connection = new ClientConnection(request, background ? null : server)
    connection.hold()
    const departure = new Departure(disconnected)
    const attempts = new AttemptLog(() => clock())
    const asked = background?.body ?? body
    const canonical = new CanonicalForm(endpoint.format, asked)
    const is_large = share.bytes > LARGE_BYTES
    const tokens = tokensOf(endpoint.format, { body: asked, canonical, is_large })
    return {
      endpoint,
      request_id: idOf(request),
      user_id,
      path: pathOf(request.url),
      get language() {
        return languageAt(route)(request)
      },
      get session() {
        return sessionIn(request.headers)
      },
      facts,
      body: asked,
      canonical,
      response_id: background && `resp_${randomKey(RESPONSE_ID_LENGTH)}`,
      form,
      is_large,
      body_tokens: tokens instanceof Promise ? await tokens : tokens,
      elapsed: () => clock(),
      restartClock() {
        clock = stopwatch()
      },
      disconnected,
      departure,
      connection,
      hops,
      client_headers: forwardedHeaders(request.headers),
      attempts,
      trace,
      recorder: new CallRecorder(),
      [Symbol.asyncDispose]() {
        connection.idle()
        departure.end()
        attempts.leavePlace()
        return cleanup.free()
      },
    }
  } catch (error) {
    await cleanup.free()
    throw error
  }
}

function tokensOf(
  format: ClientFormat,
  { body, canonical, is_large }: Pick<ReadCall, 'body' | 'canonical' | 'is_large'>,
): Awaitable<number> {
  const read = () => canonical.read()!
  const parts = is_large ? format.promptParts?.(body, read) : undefined
  return parts ? estimateInSteps(parts) : format.promptTokens(body, read)
}

type ReadBody = { body: Json; form?: MultipartForm }

function readBody(request: Request, endpoint: Endpoint, share: BodyShare): Awaitable<ReadBody> {
  const is_form = endpoint.form && /^multipart\/form-data/i.test(request.headers.get('content-type') ?? '')
  if (is_form) return readForm(request, endpoint, share)
  if (endpoint.operation === 'realtime') return { body: { model: new URL(request.url).searchParams.get('model') } }
  if (endpoint.form === 'recording') throw new Refusal('relay.form_required', {}, 415)
  return readJsonOf(request, share).then(body => ({
    body: endpoint.model === undefined ? body : { ...body, ...urlFields(endpoint) },
  }))
}

async function readForm(request: Request, endpoint: Endpoint, share: BodyShare): Promise<ReadBody> {
  const form = await MultipartForm.read(request, share)
  if (endpoint.form === 'inlined') return { body: await inlinedFields(form) }
  return { form, body: await form.fields({ with_seconds: endpoint.form === 'recording' }) }
}

async function inlinedFields(form: MultipartForm): Promise<Json> {
  try {
    return await form.inlined(await form.fields({ with_seconds: false }))
  } finally {
    await form[Symbol.asyncDispose]()
  }
}

/** @throws Refusal 4xx, ClientDisconnected when the client disconnects before the end of the body */
export const readJsonOf = (request: Request, share: BodyShare): Promise<Json> =>
  readInflated(request, share).then(readJson, error => {
    throw request.signal.aborted ? new ClientDisconnected() : error
  })

/** What the path says overrides the body. */
const urlFields = ({ model, stream }: Endpoint): Json =>
  stream === undefined ? { model } : { model, stream: stream !== false }

/**
 * Headers in which clients name the session: Codex, OpenCode, others.
 * https://github.com/openai/codex https://github.com/sst/opencode (read 2026-11)
 */
const SESSION_HEADERS = ['session_id', 'conversation_id', 'x-opencode-session', 'x-session-id']

function sessionIn(headers: Headers): string | undefined {
  const name = SESSION_HEADERS.find(name => headers.get(name))
  return name && headers.get(name)!
}

const FORWARDED_HEADERS = ['openai-beta', 'anthropic-beta', 'anthropic-version']

/** Stands for the header `openai-beta` in pages, which can set no headers for a WebSocket. */
const BETA_PROTOCOL = 'openai-beta.realtime-v1'

function forwardedHeaders(headers: Headers): Record<string, string> {
  const forwarded: Record<string, string> = {}
  for (const name of FORWARDED_HEADERS) {
    const value = headers.get(name)
    if (value !== null) forwarded[name] = value
  }
  if (headers.get('sec-websocket-protocol')?.includes(BETA_PROTOCOL)) forwarded['openai-beta'] = 'realtime=v1'
  return forwarded
}
