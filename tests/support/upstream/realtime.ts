/** A fake upstream for sessions over a socket: OpenAI's events, and as much usage as a test says. */
type Json = Record<string, any>

export interface Turn {
  /** What it says, in pieces. */
  deltas?: Json[]
  /** What `response.done` reports; nothing when left out. */
  usage?: Json
  /** Closes the connection in place of ending the turn. */
  breaks?: boolean
  /** Goes on for ever. */
  lasts?: boolean
}

export interface RealtimeUpstream {
  url: string
  /** What the next turns bring; the last one stays. */
  turns: Turn[]
  /** One entry for each session: how it was opened, what came, and whether it is over. */
  sessions: { url: URL; headers: Headers; events: Json[]; closed: boolean }[]
  stop(): void
}

export function realtimeUpstream(key = 'sk-upstream'): RealtimeUpstream {
  type Data = RealtimeUpstream['sessions'][number]
  const sessions: Data[] = []
  const turns: Turn[] = []
  const server = Bun.serve<Data>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      const url = new URL(request.url)
      const { headers } = request
      if (url.pathname !== '/v1/realtime') return new Response('Not found', { status: 404 })
      if (headers.get('authorization') !== `Bearer ${key}`) return new Response('Unauthorized', { status: 401 })
      const data = { url, headers, events: [], closed: false }
      if (!url.searchParams.get('model') || !server.upgrade(request, { data }))
        return new Response('Bad', { status: 400 })
      sessions.push(data)
    },
    websocket: {
      // It says all it has to say, whether that is taken or not.
      backpressureLimit: 1_000_000_000,
      open: socket => void socket.send(JSON.stringify({ type: 'session.created', session: { id: 'sess_1' } })),
      message(socket, text) {
        const event = JSON.parse(String(text))
        socket.data.events.push(event)
        if (event.type !== 'response.create') return
        const { deltas = [], usage, breaks, lasts } = turns.length > 1 ? turns.shift()! : (turns[0] ?? {})
        for (const delta of deltas) socket.send(JSON.stringify(delta))
        if (breaks) return socket.close(1011, 'server error')
        if (lasts) return
        socket.send(
          JSON.stringify({ type: 'response.done', response: { status: 'completed', ...(usage && { usage }) } }),
        )
      },
      close(socket) {
        socket.data.closed = true
      },
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, turns, sessions, stop: () => void server.stop(true) }
}
