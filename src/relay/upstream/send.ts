/** One attempt on one channel: nothing of it reaches the caller before it is known to be an answer. */

import { ANSWER_MAX_BYTES, EVENT_MAX_BYTES, HOP_HEADER } from '../../contracts/relay.ts'
import { upstreamModel } from '../../domain/channels/index.ts'
import { env } from '../../env.ts'
import type { EventKind } from '../../formats/format.ts'
import { isObject } from '../../formats/json/checks.ts'
import { dial, type Listening, listen, readBody, readErrorBody } from '../../net/upstream-fetch.ts'
import { fitted, requestIn, type Spoken } from '../../providers/index.ts'
import { joinHeaders } from '../../pure/headers.ts'
import type { Json } from '../../pure/json.ts'
import { asBuffer, dataOf, EventCutter, eventsIn, toBytes } from '../../stream/sse.ts'
import type { Call, Turn } from '../call.ts'
import { keepsText } from '../charging/logged-content.ts'
import { type No, statusOf, unusable } from '../errors/classify-error.ts'
import { Abandoned, Fault } from '../errors/fault.ts'
import { hasNoMirror, spelled, spokenBy, unmirrored } from './choose-format.ts'
import { shaped } from './force-format.ts'
import { answersWhole, callingOf } from './prepare-request.ts'
import { fittedStream } from './rewrite-stream.ts'
import type { Answer, FileAnswer, StreamedAnswer, WholeAnswer } from './upstream-response.ts'

/** An upstream said no; what that means is judged elsewhere. */
export class SaidNo extends Error {
  constructor(readonly no: No) {
    super(`${no.status}`)
  }
}

/** @throws SaidNo, DialError, Fault or Abandoned */
export async function send(call: Call, turn: Turn): Promise<Answer> {
  const { channel } = turn
  const offered = spokenBy(channel, call)
  if (!offered) throw new Fault({ status: 503, code: 'relay.channel_unfit', retry: true })
  try {
    return await ask(call, turn, offered)
  } catch (error) {
    const other = isNowhere(error) && unmirrored(channel, call, offered)
    if (!other) throw error
    const answer = await ask(call, turn, other)
    hasNoMirror(channel)
    return answer
  }
}

const isNowhere = (error: unknown) => error instanceof SaidNo && [404, 405, 410].includes(error.no.status)

async function ask(call: Call, { channel, key }: Turn, offered: Spoken): Promise<Answer> {
  const model = upstreamModel(channel, call.ask.model)
  const whole = call.ask.stream && answersWhole(channel) && offered.codec.asStream
  const said = await spelled(call, offered, whole ? false : call.ask.stream)
  const spoken = shaped(said.spoken, offered.codec, channel, call)
  const { body, pack } = await packing(call, said)
  const outgoing = requestIn(spoken, callingOf(channel, key, call), model, body, pack)

  // Between two attempts, or while pictures were brought.
  if (call.left.aborted) throw new Abandoned()
  const line = new AbortController()
  call.left.addEventListener('abort', () => line.abort(new Abandoned(true)), { once: true })
  const headers = {
    ...joinHeaders(outgoing.headers, said.spoken.codec === offered.codec ? call.client_headers : undefined),
    'accept-encoding': 'identity',
    [HOP_HEADER]: call.hops,
  }
  const { proxy } = channel.setting
  const response = await dial({ ...outgoing, headers, proxy }, line, env.UPSTREAM_TIMEOUT * 1000)
  if (!response.ok) throw new SaidNo(await readNo(response, line, spoken, call.body))
  const answered = { channel, model, spoken }
  if (call.ask.is_file) return startFile(call, response, line, answered)
  if (!call.ask.stream) return readWhole(call, response, line, answered)
  if (!whole) return startStream(call, response, line, answered)
  const { body: answer } = await hearWhole(call, response, line, spoken)
  return firstOf(call, once(Buffer.from(whole(answer as Json))), line, answered)
}

/** A form goes on as a form, where the upstream knows any. */
async function packing({ form }: Call, { spoken, body }: Awaited<ReturnType<typeof spelled>>) {
  if (!form || !spoken.takes_no_forms) return { body, pack: form?.pack }
  return { body: await form.inlined(body), pack: undefined }
}

