/** Delivers the events of a kept response from any of them on: those in the database, then those that come. */
import { eventsAfter } from '../../domain/background-responses/index.ts'
import { type BodySource, bodyStream } from '../../stream/body-stream.ts'
import { ClientConnection } from '../../stream/client-connection.ts'
import { eventStream, PING } from '../../stream/sse.ts'
import { keepAliveInterval_ms, settlesWithin } from '../delivery/keep-alive.ts'
import type { RelayContext } from '../endpoint.ts'
import { headersFor } from '../errors/explain.ts'
import { latestOf, runOf } from './runs.ts'

/** How often the database is asked for the events of another node, in milliseconds. */
const POLL_MS = 1000

interface EventsQuery {
  id: string
  user_id: number
  /** Number of the last event that the client has; -1 for none. */
  after: number
}

export function eventsResponse({ request, server }: RelayContext, request_id: string, query: EventsQuery): Response {
  const connection = new ClientConnection(request, server)
  connection.hold()
  const body = bodyStream(new KeptEvents(query), connection, query.user_id)
  return new Response(body, { headers: { ...headersFor(request_id), ...eventStream } })
}

class KeptEvents implements BodySource {
  #after: number
  readonly #keep_alive_ms = keepAliveInterval_ms()
  #isCancelled = false

  constructor(private readonly query: EventsQuery) {
    this.#after = query.after
  }

  async next(): Promise<Uint8Array | undefined> {
    const { id, user_id } = this.query
    while (!this.#isCancelled) {
      const run = runOf(id)
      const more = run?.more
      const waiting = run?.since(this.#after)
      if (waiting?.length) return this.#give(waiting)
      // Its state first: an event that comes between the two is found below.
      const isOver = !run && (await latestOf(id, user_id))?.hasEnded !== false
      const kept = waiting ? undefined : await eventsAfter(id, this.#after)
      if (kept) return this.#give(kept.events)
      if (isOver) return undefined
      if (!(await this.#waitFor(more ?? Bun.sleep(POLL_MS)))) return Buffer.from(PING)
    }
  }

  cancelled() {
    this.#isCancelled = true
  }

  #give(events: readonly string[]): Uint8Array {
    this.#after += events.length
    return Buffer.from(events.join(''))
  }

  /** @returns false when a comment is due */
  async #waitFor(more: Promise<void>): Promise<boolean> {
    if (this.#keep_alive_ms) return settlesWithin(more, this.#keep_alive_ms)
    await more
    return true
  }
}
