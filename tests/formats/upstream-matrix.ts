/** Every client's format with every format of upstreams alone. */
import assert from 'node:assert/strict'
import { completionTokens, promptTokens } from '../../src/billing/usage.ts'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatResponse, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import type { FormatPair } from '../../src/formats/translate/format-pair.ts'
import { GatheredStream } from '../../src/formats/translate/gathered-stream.ts'
import { translateRequest, translateResponse } from '../../src/formats/translate/translate.ts'
import { TranslatingStream } from '../../src/formats/translate/translating-stream.ts'
import type { Mode, Row } from './matrix.ts'
import { eventsOf, labelFor, requestOf, toldBy, wired } from './support.ts'
import { wires } from './wire/index.ts'
import { eventsOfText, type Feature, type Json } from './wire/sse.ts'
import type { UpstreamWire } from './wire/upstream-wire.ts'

const pairOf = (client: ClientFormatName, { format }: UpstreamWire, feature: Feature): FormatPair => ({
  client: chatFormats[client],
  upstream: format,
  label: labelFor(requestOf(client, feature)),
})

/** @throws where the cell does not hold */
export function checkUpstream(client: ClientFormatName, wire: UpstreamWire, row: Row, mode: Mode) {
  if (row === 'error') return mode === 'whole' ? checkError(client, wire) : checkStreamedError(client, wire)
  checkRequest(client, wire, row)
  const pair = pairOf(client, wire, row)
  const told = mode === 'whole' ? wholeResponse(pair, wire, row) : streamedResponse(pair, wire, row)
  assert.deepEqual(meaningOf(told), meaningOf(chatFormats[client].readResponse(wires[client].answers[row])!))
  const reported = countsOf(ownResponse(wire, row))
  // Where the upstream counts no tokens, the gateway does, which adds them to a stream.
  if (reported) assert.deepEqual(countsOf(told), reported)
}

function checkRequest(client: ClientFormatName, wire: UpstreamWire, feature: Feature) {
  const edit = { model: wire.model, stream_usage: true, system_prompt: '' }
  const body = translateRequest(pairOf(client, wire, feature), edit) as Json
  const unsaid = wire.unsaid?.[client] ?? []
  assert.deepEqual(comparable(body, wire, unsaid), comparable(wire.requests[feature]!, wire, unsaid))
}

/** Ids by the order in which they first occur, without the keys that the client's format has no word for. */
function comparable(body: Json, { ids = [] }: UpstreamWire, unsaid: readonly string[]): unknown {
  const met: unknown[] = []
  const place = (id: unknown) => (met.includes(id) ? met.indexOf(id) : met.push(id) - 1)
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (unsaid.includes(name)) return undefined
    if (typeof value === 'string') value = withoutFlags(value, unsaid)
    return ids.includes(name) && typeof value === 'string' ? place(value) : value
  })
}

/** The same for a schema inside a text. */
const withoutFlags = (text: string, unsaid: readonly string[]): string =>
  unsaid.reduce((rest, name) => rest.replaceAll(new RegExp(`,"${name}":(?:true|false)`, 'g'), ''), text)

const ownResponse = ({ format, answers, streams }: UpstreamWire, feature: Feature): ChatResponse =>
  answers ? format.readResponse(answers[feature])! : assemble(eventsOf(format, streams[feature]!))

function wholeResponse(pair: FormatPair, wire: UpstreamWire, feature: Feature): ChatResponse {
  const body = wire.answers
    ? translateResponse(pair, ownResponse(wire, feature))
    : gathered(pair, wire.streams[feature]!)
  return chatFormats[pair.client.name].readResponse(wired(body))!
}

function gathered(pair: FormatPair, text: string): Json {
  const gathering = new GatheredStream(pair)
  for (const data of eventsOfText(text)) gathering.read(data)
  return gathering.facts()!.rewritten!
}

function streamedResponse(pair: FormatPair, { streams }: UpstreamWire, feature: Feature): ChatResponse {
  const stream = new TranslatingStream(pair, { keep_text: false })
  const events = eventsOf(chatFormats[pair.client.name], toldBy(stream, streams[feature]!))
  assert(stream.finished)
  assert.equal(events.at(-1)?.kind, 'end')
  return assemble(events)
}

/** What a response says, without names, signatures and the sequence that it stopped at. */
const meaningOf = ({ choices }: ChatResponse): unknown =>
  wired(
    choices.map(({ parts, finish }) => ({
      parts: parts.map(part => ({ ...part, id: undefined, signature: undefined, citations: undefined })),
      reason: finish.reason === 'stop_sequence' ? 'stop' : finish.reason,
    })),
  )

const countsOf = ({ usage }: ChatResponse): unknown => usage && [promptTokens(usage), completionTokens(usage)]

function checkError(client: ClientFormatName, { format, errors }: UpstreamWire) {
  const failure = format.readError(errors.body, errors.status)!
  assert.equal(failure.message, 'Slow down')
  const written = chatFormats[client].writeError(failure)
  assert.equal(chatFormats[client].readError(written, failure.status)?.status, 429)
}

function checkStreamedError(client: ClientFormatName, wire: UpstreamWire) {
  const stream = new TranslatingStream(pairOf(client, wire, 'text'), { keep_text: false })
  const kinds = eventsOfText(wire.errors.stream).map(data => stream.read(data))
  assert.equal(kinds.at(-1), 'error')
  assert.equal(stream.error?.status, 429)
  const text = stream.takeRewritten() + stream.fail(stream.error!)
  const last = eventsOf(chatFormats[client], text).at(-1)
  assert(last?.kind === 'error')
  assert.deepEqual([last.failure.status, last.failure.message], [429, 'Slow down'])
}
