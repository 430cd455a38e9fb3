/**
 * An upstream whose streams are long and fill a line of a gigabit a second, as a process of its own: their bytes take no
 * time of the loop of those who measure. `bun tests/support/attacks/long-streams.ts BYTES` prints its address.
 */

const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }], padding: 'x'.repeat(8000) })}\n\n`

const LINE_BYTES_PER_MS = 125_000
/** How far ahead of the line it may be. */
const AHEAD_MS = 5

/** @param bytes of each stream. @returns its address, and what ends it */
export async function startLongStreams(bytes: number): Promise<{ url: string; stop(): void }> {
  const child = Bun.spawn([process.execPath, import.meta.path, String(bytes)], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  return { url: new TextDecoder().decode(value).trim(), stop: () => child.kill() }
}

if (import.meta.main) {
  const count = Number(process.argv[2]) / event.length
  const piece = Buffer.from(event)
  /** When the line is free. */
  let free_at = performance.now()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      if (request.headers.get('authorization') !== 'Bearer sk-upstream') return new Response('', { status: 401 })
      let left = count
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        free_at = Math.max(free_at, performance.now()) + piece.length / LINE_BYTES_PER_MS
        const early_ms = free_at - performance.now()
        if (early_ms > AHEAD_MS) await Bun.sleep(early_ms)
        if (left-- > 0) return controller.enqueue(piece)
        controller.enqueue(Buffer.from('data: [DONE]\n\n'))
        controller.close()
      }
      const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  process.stdout.write(`${server.url.origin}\n`)
}
