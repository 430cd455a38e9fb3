/** One attempt on one channel: nothing of it reaches the caller before it is known to be an answer. */

import { ANSWER_MAX_BYTES, EVENT_MAX_BYTES, HOP_HEADER } from '../../contracts/relay.ts'
import { upstreamModel } from '../../domain/channels/index.ts'
import { env } from '../../env.ts'
import type { EventKind } from '../../formats/format.ts'
import { isObject } from '../../formats/json/checks.ts'
import { type ChunkReader, readBody, readChunks, readErrorBody, upstreamFetch } from '../../net/upstream-fetch.ts'
import { buildRequest, rewriteBody, type UpstreamApi } from '../../providers/index.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Json } from '../../pure/json.ts'
import { asBuffer, dataOf, EventCutter, eventsIn, toBytes } from '../../stream/sse.ts'
import type { Call, Target } from '../call.ts'
import { logsContent } from '../charging/logged-content.ts'
import { type UpstreamRejection, unusableResponse } from '../errors/classify-error.ts'
import { ClientDisconnected, Fault } from '../errors/fault.ts'
import { apiFor, apiWithoutAnthropic, noteNoAnthropicApi, translateCall } from './choose-format.ts'
import { shaped } from './force-format.ts'
import { isNonStreamOnly, upstreamCallOf } from './prepare-request.ts'
import { rewriteStream } from './rewrite-stream.ts'
import type { FileResponse, StreamedResponse, UpstreamResponse, WholeResponse } from './upstream-response.ts'

/** An upstream said no; what that means is judged elsewhere. */
export class UpstreamRejected extends Error {
  constructor(readonly rejection: UpstreamRejection) {
    super(`${rejection.status}`)
  }
}

/** @throws SaidNo, DialError, Fault or Abandoned */
export async function send(call: Call, turn: Target): Promise<UpstreamResponse> {
  const { channel } = turn
  const offered = apiFor(channel, call)
  if (!offered) throw new Fault({ status: 503, code: 'relay.channel_unfit', retry: true })
  try {
    return await ask(call, turn, offered)
  } catch (error) {
    const other = isNowhere(error) && apiWithoutAnthropic(channel, call, offered)
    if (!other) throw error
    const answer = await ask(call, turn, other)
    noteNoAnthropicApi(channel)
    return answer
  }
}

const isNowhere = (error: unknown) =>
  error instanceof UpstreamRejected && [404, 405, 410].includes(error.rejection.status)

async function ask(call: Call, { channel, key }: Target, offered: UpstreamApi): Promise<UpstreamResponse> {
  const model = upstreamModel(channel, call.facts.model)
  const whole = call.facts.stream && isNonStreamOnly(channel) && offered.format.toStream
  const said = await translateCall(call, offered, whole ? false : call.facts.stream)
  const spoken = shaped(said.spoken, offered.format, channel, call)
  const { body, pack } = await packing(call, said)
  const outgoing = buildRequest(spoken, upstreamCallOf(channel, key, call), model, body, pack)

  // Between two attempts, or while pictures were brought.
  if (call.disconnected.aborted) throw new ClientDisconnected()
  const abort = new AbortController()
  call.disconnected.addEventListener('abort', () => abort.abort(new ClientDisconnected(true)), { once: true })
  const headers = {
    ...joinHeaders(outgoing.headers, said.spoken.format === offered.format ? call.client_headers : undefined),
    'accept-encoding': 'identity',
    [HOP_HEADER]: call.hops,
  }
  const { proxy } = channel.setting
  const response = await upstreamFetch({ ...outgoing, headers, proxy }, abort, env.UPSTREAM_TIMEOUT * 1000)
  if (!response.ok) throw new UpstreamRejected(await readNo(response, abort, spoken, call.body))
  const answered = { channel, model, api: spoken }
  if (call.facts.is_file) return startFile(call, response, abort, answered)
  if (!call.facts.stream) return readWhole(call, response, abort, answered)
  if (!whole) return startStream(call, response, abort, answered)
  const { body: answer } = await hearWhole(call, response, abort, spoken)
  return firstOf(call, once(Buffer.from(whole(answer as Json))), abort, answered)
}

/** A form goes on as a form, where the upstream knows any. */
async function packing({ form }: Call, { spoken, body }: Awaited<ReturnType<typeof translateCall>>) {
  if (!form || !spoken.takes_no_forms) return { body, pack: form?.pack }
  return { body: await form.inlined(body), pack: undefined }
}

async function readNo(
  response: Response,
  abort: AbortController,
  spoken: UpstreamApi,
  asked: Json,
): Promise<UpstreamRejection> {
  const text = await readErrorBody(response, abort)
  const said = rewriteBody(jsonIn(text), spoken, asked)
  const { status } = response
  const error = spoken.format.readError(typeof said === 'object' ? said : { message: said ?? text }, status)
  return { status: error?.status ?? status, error, retry_after: response.headers.get('retry-after') }
}

/** A text that is a number by chance, or a word in quotes, is still a text. */
function jsonIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type Answered = Pick<UpstreamResponse, 'channel' | 'model' | 'api'>

