/** Rules that are checked event by event, and the strict framing of server-sent events. */
import { isDeepStrictEqual } from 'node:util'

export type Json = Record<string, any>

export interface WireEvent {
  /** The `event` line. */
  name: string | undefined
  data: string
  /** The data as JSON; undefined for `[DONE]`. */
  body: Json | undefined
}

export interface StreamGrammar {
  read(event: WireEvent): void
  end(): void
}

export class Rules {
  readonly broken: string[] = []
  at: number | 'end' = 0

  holds(condition: unknown, rule: string): boolean {
    if (!condition) this.broken.push(`${this.at}: ${rule}`)
    return Boolean(condition)
  }

  same(actual: unknown, expected: unknown, what: string): boolean {
    return this.holds(
      isDeepStrictEqual(actual, expected),
      `${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
    )
  }

  text(value: unknown, what: string): boolean {
    return this.holds(typeof value === 'string' && value !== '', `${what} is no text: ${JSON.stringify(value)}`)
  }

  count(value: unknown, what: string): boolean {
    return this.holds(Number.isInteger(value) && Number(value) >= 0, `${what} is no count: ${JSON.stringify(value)}`)
  }

  oneOf(value: unknown, values: readonly unknown[], what: string): boolean {
    return this.holds(values.includes(value), `${what} is ${JSON.stringify(value)}`)
  }

  /** @param shape names of fields with the type that `typeof` gives, `list` or `null or …` */
  shape(value: unknown, shape: Record<string, string>, what: string): value is Json {
    if (!this.holds(isObject(value), `${what} is no object`)) return false
    for (const [name, type] of Object.entries(shape)) {
      const field = (value as Json)[name]
      const isRight = type.startsWith('null or ')
        ? field === null || typeOf(field) === type.slice('null or '.length)
        : typeOf(field) === type
      this.holds(isRight, `${what}.${name} is no ${type}: ${JSON.stringify(field)}`)
    }
    return true
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

const fieldLine = /^(event|data): (.*)$/s

/** Events are separated by one blank line each; comments stand alone. */
export function* eventsIn(sse: string, rules: Rules): Generator<WireEvent> {
  const events = sse.split('\n\n')
  rules.same(events.pop(), '', 'the rest behind the last blank line')
  for (const event of events) {
    if (/^:[^\n]*$/.test(event)) continue
    const fields = event.split('\n').map(line => fieldLine.exec(line))
    const [name, data] = ['event', 'data'].map(field => fields.filter(found => found?.[1] === field))
    const isFramed = fields.every(Boolean) && name!.length <= 1 && data!.length === 1
    if (rules.holds(isFramed, `the framing of ${JSON.stringify(event)}`)) {
      const text = data![0]![2]!
      const body = text === '[DONE]' ? undefined : parsed(text, rules)
      if (body !== null) yield { name: name![0]?.[2], data: text, body }
    }
    rules.at = Number(rules.at) + 1
  }
}

function parsed(text: string, rules: Rules): Json | null {
  try {
    const body: unknown = JSON.parse(text)
    return rules.holds(isObject(body), `the data is no object: ${text}`) ? (body as Json) : null
  } catch {
    rules.holds(false, `the data is no JSON: ${text}`)
    return null
  }
}
