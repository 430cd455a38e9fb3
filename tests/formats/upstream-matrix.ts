/** Every client's format with every format of upstreams alone. */
import assert from 'node:assert/strict'
import { completionTokens, promptTokens } from '../../src/billing/usage.ts'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ChatResponse, ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import type { Route } from '../../src/formats/translate/route.ts'
import { translateRequest, translateResponse } from '../../src/formats/translate/translate.ts'
import { TranslatingStream } from '../../src/formats/translate/translating-stream.ts'
import type { Mode, Row } from './matrix.ts'
import { eventsOf, labelFor, requestOf, toldBy, wired } from './support.ts'
import { wires } from './wire/index.ts'
import { eventsOfText, type Feature, type Json } from './wire/sse.ts'
import type { UpstreamWire } from './wire/upstream-wire.ts'

const routeOf = (client: ClientFormatName, { format }: UpstreamWire, feature: Feature): Route => ({
  client: chatFormats[client],
  upstream: format,
  label: labelFor(requestOf(client, feature)),
})

/** @throws where the cell does not hold */
export function checkUpstream(client: ClientFormatName, wire: UpstreamWire, row: Row, mode: Mode) {
  if (row === 'error') return mode === 'whole' ? checkError(client, wire) : checkStreamedError(client, wire)
  checkRequest(client, wire, row)
  const route = routeOf(client, wire, row)
  const told = mode === 'whole' ? wholeResponse(route, wire, row) : streamedResponse(route, wire, row)
  assert.deepEqual(meaningOf(told), meaningOf(chatFormats[client].readResponse(wires[client].answers[row])!))
  assert.deepEqual(countsOf(told), countsOf(wire.format.readResponse(wire.answers[row])!))
}

function checkRequest(client: ClientFormatName, wire: UpstreamWire, feature: Feature) {
  const edit = { model: wire.model, stream_usage: true, system_prompt: '' }
  const body = translateRequest(routeOf(client, wire, feature), edit) as Json
  const unsaid = wire.unsaid?.[client] ?? []
  assert.deepEqual(comparable(body, wire, unsaid), comparable(wire.requests[feature]!, wire, unsaid))
}

/** Ids by the order in which they first occur, without the keys that the client's format has no word for, schemas in texts included. */
function comparable(body: Json, { ids = [] }: UpstreamWire, unsaid: readonly string[]): unknown {
  const met: unknown[] = []
  const place = (id: unknown) => (met.includes(id) ? met.indexOf(id) : met.push(id) - 1)
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (unsaid.includes(name)) return undefined
    if (typeof value !== 'string') return value
    return ids.includes(name) ? place(value) : unsaid.reduce(withoutFlag, value)
  })
}

const withoutFlag = (text: string, name: string): string => text.replaceAll(`,"${name}":false`, '')

function wholeResponse(route: Route, { format, answers }: UpstreamWire, feature: Feature): ChatResponse {
  const body = translateResponse(route, format.readResponse(answers[feature])!)
  return chatFormats[route.client.name].readResponse(wired(body))!
}

function streamedResponse(route: Route, { streams }: UpstreamWire, feature: Feature): ChatResponse {
  const stream = new TranslatingStream(route, { keep_text: false })
  const events = eventsOf(chatFormats[route.client.name], toldBy(stream, streams[feature]!))
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
  const stream = new TranslatingStream(routeOf(client, wire, 'text'), { keep_text: false })
  const kinds = eventsOfText(wire.errors.stream).map(data => stream.read(data))
  assert.equal(kinds.at(-1), 'error')
  assert.equal(stream.error?.status, 429)
  const text = stream.takeRewritten() + stream.fail(stream.error!)
  const last = eventsOf(chatFormats[client], text).at(-1)
  assert(last?.kind === 'error')
  assert.deepEqual([last.failure.status, last.failure.message], [429, 'Slow down'])
}
