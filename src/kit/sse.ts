/** Server-sent events, cut exactly where they end, however their bytes were cut on the way. */

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf'
/** A blank line where lines may end in CR, LF or both. */
const blankLine = /\r\n(?:\r\n|\n|\r)|\n(?:\r\n|\n|\r)|\r(?!\n)(?:\r\n|\n|\r)/g

/** Takes bytes as Latin-1 text, in which each is one character. */
export class EventCutter {
  #rest: string[] = []
  #length = 0

  /** Characters of an event that has begun and not ended. */
  get pending(): number {
    return this.#length
  }

  /** What is left when the bytes are at their end: an event without its blank line. */
  get rest(): string {
    return this.#rest.join('')
  }

  /** @returns the events that this piece completes, each with its blank line. */
  push(piece: string): string[] {
    const before = this.#rest.at(-1)
    // Only an event's end can lie across two pieces, so what is pending is joined once: when that end may be here.
    if (before !== undefined && !mayEndEvent(before, piece)) return this.#keep(piece)
    const text = before === undefined ? piece : this.rest + piece
    this.#rest = []
    this.#length = 0
    const events: string[] = []
    let from = 0
    for (let end = eventEnd(text, from); end > 0; end = eventEnd(text, from)) {
      events.push(text.slice(from, end))
      from = end
    }
    if (from < text.length) this.#keep(from ? text.slice(from) : text)
    return events
  }

  #keep(piece: string): string[] {
    this.#rest.push(piece)
    this.#length += piece.length
    return []
  }
}

/** The longest blank line has four characters. */
const mayEndEvent = (before: string, piece: string) => eventEnd(before.slice(-3) + piece, 0) > 0

/** Just after the next blank line, or -1. */
function eventEnd(text: string, from: number): number {
  const end = text.indexOf('\n\n', from)
  const carriage = text.indexOf('\r', from)
  if (carriage < 0 || (end >= 0 && end < carriage)) return end < 0 ? -1 : end + 2
  blankLine.lastIndex = from
  return blankLine.test(text) ? blankLine.lastIndex : -1
}

const USUAL_START = 'data: '

/** The data of an event, its lines joined; undefined for a comment or an event without data. */
export function dataOf(event: string): string | undefined {
  if (event.startsWith(USUAL_START) && event.indexOf('\n') === event.length - 2 && !event.includes('\r')) {
    return event.slice(USUAL_START.length, -2)
  }
  const text = event.startsWith(BYTE_ORDER_MARK) ? event.slice(BYTE_ORDER_MARK.length) : event
  const lines = text.split(/\r\n|\n|\r/).flatMap(line => /^data(?:: ?(.*))?$/s.exec(line)?.slice(1) ?? [])
  return lines.length ? lines.map(line => line ?? '').join('\n') : undefined
}

export const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

export const toBytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

export const eventStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

export const PING = ': PING\n\n'
