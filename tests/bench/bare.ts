/** What any gateway on this runtime is measured against: Bun.serve and fetch, and nothing in between. */
const upstream = process.argv[2]!

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    return fetch(upstream + pathname, { method: request.method, headers: request.headers, body: await request.text() })
  },
})
process.stdout.write(`http://127.0.0.1:${server.port}\n`)