async function readNo(response: Response, line: AbortController, spoken: Spoken, asked: Json): Promise<No> {
  const text = await readErrorBody(response, line)
  const said = fitted(jsonIn(text), spoken, asked)
  const { status } = response
  const error = spoken.codec.readError(typeof said === 'object' ? said : { message: said ?? text }, status)
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

type Answered = Pick<Answer, 'channel' | 'model' | 'spoken'>

async function readWhole(
  call: Call,
  response: Response,
  line: AbortController,
  answered: Answered,
): Promise<WholeAnswer> {
  const { came, said, body } = await hearWhole(call, response, line, answered.spoken)
  const file = isObject(body) && answered.spoken.fitFile?.(body, call.body)
  if (file) {
    const { report, ...wrapped } = file
    return { ...answered, ...wrapped, told: { ...aFile, report }, first_ms: call.elapsed() }
  }
  const told = answered.spoken.codec.readAnswer(body)
  if (!told) throw unusable()
  const { retold = body } = told
  const bytes = retold === said ? came : Buffer.from(JSON.stringify(retold))
  const type = typeof retold === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return { ...answered, bytes, type, told, first_ms: call.elapsed() }
}

/** @throws SaidNo for an error inside an answer that began well */
async function hearWhole(call: Call, response: Response, line: AbortController, spoken: Spoken) {
  const came = await readBody(response, line, { max_bytes: ANSWER_MAX_BYTES, body_ms: env.STREAM_IDLE_TIMEOUT * 1000 })
  const text = utf8.decode(came)
  const said = jsonIn(text) ?? text
  const body = fitted(said, spoken, call.body)
  const error = spoken.codec.readError(body)
  if (error) throw new SaidNo({ status: statusOf(error), error })
  return { came, said, body }
}

const utf8 = new TextDecoder()

/** One thing was made, whatever is in it. */
const aFile = { report: undefined, produced: 1, text: '' }

const readable = /^(?:text\/html|application\/json)/i
const eventStream = /^text\/event-stream/i

const typeOf = (response: Response) => response.headers.get('content-type') ?? ''

/** Text where something else was asked for: an error, told or not. */
async function notThat(call: Call, response: Response, line: AbortController, { spoken }: Answered): Promise<Error> {
  const error = spoken.codec.readError(fitted(jsonIn(await readErrorBody(response, line)), spoken, call.body))
  return error ? new SaidNo({ status: statusOf(error), error }) : unusable()
}

/** Waits for the first bytes: until then another channel can still take over. */
async function startFile(
  call: Call,
  response: Response,
  line: AbortController,
  answered: Answered,
): Promise<FileAnswer | WholeAnswer> {
  if (readable.test(typeOf(response))) {
    if (answered.spoken.fitFile) return readWhole(call, response, line, answered)
    throw await notThat(call, response, line, answered)
  }
  const source = listen(response, line, env.STREAM_IDLE_TIMEOUT * 1000)
  const first = await source.next()
  if (!first) throw hungUp(line, 'broken')
  return { ...answered, line, source, first, type: typeOf(response), told: aFile, first_ms: call.elapsed() }
}

/** Waits for the first event: until then another channel can still take over. */
async function startStream(
  call: Call,
  response: Response,
  line: AbortController,
  answered: Answered,
): Promise<StreamedAnswer | WholeAnswer> {
  const type = typeOf(response)
  const { codec } = answered.spoken
  if (codec.may_answer_whole && !eventStream.test(type)) return readWhole(call, response, line, answered)
  if (readable.test(type)) throw await notThat(call, response, line, answered)
  const source = fittedStream(listen(response, line, env.STREAM_IDLE_TIMEOUT * 1000), answered.spoken)
  return firstOf(call, source, line, answered)
}

/** A body that is all there. */
function once(bytes: Buffer<ArrayBuffer>): Listening {
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
  source: Listening,
  line: AbortController,
  answered: Answered,
): Promise<StreamedAnswer> {
  const cutter = new EventCutter()
  const told = answered.spoken.codec.readStream({ keep_text: keepsText(), choices: call.ask.choices })
  for (let piece = await source.next(); piece; piece = await source.next()) {
    const events = cutter.push(asBuffer(piece))
    if (cutter.pending > EVENT_MAX_BYTES) break
    const first = events && firstEvent(events)
    if (!first) continue
    const kind = told.read(told.retell ? toBytes(first.data).toString() : first.data)
    if (kind === 'broken' || kind === 'error') throw hungUp(line, kind, told.error)
    const begun = { events, read: first.end, kind }
    return { ...answered, line, source, cutter, told, begun, first_ms: call.elapsed() }
  }
  throw hungUp(line, 'broken')
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

function hungUp(line: AbortController, kind: EventKind, error?: No['error']): Error {
  line.abort()
  return kind === 'error' && error ? new SaidNo({ status: statusOf(error), error }) : unusable()
}
