/**
 * AWS event streams: binary frames with two checksums, of the prelude and of the message. Each frame becomes a
 * server-sent event of JSON: `{"<event type>": payload}`. A `chunk` of InvokeModelWithResponseStream is the event that
 * its `bytes` hold in base64.
 * https://smithy.io/2.0/aws/amazon-eventstream.html (read 2026-11)
 */
import { crc32 } from 'node:zlib'
import { asBuffer } from './sse.ts'

const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
const OVERHEAD_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES
/** 24 MiB: the most that AWS lets a message have, its headers included. */
const MESSAGE_MAX = 24 * 1_048_576
const HEADERS_MAX = 128 * 1024

/** A frame that breaks the rules: nothing after it can be read. */
export class BrokenFrame extends Error {}

/** What ends a stream after it has begun. */
export interface StreamException {
  /** Such as `throttlingException`. */
  type: string
  message: string
}

type WriteException = (exception: StreamException) => object

type Headers = Record<string, string>

export class AwsEventStream {
  #rest: Buffer[] = []
  #length = 0
  /** Bytes until the frame at the front is complete. */
  #wanted = PRELUDE_BYTES
  /** Headers of the last frame, which those of the next nearly always equal: their bytes as Latin-1, and what they say. */
  #head = ''
  #headers: Headers = {}
  /** The type of its event, as JSON. */
  #label = ''
  broken: BrokenFrame | undefined

  /** @param writeException gives the event of an exception */
  constructor(private readonly writeException: WriteException = exception => ({ error: exception })) {}

  push(chunk: Buffer): Buffer<ArrayBuffer> | undefined {
    this.#length += chunk.length
    if (this.#length < this.#wanted) {
      this.#rest.push(Buffer.from(chunk))
      return undefined
    }
    const bytes = this.#rest.length ? Buffer.concat([...this.#rest, chunk]) : chunk
    let events = ''
    let from = 0
    try {
      while (this.#isWhole(bytes, from)) {
        events += this.#event(bytes, from, from + this.#wanted)
        from += this.#wanted
      }
    } catch (error) {
      if (!(error instanceof BrokenFrame) || !events) throw error
      this.broken = error
    }
    this.#rest = from < bytes.length ? [Buffer.from(bytes.subarray(from))] : []
    this.#length = bytes.length - from
    return events ? asBuffer(Buffer.from(events, 'latin1')) : undefined
  }

  /** Whether a frame begins here and is complete. @throws BrokenFrame */
  #isWhole(bytes: Buffer, from: number): boolean {
    const left = bytes.length - from
    this.#wanted = left < PRELUDE_BYTES ? PRELUDE_BYTES : lengthAt(bytes, from)
    return left >= this.#wanted
  }

  /** The event of one frame: its bytes as Latin-1, since most need no decoding. @throws BrokenFrame */
  #event(bytes: Buffer, from: number, to: number): string {
    const end = to - CHECKSUM_BYTES
    if (crc32(bytes.subarray(from, end)) !== bytes.readUInt32BE(end)) throw new BrokenFrame('message checksum')
    const headers_at = from + PRELUDE_BYTES
    const payload_at = headers_at + bytes.readUInt32BE(from + 4)
    const head = bytes.toString('latin1', headers_at, payload_at)
    if (head !== this.#head) {
      this.#headers = headersOf(bytes.subarray(headers_at, payload_at))
      this.#label = latin1Of(JSON.stringify(this.#headers[':event-type'] ?? ''))
      this.#head = head
    }
    return this.#eventOf(bytes.toString('latin1', payload_at, end))
  }

  /** @param payload UTF-8 as Latin-1, as the result */
  #eventOf(payload: string): string {
    const headers = this.#headers
    if (headers[':message-type'] !== 'event') return eventText(exceptionIn(headers, payload, this.writeException))
    if (headers[':event-type'] !== 'chunk') return `data: {${this.#label}:${json(payload)}}\n\n`
    return eventText(chunkIn(payload) ?? `{${this.#label}:${json(payload)}}`)
  }

  get pending(): number {
    return this.#length
  }

  /** A frame that is cut off says nothing. */
  end(): undefined {
    return undefined
  }
}

/** @throws BrokenFrame before a length that is not true makes the gateway wait for gigabytes */
function lengthAt(bytes: Buffer, from: number): number {
  const total = bytes.readUInt32BE(from)
  const headers = bytes.readUInt32BE(from + 4)
  if (crc32(bytes.subarray(from, from + 8)) !== bytes.readUInt32BE(from + 8)) throw new BrokenFrame('prelude checksum')
  if (total < OVERHEAD_BYTES || total > MESSAGE_MAX || headers > HEADERS_MAX || headers > total - OVERHEAD_BYTES)
    throw new BrokenFrame('length')
  return total
}

/** Anthropic's clients know an event by its name. */
function eventText(data: string): string {
  const name = /^\{"type":"(\w+)"/.exec(data)?.[1]
  return name ? `event: ${name}\ndata: ${data}\n\n` : `data: ${data}\n\n`
}

function exceptionIn(headers: Headers, payload: string, writeException: WriteException): string {
  const type = headers[':exception-type'] ?? headers[':error-code'] ?? ''
  const message = headers[':error-message'] ?? messageIn(utf8Of(payload))
  return latin1Of(JSON.stringify(writeException({ type, message })))
}

const BYTES_BEGIN = '{"bytes":"'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html (read 2026-11) */
function chunkIn(payload: string): string | undefined {
  const bytes = payload.startsWith(BYTES_BEGIN)
    ? payload.slice(BYTES_BEGIN.length, payload.indexOf('"', BYTES_BEGIN.length))
    : ((parsed(payload) ?? {}) as { bytes?: unknown }).bytes
  return typeof bytes === 'string' ? json(Buffer.from(bytes, 'base64').toString('latin1')) : undefined
}

/** JSON on one line: a payload with line ends would end the event. */
function json(payload: string): string {
  if (!payload) return '{}'
  if (!/[\r\n]/.test(payload)) return payload
  const text = utf8Of(payload)
  return latin1Of(JSON.stringify(parsed(text) ?? text))
}

const utf8Of = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8')
const latin1Of = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

function messageIn(payload: string): string {
  const body = parsed(payload) as { message?: unknown; Message?: unknown } | undefined
  return String(body?.message ?? body?.Message ?? payload)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const BOOLEAN_TRUE = 0
const BOOLEAN_FALSE = 1
/** Bytes of the values that have a fixed length, by type. */
const fixed: Record<number, number> = { [BOOLEAN_TRUE]: 0, [BOOLEAN_FALSE]: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }
const STRING = 7
const BYTES = 6

/** The texts among the headers; values of other types are passed over. */
function headersOf(bytes: Buffer): Headers {
  const headers: Headers = {}
  let at = 0
  const take = (length: number) => {
    if (at + length > bytes.length) throw new BrokenFrame('headers')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const name = take(take(1)[0]!).toString('utf8')
    const type = take(1)[0]!
    if (type === STRING || type === BYTES) {
      const value = take(take(2).readUInt16BE())
      if (type === STRING) headers[name] = value.toString('utf8')
    } else {
      const length = fixed[type]
      if (length === undefined) throw new BrokenFrame('header type')
      take(length)
    }
  }
  return headers
}
