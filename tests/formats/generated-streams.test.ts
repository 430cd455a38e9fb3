// @engine sqlite
/** Random streams of canonical events, and random cuts of bytes: what clients get has the grammar of their format. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Delta, Finish, ResponsePart, StreamEvent } from '../../src/formats/canonical/chat.ts'
import { finishReasons, usageOf } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { eventWriter } from '../../src/formats/translate/translate.ts'
import { violations } from '../support/grammar/index.ts'
import { eventsOf, labelFor, requestOf } from './support.ts'
import { wires } from './wire/index.ts'
import { features } from './wire/sse.ts'

const RUNS = 200

const text = fc.constantFrom('', 'a', 'Four 四', '\n\n', '"quoted"\u2028', '{"a":1}')
const signature = fc.record({
  owner: fc.constantFrom('openai' as const, 'anthropic' as const, 'gemini' as const, 'bedrock' as const),
  value: fc.constant('c2ln'),
})
const texts = fc.array(
  text.map((text): Delta => ({ text })),
  { maxLength: 4 },
)
const signed = fc.array(
  signature.map((signature): Delta => ({ signature })),
  { maxLength: 2 },
)
const cited = fc.array(
  fc.constant<Delta>({ citation: { url: 'https://example.com/', title: 'Example', quote: 'a' } }),
  { maxLength: 2 },
)

interface MadePart {
  opening: ResponsePart
  deltas: Delta[]
}

const made = (opening: ResponsePart, ...deltas: fc.Arbitrary<Delta[]>[]): fc.Arbitrary<MadePart> =>
  fc.tuple(...deltas).map(lists => ({ opening, deltas: lists.flat() }))

const call = fc
  .record({
    id: fc.constantFrom('', 'given'),
    name: fc.constantFrom('weather', 'look_up'),
    signature: fc.option(signature, { nil: undefined }),
    pieces: fc.constantFrom([], ['{}'], ['{"ci', 'ty":"Oslo"}'], ['', '{"a":', '', '1}'], ['{"broken']),
  })
  .map(({ id, name, signature, pieces }) => ({
    opening: { kind: 'tool_call' as const, id, name, arguments: '', signature },
    deltas: pieces.map(text => ({ arguments: text })),
  }))

const part = fc.oneof(
  made({ kind: 'text', text: '' }, texts, cited, signed),
  made({ kind: 'text', text: '' }, texts, signed, texts),
  made({ kind: 'thinking', text: '' }, texts, signed),
  made({ kind: 'thinking', text: '', id: 'rs_1' }, texts),
  made({ kind: 'thinking', text: '', signature: { owner: 'anthropic', value: 'c2ln', redacted: true } }),
  made({ kind: 'refusal', text: '' }, texts),
  made({ kind: 'image', source: { via: 'base64', media_type: 'image/png', data: 'AAAA' } }),
  made({ kind: 'native', format: 'gemini', value: { executableCode: { code: 'x' } }, text: 'x' }),
  made({ kind: 'native', format: 'anthropic', value: { type: 'server_tool_use', id: 's', name: 'n', input: {} } }),
  call,
)

/** The events of one choice: parts one after the other, or all begun before any goes on. */
function eventsFor(choice: number, parts: MadePart[], interleaved: boolean, finish: Finish): StreamEvent[] {
  const named = parts.map(({ opening, deltas }, index) => ({
    // The ids of a response are its upstream's, which are unique.
    opening: opening.kind === 'tool_call' && opening.id ? { ...opening, id: `${choice}_${index}` } : opening,
    deltas,
  }))
  const lists = named.map(({ opening, deltas }, part): StreamEvent[] => [
    {
      kind: 'open',
      choice,
      part,
      opening: 'id' in opening && opening.kind === 'thinking' ? { ...opening, id: `rs_${part}` } : opening,
    },
    ...deltas.map(delta => ({ kind: 'delta', choice, part, delta }) as const),
    { kind: 'close', choice, part },
  ])
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const ordered = interleaved
    ? Array.from({ length: longest }, (_, at) => lists.flatMap(list => list[at] ?? [])).flat()
    : lists.flat()
  return [...ordered, { kind: 'finish', choice, finish }]
}

