/** Realtime sessions as API clients open them: a WebSocket and every event that came over it. */
import { inTime, until } from '../until.ts'
import type { Client } from './client.ts'

export const REALTIME_MODEL = 'gpt-4o-realtime-preview'

/** Resolves when the socket is open. @throws when the upgrade is refused, with the status in the message */
export async function dial(
  ann: Client,
  path = `/v1/realtime?model=${REALTIME_MODEL}`,
  options: Record<string, unknown> = {},
) {
  const headers = { authorization: `Bearer sk-${ann.key}` }
  const socket = new WebSocket(ann.url.replace('http', 'ws') + path, { headers, ...options } as never)
  const events: any[] = []
  const closed = Promise.withResolvers<number>()
  socket.onmessage = ({ data }) => events.push(JSON.parse(String(data)))
  socket.onclose = ({ code }) => closed.resolve(code)
  const failed = Promise.withResolvers<never>()
  socket.onerror = event => failed.reject(new Error((event as ErrorEvent).message))
  await Promise.race([new Promise(resolve => (socket.onopen = resolve)), failed.promise])
  failed.promise.catch(() => {})
  const seen = (type: string, count = 1) => until(() => events.filter(event => event.type === type).length >= count)
  return {
    socket,
    events,
    seen,
    /** The code with which the gateway closes the session. */
    get closed() {
      return inTime(closed.promise, 'the close of the session')
    },
    say: (event: object) => socket.send(JSON.stringify(event)),
  }
}
