/** Reads a stream of bytes in order, with numbers and texts at an offset from the place that is reached. */

export class ByteReader {
  #buffer = Buffer.alloc(0)
  #at = 0
  #ended = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(content: ReadableStream<Uint8Array>) {
    this.#reader = content.getReader()
  }

  /** Bytes that have been read and not passed. */
  get left(): number {
    return this.#buffer.length - this.#at
  }

  /** Reads on until so many bytes are there. @returns false when the stream ends before */
  async has(count: number): Promise<boolean> {
    while (this.left < count && !this.#ended) {
      const { value, done } = await this.#reader.read()
      if (done) this.#ended = true
      else {
        this.#buffer = Buffer.concat([this.#buffer.subarray(this.#at), value])
        this.#at = 0
      }
    }
    return this.left >= count
  }

  /** A number in network order; bytes behind the end are 0. */
  uint(offset: number, bytes: number): number {
    let value = 0
    for (let index = 0; index < bytes; index++) value = value * 256 + (this.#buffer[this.#at + offset + index] ?? 0)
    return value
  }

  text = (offset: number, bytes: number) =>
    this.#buffer.toString('latin1', this.#at + offset, this.#at + offset + bytes)

  /** Passes bytes that are there. */
  skip(count: number) {
    this.#at += Math.min(count, this.left)
  }

  /** Passes bytes, reading on where they are not there yet. */
  async skipAll(count: number) {
    let missing = count
    while (missing > 0) {
      const step = Math.min(missing, this.left)
      this.#at += step
      missing -= step
      if (missing > 0 && !(await this.has(1))) return
    }
  }
}