const hasCall = (parts: MadePart[]) => parts.some(({ opening }) => opening.kind === 'tool_call')

const finish = fc.constantFrom(...finishReasons).map((reason): Finish => ({ reason }))

const choice = (index: number) =>
  fc
    .tuple(fc.array(part, { maxLength: 5 }), fc.boolean(), finish)
    .map(([parts, interleaved, { reason }]) =>
      eventsFor(index, parts, interleaved, { reason: reason === 'tool_calls' && !hasCall(parts) ? 'stop' : reason }),
    )

const usage: StreamEvent = { kind: 'usage', usage: usageOf({ input: 3, output: 2, reasoning: 1 }), doubts: [] }
const logprobs: StreamEvent = { kind: 'logprobs', choice: 0, tokens: [{ token: 'a', logprob: -1, alternatives: [] }] }

/** A whole stream. */
const stream = fc
  .record({
    first: choice(0),
    second: fc.option(choice(1), { nil: [] }),
    early: fc.boolean(),
    logprobs_at: fc.option(fc.nat(8), { nil: undefined }),
  })
  .map(({ first, second, early, logprobs_at }): StreamEvent[] => {
    const events = [...first, ...second]
    if (logprobs_at !== undefined) events.splice(Math.min(logprobs_at, first.length - 1), 0, logprobs)
    const start: StreamEvent = { kind: 'start', id: 'up-1', model: 'm', ...(early && { usage: usageOf({ input: 3 }) }) }
    return [start, ...events, usage, { kind: 'end' }]
  })

const stop: Finish = { reason: 'stop' }

const failure: StreamEvent = {
  kind: 'error',
  failure: { status: 503, message: 'Not now', type: 'server_error', code: '', param: null },
}

describe.each([...formats])('client %s', client => {
  const pair = {
    client: chatFormats[client],
    upstream: chatFormats.anthropic,
    label: labelFor(requestOf(client, 'tools')),
  }
  const written = (events: StreamEvent[]) => events.map(eventWriter(pair)).join('')

  test('any events have the grammar, whole and failing before any of them', () => {
    fc.assert(
      fc.property(stream, fc.nat(40), (events, at) => {
        expect(violations(client, written(events))).toEqual([])
        const failing = [...events.slice(0, Math.min(at, events.length - 1)), failure]
        expect(violations(client, written(failing))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('events that are missing or come twice leave the grammar whole', () => {
    fc.assert(
      fc.property(
        stream,
        fc.array(fc.constantFrom(0, 1, 1, 1, 2), { minLength: 40, maxLength: 40 }),
        (events, times) => {
          const garbled = events
            .slice(0, -2)
            .flatMap((event, at) => Array.from({ length: times[at] ?? 1 }, () => event))
          const stopped = garbled.map(event => (event.kind === 'finish' ? { ...event, finish: stop } : event))
          expect(violations(client, written([...stopped, ...events.slice(-2)]))).toEqual([])
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('a delta and logprobs of parts that never began leave the grammar whole', () => {
    const start: StreamEvent = { kind: 'start', id: 'up-1', model: 'm' }
    const strays: StreamEvent[] = [
      { ...logprobs, choice: 1 },
      ...[{ text: 'a' }, { signature: { owner: 'openai' as const, value: 'c2ln' } }, { arguments: '{}' }].map(
        (delta): StreamEvent => ({ kind: 'delta', choice: 1, part: 0, delta }),
      ),
    ]
    for (const stray of strays) expect(violations(client, written([start, stray, usage, { kind: 'end' }]))).toEqual([])
  })

  test('pieces of bytes of any length give the same events', () => {
    fc.assert(
      fc.property(fc.constantFrom(...features), fc.array(fc.integer({ min: 1, max: 200 })), (feature, lengths) => {
        const bytes = new TextEncoder().encode(wires[client].streams[feature])
        const pieces: Uint8Array<ArrayBuffer>[] = []
        let from = 0
        for (const length of [...lengths, bytes.length]) {
          pieces.push(bytes.slice(from, from + length))
          from += length
        }
        expect(eventsOf(chatFormats[client], pieces)).toEqual(
          eventsOf(chatFormats[client], wires[client].streams[feature]),
        )
      }),
    )
  })
})
