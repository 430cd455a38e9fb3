/** Spans as bytes of a request's body: texts are written once, and do not wait as thousands of objects. */

const FIRST_BYTES = 65_536
/** A body is sent before it is larger, unless one trace is. */
const BATCH_BYTES_MAX = 1_048_576
/** Of a character in UTF-8, at most: one of two units has four. */
const BYTES_PER_UNIT = 3
const COMMA = 0x2c

export interface SpanBatch {
  /** Of the request. */
  body: Uint8Array<ArrayBuffer>
  count: number
}

const encoder = new TextEncoder()

/** Gathers spans in one buffer, which grows up to the size of a batch and is kept. */
export class SpanWriter {
  #buffer = new Uint8Array(FIRST_BYTES)
  #used = 0
  #count = 0

  /** Bytes that are written. */
  get size() {
    return this.#used
  }

  /** What has no room is written once the batch before it is taken. */
  hasRoom(spans: string): boolean {
    return this.#used === 0 || this.#bytesWith(spans) <= BATCH_BYTES_MAX
  }

  write(spans: string, count: number) {
    const needed = this.#bytesWith(spans)
    if (needed > this.#buffer.length) this.#grow(needed)
    if (this.#used) this.#buffer[this.#used++] = COMMA
    this.#used += encoder.encodeInto(spans, this.#buffer.subarray(this.#used)).written
    this.#count += count
  }

  /** At most. */
  #bytesWith(spans: string) {
    return this.#used + 1 + spans.length * BYTES_PER_UNIT
  }

  /** @param begin stands in the body before the spans, `end` after them */
  take({ begin, end }: { begin: string; end: string }): SpanBatch {
    const spans = this.#buffer.subarray(0, this.#used)
    const body = Buffer.concat([Buffer.from(begin), spans, Buffer.from(end)]) as Uint8Array<ArrayBuffer>
    const count = this.#count
    this.clear()
    return { body, count }
  }

  clear() {
    this.#used = this.#count = 0
    if (this.#buffer.length > BATCH_BYTES_MAX) this.#buffer = new Uint8Array(FIRST_BYTES)
  }

  #grow(needed: number) {
    const grown = new Uint8Array(Math.max(needed, Math.min(this.#buffer.length * 2, BATCH_BYTES_MAX)))
    grown.set(this.#buffer.subarray(0, this.#used))
    this.#buffer = grown
  }
}
