/** Server-sent events, cut exactly where they end, however their bytes were cut on the way. */

/** As text, and as its bytes. */
const byteOrderMark = /^(?:\ufeff|\u00ef\u00bb\u00bf)/
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const LINE_FEEDS = '\n\n'
/** A blank line where lines may end in CR, LF or both. */
const blankLine = /\r\n(?:\r\n|\n|\r)|\n(?:\r\n|\n|\r)|\r(?!\n)(?:\r\n|\n|\r)/g
const BLANK_LINE_MAX = 4

/** Gathers bytes until events are whole. */
export class EventCutter {
  #rest: Buffer[] = []
  #length = 0

  /** Bytes of an event that has begun and not ended. */
  get pending(): number {
    return this.#length
  }

  /** What is left when the bytes are at their end: an event without its blank line. */
  get rest(): string {
    return Buffer.concat(this.#rest).toString('latin1')
  }

  /** @returns all events that are whole now, one after another; nothing when there is none. */
  push(piece: Buffer): Buffer | undefined {
    const before = this.#rest.at(-1)
    // An event of many pieces is joined once: when its end is here, or lies across this piece and the one before.
    if (before && lastEnd(piece) < 0 && lastEnd(seam(before, piece)) < 0) return this.#keep(piece)
    const bytes = before ? Buffer.concat([...this.#rest, piece]) : piece
    const end = lastEnd(bytes)
    this.#rest = []
    this.#length = 0
    // A copy: the whole piece, which may be large, must not stay for what little is left of it.
    if (end < bytes.length) this.#keep(end < 0 ? bytes : Buffer.from(bytes.subarray(end)))
    return end < 0 ? undefined : end === bytes.length ? bytes : bytes.subarray(0, end)
  }

  #keep(piece: Buffer): undefined {
    this.#rest.push(piece)
    this.#length += piece.length
  }
}

const seam = (before: Buffer, after: Buffer) =>
  Buffer.concat([before.subarray(1 - BLANK_LINE_MAX), after.subarray(0, BLANK_LINE_MAX - 1)])

/** Just behind the last blank line, or -1. Most pieces end with one. */
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

/** Whole events, each with its blank line, their bytes as Latin-1: one character each. */
export function* eventsIn(bytes: Buffer): Generator<string> {
  const text = bytes.toString('latin1')
  if (text.includes('\r')) return yield* eventsOf(text)
  for (let from = 0, end = 0; from < text.length; from = end) {
    const at = text.indexOf(LINE_FEEDS, from)
    end = at < 0 ? text.length : at + LINE_FEEDS.length
    yield text.slice(from, end)
  }
}

/** The data of whole events, as text; comments have none. */
export function dataIn(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  if (text.includes('\r')) return [...eventsOf(text)].flatMap(event => dataOf(event) ?? [])
  const said: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(LINE_FEEDS, from)
    if (end < 0) break
    const line = text.startsWith(NAMED_START, from) ? text.indexOf('\n', from) + 1 : from
    const isUsual = text.startsWith(USUAL_START, line) && text.indexOf('\n', line) === end
    const data = isUsual
      ? text.slice(line + USUAL_START.length, end)
      : dataOf(text.slice(from, end + LINE_FEEDS.length))
    if (data !== undefined) said.push(data)
    from = end + LINE_FEEDS.length
  }
  return said
}

function* eventsOf(text: string): Generator<string> {
  for (let from = 0, end = nextEnd(text, 0); end >= 0; from = end, end = nextEnd(text, end)) yield text.slice(from, end)
}

function nextEnd(text: string, from: number): number {
  blankLine.lastIndex = from
  return blankLine.test(text) ? blankLine.lastIndex : -1
}

const USUAL_START = 'data: '
const NAMED_START = 'event: '

/** Where the data of a usual event begins, which is one line of it, perhaps behind a line with its name; or -1. */
function startOfUsual(event: string): number {
  const line = event.startsWith(NAMED_START) ? event.indexOf('\n') + 1 : 0
  if (!event.startsWith(USUAL_START, line) || event.indexOf('\n', line) !== event.length - 2) return -1
  return event.includes('\r') ? -1 : line + USUAL_START.length
}

/** The data of an event, its lines joined; undefined for a comment or an event without data. */
export function dataOf(event: string): string | undefined {
  const start = startOfUsual(event)
  if (start >= 0) return event.slice(start, -2)
  const lines = event
    .replace(byteOrderMark, '')
    .split(/\r\n|\n|\r/)
    .flatMap(line => /^data(?:: ?(.*))?$/s.exec(line)?.slice(1) ?? [])
  return lines.length ? lines.map(line => line ?? '').join('\n') : undefined
}

/** A view, not a copy. */
export const asBuffer = (bytes: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const toBytes = (text: string) => Buffer.from(text, 'latin1')

export const eventStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

export const PING = ': PING\n\n'
