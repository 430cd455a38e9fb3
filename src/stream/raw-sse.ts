/**
 * Server-sent events whose data is text, such as a token or a line: each becomes JSON with its fields.
 * `{"event": "add", "id": "1", "data": "Hello", "meta": "…"}`; several `data` lines are joined by LF.
 */
import { EventCutter, eventsIn, toBytes } from './sse.ts'

export class RawSse {
  readonly #cutter = new EventCutter()

  push(chunk: Buffer): Buffer<ArrayBuffer> | undefined {
    const events = this.#cutter.push(chunk)
    return events && jsonOf([...eventsIn(events)])
  }

  get pending(): number {
    return this.#cutter.pending
  }

  end(): Buffer<ArrayBuffer> | undefined {
    const { rest } = this.#cutter
    return rest.trim() ? jsonOf([rest]) : undefined
  }
}

function jsonOf(events: string[]): Buffer<ArrayBuffer> | undefined {
  const written = events.flatMap(event => {
    const fields = fieldsOf(event)
    return Object.keys(fields).length ? [`data: ${JSON.stringify(fields)}\n\n`] : []
  })
  return written.length ? toBytes(written.join('')) : undefined
}

/**
 * Comments begin with a colon. One blank after the colon of a field is no part of its value, except in an event with a
 * field that has none there: its writer puts no blanks, and the first of a text is the text's own.
 */
function fieldsOf(event: string): Record<string, string> {
  const fields: Record<string, string> = {}
  const lines = event.split(/\r\n|\n|\r/)
  const isBare = lines.some(line => /^[^:]+:[^ ]/.test(line))
  for (const line of lines) {
    const [, name, text = ''] = /^([^:]+)(?::(.*))?$/s.exec(line) ?? []
    if (!name) continue
    const value = isBare ? text : text.replace(/^ /, '')
    fields[name] = name === 'data' && 'data' in fields ? `${fields.data}\n${value}` : value
  }
  return fields
}
