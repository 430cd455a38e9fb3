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

/** Comments begin with a colon; one blank after the colon of a field is no part of its value. */
function fieldsOf(event: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of event.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (!name) continue
    fields[name] = name === 'data' && 'data' in fields ? `${fields.data}\n${value}` : value
  }
  return fields
}
