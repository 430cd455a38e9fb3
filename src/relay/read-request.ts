/** What is asked for: the body, read once and checked once. */
import { HOP_HEADER } from '../contracts/relay.ts'
import { decode } from '../kit/body.ts'
import { stopwatch } from '../kit/clock.ts'
import { Refusal } from '../kit/refusal.ts'
import { idOf, languageFor } from '../kit/request.ts'
import { sign } from '../kit/secrets.ts'
import type { Call, Door } from './call.ts'
import { readInflated } from './inflate.ts'
import { readJson } from './read-json.ts'

/** @throws Refusal 4xx that names what is wrong, 508 for a call that has been here before. */
export async function readRequest(request: Request, door: Door): Promise<Call> {
  const elapsed = stopwatch()
  const hops = nextHops(request.headers.get(HOP_HEADER))
  const body = readJson(decode(await readInflated(request)))
  const ask = door.codec.readAsk(body)
  if ('code' in ask) throw new Refusal(ask.code, ask.facts, 400, ask.param ?? undefined)
  return {
    door,
    request_id: idOf(request),
    path: pathOf(request.url),
    // Asked for only when something has to be said.
    get language() {
      return languageFor(request)
    },
    ask,
    body,
    prompt: door.codec.promptTokens(body),
    elapsed,
    left: request.signal,
    hops,
    client_headers: forwardedHeaders(request.headers),
    attempts: [],
  }
}

export const pathOf = (url: string) => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}

/** Of what a client sends along, what an upstream may see. */
const forwarded = ['openai-beta']

function forwardedHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of forwarded) {
    const value = headers.get(name)
    if (value !== null) kept[name] = value
  }
  return kept
}

let mark: string | undefined
const MARK_LENGTH = 16

function nextHops(passed: string | null): string {
  mark ??= sign('hop', 'here').slice(0, MARK_LENGTH)
  if (passed === null) return mark
  if (passed.includes(mark)) throw new Refusal('relay.loop', {}, 508)
  return `${passed},${mark}`
}
