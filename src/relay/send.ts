/** One attempt on one channel: nothing of it reaches the caller before it is known to be an answer. */
import type { EventKind, UpstreamCodec } from '../codecs/codec.ts'
import type { ReadyChannel } from '../console/channels/service.ts'
import { ANSWER_MAX_BYTES, EVENT_MAX_BYTES, HOP_HEADER } from '../contracts/relay.ts'
import { env } from '../env.ts'
import { dial, listen, readBody, readErrorBody } from '../kit/dial.ts'
import { asBuffer, dataOf, EventCutter, eventsIn } from '../kit/sse.ts'
import { providerOf, requestFor } from '../providers/index.ts'
import type { Answer, StreamedAnswer, WholeAnswer } from './answer.ts'
import type { Call, Turn } from './call.ts'
import { Abandoned, Fault } from './fault.ts'
import { type No, statusOf, unusable } from './judge.ts'
import { keepsText } from './settle.ts'

/** An upstream said no; what that means is judged elsewhere. */
export class SaidNo extends Error {
  constructor(readonly no: No) {
    super(`${no.status}`)
  }
}

/** @throws SaidNo, DialError, Fault or Abandoned */
export async function send(call: Call, { channel, key }: Turn): Promise<Answer> {
  if (call.left.aborted) throw new Abandoned()
  const { operation } = call.door
  const model = upstreamModel(channel, call.ask.model)
  const codec = providerOf(channel.type)?.speaks[operation]?.codec
  const outgoing = requestFor(callingOf(channel, key), operation, model, call.body)
  if (!codec || !outgoing) throw new Fault({ status: 503, code: 'relay.channel_unfit', retry: true })

  const line = new AbortController()
  call.left.addEventListener('abort', () => line.abort(new Abandoned()), { once: true })
  const headers = {
    ...outgoing.headers,
    ...call.client_headers,
    'accept-encoding': 'identity',
    [HOP_HEADER]: call.hops,
  }
  const { proxy } = channel.setting
  const response = await dial({ ...outgoing, headers, proxy }, line, env.UPSTREAM_TIMEOUT * 1000)
  if (!response.ok) throw new SaidNo(await readNo(response, line, codec))
  const answered = { channel, model, codec }
  return call.ask.stream ? startStream(call, response, line, answered) : readWhole(call, response, line, answered)
}

/** Of a channel, what its provider has to know; the body as it came stays what it is. */
const callingOf = (channel: ReadyChannel, key: string) => ({
  type: channel.type,
  base_url: channel.base_url,
  key,
  openai_organization: channel.openai_organization,
  other: channel.other,
  system_prompt: channel.system_prompt,
  param_override: Object.keys(channel.param_override).length ? channel.param_override : undefined,
})

/** The mapping is followed as far as it leads; a prefix is only for choosing channels. */
export function upstreamModel({ model_mapping, model_prefix }: ReadyChannel, asked: string): string {
  const bare = model_prefix && asked.startsWith(model_prefix) ? asked.slice(model_prefix.length) : asked
  const seen = new Set<string>()
  let name = Object.hasOwn(model_mapping, asked) ? asked : bare
  while (Object.hasOwn(model_mapping, name) && !seen.has(name)) {
    seen.add(name)
    name = model_mapping[name]!
  }
  return name
}

async function readNo(response: Response, line: AbortController, codec: UpstreamCodec): Promise<No> {
  const text = await readErrorBody(response, line)
  const error = codec.readError(jsonIn(text) ?? { message: text })
  return { status: response.status, error, retry_after: response.headers.get('retry-after') }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Answered = Pick<Answer, 'channel' | 'model' | 'codec'>

async function readWhole(
  call: Call,
  response: Response,
  line: AbortController,
  answered: Answered,
): Promise<WholeAnswer> {
  const bytes = await readBody(response, line, { max_bytes: ANSWER_MAX_BYTES, body_ms: env.STREAM_IDLE_TIMEOUT * 1000 })
  const body = jsonIn(utf8.decode(bytes))
  const error = answered.codec.readError(body)
  if (error) throw new SaidNo({ status: statusOf(error), error })
  const told = answered.codec.readAnswer(body)
  if (!told) throw unusable()
  return { ...answered, bytes, told, first_ms: call.elapsed() }
}

const utf8 = new TextDecoder()

const notStream = /^(?:text\/html|application\/json)/i

/** Waits for the first event: until then another channel can still take over. */
async function startStream(
  call: Call,
  response: Response,
  line: AbortController,
  answered: Answered,
): Promise<StreamedAnswer> {
  if (notStream.test(response.headers.get('content-type') ?? '')) {
    const error = answered.codec.readError(jsonIn(await readErrorBody(response, line)))
    throw error ? new SaidNo({ status: statusOf(error), error }) : unusable()
  }
  const source = listen(response, line, env.STREAM_IDLE_TIMEOUT * 1000)
  const cutter = new EventCutter()
  const told = answered.codec.readStream({ keep_text: keepsText() })
  for (let piece = await source.next(); piece; piece = await source.next()) {
    const events = cutter.push(asBuffer(piece))
    if (cutter.pending > EVENT_MAX_BYTES) break
    const first = events && firstEvent(events)
    if (!first) continue
    const kind = told.read(first.data)
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
