/** JSON values, one a line; the last may lack its line feed. https://github.com/ndjson/ndjson-spec (read 2026-11) */
import { toBytes } from './sse.ts'

const LINE_FEED = 0x0a

export class Ndjson {
  #rest: Buffer[] = []
  #length = 0

  push(chunk: Buffer): Buffer<ArrayBuffer> | undefined {
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    if (!end) {
      this.#rest.push(Buffer.from(chunk))
      this.#length += chunk.length
      return undefined
    }
    const lines = Buffer.concat([...this.#rest, chunk.subarray(0, end)])
    this.#rest = end < chunk.length ? [Buffer.from(chunk.subarray(end))] : []
    this.#length = chunk.length - end
    return eventsOf(lines)
  }

  get pending(): number {
    return this.#length
  }

  end(): Buffer<ArrayBuffer> | undefined {
    const last = Buffer.concat(this.#rest)
    this.#rest = []
    return eventsOf(last)
  }
}

function eventsOf(lines: Buffer): Buffer<ArrayBuffer> | undefined {
  const events = lines
    .toString('latin1')
    .split(/\r?\n/)
    .filter(line => line.trim())
    .map(line => `data: ${line}\n\n`)
  return events.length ? toBytes(events.join('')) : undefined
}
