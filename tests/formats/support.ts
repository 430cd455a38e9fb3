import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ApiError, ChatRequest, ClientFormatName, StreamEvent } from '../../src/formats/canonical/chat.ts'
import { isFailure, type ResponseLabel, type TranslatedUpstream } from '../../src/formats/format.ts'
import { chatFormats } from '../../src/formats/index.ts'
import type { FormatPair } from '../../src/formats/translate/format-pair.ts'
import { meter } from '../../src/formats/translate/tally.ts'
import { translateRequest } from '../../src/formats/translate/translate.ts'
import { TranslatingStream } from '../../src/formats/translate/translating-stream.ts'
import type { Json } from '../../src/pure/json.ts'
import { withCounts } from '../../src/relay/charging/with-counts.ts'
import { violations } from '../support/grammar/index.ts'
import { wires } from './wire/index.ts'
import { dataOfAll, eventsOfText, type Feature } from './wire/sse.ts'

const encoder = new TextEncoder()

/** What a stream says, when it comes in one piece or in these. */
export function eventsOf(
  format: Pick<TranslatedUpstream, 'readStream'>,
  stream: string | Iterable<Uint8Array<ArrayBuffer>>,
): StreamEvent[] {
  const reader = format.readStream()
  const pieces = typeof stream === 'string' ? [encoder.encode(stream)] : stream
  return [...dataOfAll(pieces).flatMap(data => reader.read(data)), ...reader.end()]
}

export function requestOf(format: ClientFormatName, feature: Feature): ChatRequest {
  const wire = wires[format]
  const request = chatFormats[format].readRequest(wire.requests[feature], wire.asked)
  if (!('messages' in request)) throw new Error(`${format} ${feature}: ${JSON.stringify(request)}`)
  return request
}

export const labelFor = (request: ChatRequest): ResponseLabel => ({
  id: 'req_1',
  created: 1_700_000_000,
  request: { ...request, model: 'm', wants_usage: true },
})

/** As it is once it has been on the wire. */
export const wired = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** A caller's call of this feature. */
export const pairOf = (caller: ClientFormatName, upstream: ClientFormatName, feature: Feature): FormatPair => ({
  client: chatFormats[caller],
  upstream: chatFormats[upstream],
  label: labelFor(requestOf(caller, feature)),
})

export const streamOf = (caller: ClientFormatName, upstream: ClientFormatName, feature: Feature) =>
  new TranslatingStream(pairOf(caller, upstream, feature), { keep_text: false })

/** @returns the stream that a client gets for an upstream's stream of another format */
export function toldBy(stream: TranslatingStream, text: string): string {
  for (const data of eventsOfText(text)) stream.read(data)
  const told = stream.takeRewritten()
  return told + stream.end(withCounts(meter(stream), { prompt: 1, output: stream.output_estimate }))
}

/** An upstream that breaks off. */
const cutOff: ApiError = { status: 502, message: 'Cut off', type: 'server_error', code: 'cut_off', param: null }

/** @returns the stream that a client gets for these events of an upstream, however they end */
export function delivered(pair: FormatPair, events: Iterable<string>): string {
  const stream = new TranslatingStream(pair, { keep_text: false })
  let text = ''
  for (const data of events) {
    const kind = stream.read(data)
    text += stream.takeRewritten()
    if (isFailure(kind)) return text + stream.fail(stream.error!)
    if (kind === 'end') break
  }
  const counts = { prompt: 1, output: stream.output_estimate }
  return text + (stream.finished ? stream.end(withCounts(meter(stream), counts)) : stream.fail(cutOff))
}

/** What breaks the client's grammar in a stream of an upstream, whole and cut before each of its events. */
export const violationsOf = (pair: FormatPair, events: readonly string[]): string[] =>
  Array.from({ length: events.length + 1 }, (_, end) => {
    const broken = violations(pair.client.name as ClientFormatName, delivered(pair, events.slice(0, end)))
    return broken.map(rule => `cut at ${end} of ${events.length}: ${rule}`)
  }).flat()

/** A stream of the upstream's as the caller reads it. */
export function translated(caller: ClientFormatName, upstream: ClientFormatName, text: string) {
  return assemble(eventsOf(chatFormats[caller], toldBy(streamOf(caller, upstream, 'text'), text)))
}

/** What an upstream is sent of a caller's request, or why it is not. */
export function sent(caller: ClientFormatName, body: Json, upstream: ClientFormatName, model = 'm'): Json {
  const request = chatFormats[caller].readRequest(body, { model: 'm' })
  if (!('messages' in request)) throw new Error(JSON.stringify(request))
  const pair = {
    client: chatFormats[caller],
    upstream: chatFormats[upstream],
    label: { ...labelFor(request), request },
  }
  return wired(translateRequest(pair, { model, stream_usage: true, system_prompt: '' }) as Json)
}

export const chat = (messages: Json[], rest: Json = {}): Json => ({ model: 'm', messages, ...rest })
export const user = (content: unknown): Json => ({ role: 'user', content })
