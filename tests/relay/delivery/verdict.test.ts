/** What becomes of the events of a stream, and how a stream without a last event has ended. */
import { expect, test } from 'bun:test'
import type { EventKind } from '../../../src/formats/format.ts'
import { NetworkError } from '../../../src/net/upstream-fetch.ts'
import { endBy, endOfBytes, verdictOf } from '../../../src/relay/delivery/verdict.ts'
import { ClientDisconnected } from '../../../src/relay/errors/fault.ts'

type Stream = Parameters<typeof verdictOf>[1]

const error = { status: 429, message: 'slow down', type: 'rate_limit_error', code: '', param: null }
const channel = { type: 1, status_code_mapping: {}, good_keys: [], base_url: '' } as unknown as Stream['channel']

const stream = (facts: Partial<Stream['facts']> = {}, wants_usage = false): Stream => ({
  facts: { error: undefined, finished: false, ...facts },
  channel,
  call: { facts: { wants_usage } },
})
const rewritten = { takeRewritten: () => '' }
const broken = (code: string, status: number) => ({ reason: 'broken', error: { code: `relay.${code}`, status } })
const [unusable, saturated] = [broken('upstream_unusable', 502), broken('upstream_saturated', 429)]

const verdicts: [title: string, kind: EventKind, stream: Stream, verdict: unknown][] = [
  ['output passes', 'content', stream(), 'pass'],
  ['a report that the client has asked for passes', 'usage', stream({}, true), 'pass'],
  ['a report that the gateway has asked for is dropped', 'usage', stream(), 'drop'],
  ['an event that may be the last is held', 'finish', stream({ finished: true }), 'hold'],
  ['the last event ends the stream', 'end', stream({ finished: true }), { reason: 'finished' }],
  ['the last event after an error breaks the stream', 'end', stream({ finished: true, error }), saturated],
  ['a failure that goes on is waited for', 'failing', stream({ error }), 'wait'],
  ['a failure that is rewritten is not waited for', 'failing', stream({ error, ...rewritten }), saturated],
  ['the end of a failure breaks the stream', 'failed', stream({ error }), saturated],
  ['an error breaks the stream', 'error', stream({ error }), saturated],
  ['an error that says nothing breaks the stream', 'error', stream(), unusable],
  ['an event of another format breaks the stream, whatever was reported', 'broken', stream({ error }), unusable],
]
test.each(verdicts)('an event of a stream: %s', (_, kind, stream, verdict) => {
  expect({ verdict: verdictOf(kind, stream) }).toMatchObject({ verdict })
})

test('no output and no report passes after the beginning of a failure', () => {
  expect(verdictOf('content', stream({ error }), true)).toBe('drop')
  expect(verdictOf('usage', stream({ error }, true), true)).toBe('drop')
})

const timeout = new NetworkError('timeout')
const lost = new NetworkError('unreachable')
const ends: [title: string, end: unknown, expected: object][] = [
  ['bytes that end after the response are complete', endOfBytes(stream({ finished: true })), { reason: 'finished' }],
  ['bytes that end before it were cut off', endOfBytes(stream()), broken('upstream_broke_off', 502)],
  ['bytes that end after an error have failed', endOfBytes(stream({ finished: true, error })), saturated],
  [
    'a client that leaves abandons the stream',
    endBy(new ClientDisconnected(), stream({ error })),
    { reason: 'abandoned' },
  ],
  [
    'a connection that fails after the response has lost nothing',
    endBy(lost, stream({ finished: true })),
    { reason: 'finished' },
  ],
  ['a connection that fails after an error tells the error', endBy(lost, stream({ error })), saturated],
  ['a connection that fails before the end broke off', endBy(lost, stream()), broken('upstream_broke_off', 502)],
  ['an upstream that says nothing more is silent', endBy(timeout, stream()), broken('upstream_silent', 504)],
]
test.each(ends)('the end of a stream: %s', (_, end, expected) => {
  expect(end).toMatchObject(expected)
})