async function readWhole(
  call: Call,
  response: Response,
  abort: AbortController,
  answered: Answered,
): Promise<WholeResponse> {
  const { came, said, body } = await hearWhole(call, response, abort, answered.api)
  const file = isObject(body) && answered.api.unwrapFile?.(body, call.body)
  if (file) {
    const { report: usage_report, ...wrapped } = file
    return { ...answered, ...wrapped, facts: { ...aFile, usage_report }, first_ms: call.elapsed() }
  }
  const facts = answered.api.format.responseFacts(body)
  if (!facts) throw unusableResponse()
  const { rewritten = body } = facts
  const bytes = rewritten === said ? came : Buffer.from(JSON.stringify(rewritten))
  const type = typeof rewritten === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return { ...answered, bytes, type, facts, first_ms: call.elapsed() }
}

/** @throws SaidNo for an error inside an answer that began well */
async function hearWhole(call: Call, response: Response, abort: AbortController, spoken: UpstreamApi) {
  const came = await readBody(response, abort, { max_bytes: ANSWER_MAX_BYTES, body_ms: env.STREAM_IDLE_TIMEOUT * 1000 })
  const text = utf8.decode(came)
  const said = jsonIn(text) ?? text
  const body = rewriteBody(said, spoken, call.body)
  const error = spoken.format.readError(body)
  if (error) throw new UpstreamRejected({ status: error.status, error })
  return { came, said, body }
}

const utf8 = new TextDecoder()

/** One thing was made, whatever is in it. */
const aFile = { usage_report: undefined, output_estimate: 1, text: '' }

const readable = /^(?:text\/html|application\/json)/i
const eventStream = /^text\/event-stream/i

const typeOf = (response: Response) => response.headers.get('content-type') ?? ''

/** Text where something else was asked for: an error, facts or not. */
async function notThat(call: Call, response: Response, abort: AbortController, { api }: Answered): Promise<Error> {
  const error = api.format.readError(rewriteBody(jsonIn(await readErrorBody(response, abort)), api, call.body))
  return error ? new UpstreamRejected({ status: error.status, error }) : unusableResponse()
}

/** Waits for the first bytes: until then another channel can still take over. */
async function startFile(
  call: Call,
  response: Response,
  abort: AbortController,
  answered: Answered,
): Promise<FileResponse | WholeResponse> {
  if (readable.test(typeOf(response))) {
    if (answered.api.unwrapFile) return readWhole(call, response, abort, answered)
    throw await notThat(call, response, abort, answered)
  }
  const source = readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * 1000)
  const first = await source.next()
  if (!first) throw hungUp(abort, 'broken')
  return { ...answered, abort, source, first, type: typeOf(response), facts: aFile, first_ms: call.elapsed() }
}

/** Waits for the first event: until then another channel can still take over. */
async function startStream(
  call: Call,
  response: Response,
  abort: AbortController,
  answered: Answered,
): Promise<StreamedResponse | WholeResponse> {
  const type = typeOf(response)
  const { format } = answered.api
  if (format.may_respond_whole && !eventStream.test(type)) return readWhole(call, response, abort, answered)
  if (readable.test(type)) throw await notThat(call, response, abort, answered)
  const source = rewriteStream(readChunks(response, abort, env.STREAM_IDLE_TIMEOUT * 1000), answered.api)
  return firstOf(call, source, abort, answered)
}

/** A body that is all there. */
function once(bytes: Buffer<ArrayBuffer>): ChunkReader {
  let left: Buffer<ArrayBuffer> | undefined = bytes
  return {
    async next() {
      const piece = left
      left = undefined
      return piece
    },
  }
}

async function firstOf(
  call: Call,
  source: ChunkReader,
  abort: AbortController,
  answered: Answered,
): Promise<StreamedResponse> {
  const cutter = new EventCutter()
  const facts = answered.api.format.streamReader({ keep_text: logsContent(), choices: call.facts.choices })
  for (let piece = await source.next(); piece; piece = await source.next()) {
    const events = cutter.push(asBuffer(piece))
    if (cutter.pending > EVENT_MAX_BYTES) break
    const first = events && firstEvent(events)
    if (!first) continue
    const kind = facts.read(facts.takeRewritten ? toBytes(first.data).toString() : first.data)
    if (kind === 'broken' || kind === 'error') throw hungUp(abort, kind, facts.error)
    const first_events = { events, read: first.end, kind }
    return { ...answered, abort, source, cutter, facts, first_events, first_ms: call.elapsed() }
  }
  throw hungUp(abort, 'broken')
}

/** The first event with data, and where it ends; comments before it say only that somebody is there. */
function firstEvent(events: Buffer): { data: string; end: number } | undefined {
  let end = 0
  for (const event of eventsIn(events)) {
    end += event.length
    const data = dataOf(event)
    if (data !== undefined) return { data, end }
  }
}

function hungUp(abort: AbortController, kind: EventKind, error?: UpstreamRejection['error']): Error {
  abort.abort()
  return kind === 'error' && error ? new UpstreamRejected({ status: error.status, error }) : unusableResponse()
}
