/** Streams whose events come in another order or twice: what readers keep from event to event decides what they make of them. */
import { assemble } from '../../../src/formats/canonical/assemble.ts'
import type { FormatName, StreamEvent } from '../../../src/formats/canonical/chat.ts'
import type { ChatFormat, TranslatedUpstream } from '../../../src/formats/format.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { eventWriter } from '../../../src/formats/translate/translate.ts'
import { labelFor, requestOf, wired } from '../support.ts'
import { allBodies, upstreams } from './lines.ts'
import { difference, shortened } from './variations.ts'

const LENGTH_MAX = 60

type Events = readonly unknown[]

function eventsOf(format: TranslatedUpstream, stream: Events): StreamEvent[] {
  const reader = format.readStream()
  const data = stream.map(event => (typeof event === 'string' ? event : JSON.stringify(event)))
  return [...data.flatMap(event => reader.read(event)), ...reader.end()]
}

/** The events in short, and the response that they make together. */
function readOf(format: TranslatedUpstream, stream: Events): unknown {
  const events = eventsOf(format, stream)
  const kinds = events.map(event => ('part' in event ? `${event.kind} ${event.part}` : event.kind)).join()
  return wired({ kinds, failure: events.find(({ kind }) => kind === 'error'), whole: assemble(events) })
}

/** @returns a line for each event: what becomes of the stream when it comes at each later place instead, or again there */
function* orderLines(format: TranslatedUpstream, title: string, stream: Events): Generator<string> {
  const whole = readOf(format, stream)
  const changes = (others: Events[]) => others.map(other => difference(whole, readOf(format, other), 1000)).join(' | ')
  for (const [at, event] of stream.entries()) {
    const places = stream
      .keys()
      .filter(place => place > at)
      .toArray()
    const moved = places.map(place => [
      ...stream.slice(0, at),
      ...stream.slice(at + 1, place + 1),
      event,
      ...stream.slice(place + 1),
    ])
    const again = [at, ...places].map(place => stream.toSpliced(place + 1, 0, event))
    yield `${title} ${at} later: ${shortened(changes(moved), LENGTH_MAX)}`
    yield `${title} ${at} again: ${shortened(changes(again), LENGTH_MAX)}`
    yield `${title} until ${at}: ${shortened(changes([stream.slice(0, at)]), LENGTH_MAX)}`
  }
}

/** The stream as each client gets it. */
function* writtenLines(upstream: TranslatedUpstream, title: string, stream: Events): Generator<string> {
  for (const name of formats) {
    const label = labelFor(requestOf(name, 'tools'))
    const write = eventWriter({ client: chatFormats[name] as ChatFormat, upstream, label })
    const written = eventsOf(upstream, stream).map(write).join('')
    yield `${title} to ${name}: ${shortened(JSON.stringify(written), LENGTH_MAX)}`
  }
}

export const orderLists: Record<string, () => string[]> = Object.fromEntries(
  upstreams.flatMap(format => {
    const streams = Object.entries(allBodies[format.name as FormatName].streams)
    const linesOf = ([title, stream]: [string, Events]) => [
      ...orderLines(format, title, stream),
      ...writtenLines(format, title, stream),
    ]
    return streams.length ? [[`${format.name} orders`, () => streams.flatMap(linesOf)] as const] : []
  }),
)
