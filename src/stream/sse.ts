/** Server-sent events: bytes in chunks of any size, cut into whole events. */

/** U+FEFF, decoded as UTF-8 or as Latin-1. */
const byteOrderMark = /^(?:\ufeff|\u00ef\u00bb\u00bf)/
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const LINE_FEEDS = '\n\n'
/** A blank line between lines that end in CR, LF or both. */
const blankLine = /\r\n(?:\r\n|\n|\r)|\n(?:\r\n|\n|\r)|\r(?!\n)(?:\r\n|\n|\r)/g
const BLANK_LINE_MAX = 4

/** Collects bytes until events are complete. */
export class EventCutter {
  #rest: Buffer[] = []
  #length = 0

  /** Number of bytes of the incomplete event. */
  get pending(): number {
    return this.#length
  }

  /** The incomplete event as Latin-1: at the end of a stream, one without its blank line. */
  get rest(): string {
    return Buffer.concat(this.#rest).toString('latin1')
  }

  /** @returns the events that are complete now, one after another; undefined when there is none */
  push(chunk: Buffer): Buffer | undefined {
    const before = this.#rest.at(-1)
    // The chunks of a long event are joined once, when its end is in this chunk or across its start.
    if (before && lastEnd(chunk) < 0 && lastEnd(seam(before, chunk)) < 0) return this.#append(chunk)
    const bytes = before ? Buffer.concat([...this.#rest, chunk]) : chunk
    const end = lastEnd(bytes)
    this.#rest = []
    this.#length = 0
    // A copy, so that a large chunk is not held in memory for its last bytes.
    if (end < bytes.length) this.#append(end < 0 ? bytes : Buffer.from(bytes.subarray(end)))
    return end < 0 ? undefined : end === bytes.length ? bytes : bytes.subarray(0, end)
  }

  #append(chunk: Buffer): undefined {
    this.#rest.push(chunk)
    this.#length += chunk.length
  }
}

const seam = (before: Buffer, after: Buffer) =>
  Buffer.concat([before.subarray(1 - BLANK_LINE_MAX), after.subarray(0, BLANK_LINE_MAX - 1)])

/** Offset behind the last blank line, or -1. Most chunks end with one. */
function lastEnd(bytes: Buffer): number {
  if (bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED) return bytes.length
  if (!bytes.includes(CARRIAGE_RETURN)) {
    const at = bytes.lastIndexOf(LINE_FEEDS)
    return at < 0 ? -1 : at + LINE_FEEDS.length
  }
  const text = bytes.toString('latin1')
  let last = -1
  for (let end = nextEnd(text, 0); end >= 0; end = nextEnd(text, end)) last = end
  return last
}

/** Complete events, each with its blank line, as Latin-1: one character per byte. */
export function* eventsIn(bytes: Buffer): Generator<string> {
  const text = bytes.toString('latin1')
  if (text.includes('\r')) return yield* eventsOf(text)
  for (let from = 0, end = 0; from < text.length; from = end) {
    const at = text.indexOf(LINE_FEEDS, from)
    end = at < 0 ? text.length : at + LINE_FEEDS.length
    yield text.slice(from, end)
  }
}

/** The `data` of complete events, as UTF-8 text; events without data are left out. */
export function dataIn(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  if (text.includes('\r')) return [...eventsOf(text)].flatMap(event => dataOf(event) ?? [])
  const found: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(LINE_FEEDS, from)
    if (end < 0) break
    const line = text.startsWith(EVENT_START, from) ? text.indexOf('\n', from) + 1 : from
    const isSimple = text.startsWith(DATA_START, line) && text.indexOf('\n', line) === end
    const data = isSimple
      ? text.slice(line + DATA_START.length, end)
      : dataOf(text.slice(from, end + LINE_FEEDS.length))
    if (data !== undefined) found.push(data)
    from = end + LINE_FEEDS.length
  }
  return found
}

function* eventsOf(text: string): Generator<string> {
  for (let from = 0, end = nextEnd(text, 0); end >= 0; from = end, end = nextEnd(text, end)) yield text.slice(from, end)
}

function nextEnd(text: string, from: number): number {
  blankLine.lastIndex = from
  return blankLine.test(text) ? blankLine.lastIndex : -1
}

const DATA_START = 'data: '
const EVENT_START = 'event: '

/** Offset of the data in an event of one `data` line, with or without an `event` line before it; else -1. */
function dataOffset(event: string): number {
  const line = event.startsWith(EVENT_START) ? event.indexOf('\n') + 1 : 0
  if (!event.startsWith(DATA_START, line) || event.indexOf('\n', line) !== event.length - 2) return -1
  return event.includes('\r') ? -1 : line + DATA_START.length
}

/** The data of an event, lines joined by LF. @returns undefined for a comment or an event without data */
export function dataOf(event: string): string | undefined {
  const start = dataOffset(event)
  if (start >= 0) return event.slice(start, -2)
  const lines = event
    .replace(byteOrderMark, '')
    .split(/\r\n|\n|\r/)
    .flatMap(line => /^data(?:: ?(.*))?$/s.exec(line)?.slice(1) ?? [])
  return lines.length ? lines.map(line => line ?? '').join('\n') : undefined
}

/** A Buffer on the same memory. */
export const asBuffer = (bytes: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const toBytes = (text: string) => Buffer.from(text, 'latin1')

export const eventStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

export const PING = ': PING\n\n'
