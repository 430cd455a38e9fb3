// @engine sqlite
/** Every format through the canonical form and back: what the format can say is said again. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { eventsOf, labelFor, requestOf, wired } from './support.ts'
import { wires } from './wire/index.ts'
import { features } from './wire/sse.ts'

describe.each([...formats])('%s', format => {
  const dialect = chatFormats[format]
  const wire = wires[format]

  describe.each([...features])('%s', feature => {
    const label = labelFor(requestOf(format, feature))

    test('a request survives writing and reading', () => {
      expect(wired(dialect.writeRequest(requestOf(format, feature)))).toEqual(wire.requests[feature])
    })

    test('a response survives writing and reading', () => {
      const answer = dialect.readResponse(wire.answers[feature])!
      expect(dialect.writeResponse(answer, label)).toMatchObject(wire.answers[feature])
    })

    test('a stream, put together, is the answer', () => {
      const { choices, usage, id } = assemble(eventsOf(dialect, wire.streams[feature]))
      const whole = dialect.readResponse(wire.answers[feature])!
      expect({ choices, usage, id }).toEqual({ choices: whole.choices, usage: whole.usage, id: whole.id })
    })

    test('a stream, cut at any byte, is the same', () => {
      const bytes = new TextEncoder().encode(wire.streams[feature])
      const events = eventsOf(dialect, [bytes])
      const differing = bytes.findIndex((_, at) => {
        const cut = eventsOf(dialect, [bytes.subarray(0, at), bytes.subarray(at)])
        return !Bun.deepEquals(cut, events)
      })
      expect(differing).toBe(-1)
    })

    test('a stream, cut at every byte and with CRLF and comments between, is the same', () => {
      const text = wire.streams[feature].replaceAll('\n\n', '\r\n\r\n: ping\r\n\r\n')
      const bytes = Array.from(new TextEncoder().encode(text), byte => Uint8Array.of(byte))
      expect(eventsOf(dialect, bytes)).toEqual(eventsOf(dialect, wire.streams[feature]))
    })

    test('a stream, written and read again, tells the same', () => {
      const events = eventsOf(dialect, wire.streams[feature])
      const writer = dialect.writeStream(label)
      const again = assemble(eventsOf(dialect, events.map(event => writer.write(event)).join('')))
      const { choices, usage } = assemble(events)
      expect(again).toMatchObject({ choices, usage })
    })
  })
})
