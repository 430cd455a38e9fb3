// @engine sqlite
/** Framings other than server-sent events, in chunks of any size. */
import { describe, expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { BrokenFrame, deframer, type FramingName, framingOf } from '../../src/stream/framing.ts'
import { asBuffer, dataIn } from '../../src/stream/sse.ts'
import { type AwsFrame, awsFrame, chunkFrame } from '../support/upstream/aws-frame.ts'

/** Section 7.5 of the vectors that the format was checked with: a `message_stop` of Anthropic. */
const VECTOR =
  '000000870000004b87ea2bf30b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f696257567a6332466e5a56397a64473977496e303d227dba48ab22'

function read(framing: FramingName, pieces: Uint8Array[]): string[] {
  const frames = deframer(framing)
  const events = [...pieces.map(piece => frames.push(asBuffer(Uint8Array.from(piece)))), frames.end()]
  return events.flatMap(found => (found ? dataIn(found) : []))
}

/** In two pieces, cut at every byte, and byte by byte. */
function expectEvents(framing: FramingName, bytes: Uint8Array, events: string[]) {
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(read(framing, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(events)
  }
  expect(
    read(
      framing,
      [...bytes].map(byte => Uint8Array.of(byte)),
    ),
  ).toEqual(events)
}

const event = (name: string, payload: unknown): AwsFrame => ({ headers: { ':event-type': name }, payload })

describe('AWS event streams', () => {
  test('the known frame is read at every cut', () => {
    const frame = Buffer.from(VECTOR, 'hex')
    expect(frame.length).toBe(135)
    expectEvents('aws_event_stream', frame, ['{"type":"message_stop"}'])
  })

  test('frames of both kinds follow each other', () => {
    const frames = [
      chunkFrame({ type: 'ping' }),
      event('contentBlockDelta', { delta: { text: '你好\n' } }),
      event('messageStop', '{\n  "stopReason": "end_turn"\n}'),
      event('initial-response', ''),
    ]
    expectEvents('aws_event_stream', Buffer.concat(frames.map(awsFrame)), [
      '{"type":"ping"}',
      '{"contentBlockDelta":{"delta":{"text":"你好\\n"}}}',
      '{"messageStop":{"stopReason":"end_turn"}}',
      '{"initial-response":{}}',
    ])
  })

  test('an exception becomes an event of its own', () => {
    const headers = { ':message-type': 'exception', ':exception-type': 'throttlingException' }
    const frame = awsFrame({ headers, payload: { message: 'Slow down' } })
    expectEvents('aws_event_stream', frame, ['{"error":{"type":"throttlingException","message":"Slow down"}}'])
    const error = { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'Oops' }
    expectEvents('aws_event_stream', awsFrame({ headers: error, payload: '' }), [
      '{"error":{"type":"InternalError","message":"Oops"}}',
    ])
  })

  test('headers of every type are passed over', () => {
    const texts = awsFrame(event('metadata', { usage: {} }))
    const own = texts.subarray(12, 12 + texts.readUInt32BE(4))
    const sizes = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]
    const others = sizes.flatMap((size, type) => (size === undefined ? [] : [header(type, Buffer.alloc(size))]))
    const bytes = header(6, Buffer.from([0, 3, 1, 2, 3]))
    const frame = framed(Buffer.concat([...others, bytes, own]), Buffer.from('{"usage":{}}'))
    expectEvents('aws_event_stream', frame, ['{"metadata":{"usage":{}}}'])
  })

  const whole = awsFrame(event('metadata', {}))
  const flawed: [name: string, change: (frame: Buffer) => void][] = [
    ['of the prelude', frame => frame.writeUInt32BE(1, 8)],
    ['of the message', frame => frame.writeUInt32BE(1, frame.length - 4)],
    ['of a payload that has changed', frame => frame.writeUInt8(0x20, frame.length - 6)],
  ]
  test.each(flawed)('a wrong checksum ends the stream: %s', (_, change) => {
    const frame = Buffer.from(whole)
    change(frame)
    expect(() => read('aws_event_stream', [frame])).toThrow(BrokenFrame)
  })

  const lengths: [name: string, total: number, headers: number][] = [
    ['2 GB', 2_147_483_647, 0],
    ['the largest number', 4_294_967_295, 16],
    ['less than its own overhead', 15, 0],
    ['headers longer than the frame', 100, 99],
    ['headers of 200 kB', 1_000_000, 200_000],
  ]
  test.each(lengths)('a length of %s ends the stream with the prelude', (_, total, headers) => {
    expect(() => read('aws_event_stream', [prelude(total, headers)])).toThrow(BrokenFrame)
  })

  test('headers that end too soon or have an unknown type end the stream', () => {
    expect(() => read('aws_event_stream', [framed(Buffer.from([200, 1]), Buffer.alloc(0))])).toThrow(BrokenFrame)
    expect(() => read('aws_event_stream', [framed(header(77, Buffer.alloc(0)), Buffer.alloc(0))])).toThrow(BrokenFrame)
  })

  test('a frame that is cut off gives no event', () => {
    expect(read('aws_event_stream', [whole, whole.subarray(0, 20)])).toEqual(['{"metadata":{}}'])
  })
})

function header(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([1, 0x78, type]), value])
}

function prelude(total: number, headers: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(total, 0)
  bytes.writeUInt32BE(headers, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  return bytes
}

function framed(headers: Buffer, payload: Buffer): Buffer {
  const message = Buffer.concat([prelude(16 + headers.length + payload.length, headers.length), headers, payload])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(message))
  return Buffer.concat([message, checksum])
}

test('lines of JSON are events, the last one without its line feed too', () => {
  const text = '{"text":"你好"}\r\n\n{"a":1}\n{"done":true}'
  expectEvents('ndjson', Buffer.from(text), ['{"text":"你好"}', '{"a":1}', '{"done":true}'])
})

test('events of plain text become JSON', () => {
  const text =
    ': ping\n\nevent: add\nid: 1\ndata: 你\ndata: \ndata:  b\n\nevent: finish\r\nmeta: {"n":1}\r\n\r\ndata: end'
  expectEvents('raw_sse', Buffer.from(text), [
    '{"event":"add","id":"1","data":"你\\n\\n b"}',
    '{"event":"finish","meta":"{\\"n\\":1}"}',
    '{"data":"end"}',
  ])
})

test('a text keeps its first blank where no field has one after its colon', () => {
  expectEvents('raw_sse', Buffer.from('event:add\nid:1\ndata: there\ndata:\ndata:a\n\n'), [
    '{"event":"add","id":"1","data":" there\\n\\na"}',
  ])
})

test('a media type names its framing', () => {
  expect(framingOf('application/vnd.amazon.eventstream')).toBe('aws_event_stream')
  expect(framingOf('application/x-ndjson; charset=utf-8')).toBe('ndjson')
  expect(framingOf('application/jsonl')).toBe('ndjson')
  expect(framingOf('text/event-stream')).toBeUndefined()
})
