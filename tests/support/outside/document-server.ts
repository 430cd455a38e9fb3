/** A server of JSON documents on a private port, strict about who asks: GET, for JSON, without cookie and credentials. */
import { gzipSync } from 'node:zlib'

const MEGABYTE = 1_048_576

/** What goes wrong with the documents of others. */
const accidents: Record<string, (origin: string) => Response | Promise<Response>> = {
  '/redirect': origin => Response.redirect(`${origin}/good`),
  '/bomb': () => new Response(gzipSync('['.repeat(50 * MEGABYTE)), { headers: { 'content-encoding': 'gzip' } }),
  '/huge': () => new Response(`"${'x'.repeat(3 * MEGABYTE)}"`),
  '/slow': () => new Promise<Response>(() => {}),
  '/error': () => Response.json({ message: 'rate limit exceeded' }, { status: 403 }),
  '/page': () => new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } }),
  '/list': () => Response.json([]),
}

export function startDocumentServer() {
  const documents = new Map<string, unknown>()
  const seen: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request): Response | Promise<Response> => {
      const { pathname } = new URL(request.url)
      seen.push(pathname)
      const { headers } = request
      const isPlain = !headers.has('cookie') && !headers.has('authorization')
      if (request.method !== 'GET' || !isPlain || headers.get('accept') !== 'application/json')
        return new Response('this is no request for a document', { status: 400 })
      if (documents.has(pathname)) return Response.json(documents.get(pathname))
      return accidents[pathname]?.(url) ?? new Response('no such document', { status: 404 })
    },
  })
  const url: string = `http://127.0.0.1:${server.port}`
  return { url, documents, seen, stop: () => server.stop(true) }
}

/** Each accident, and the cause that root reads. */
export const accidentCauses: [path: string, cause: string][] = [
  ['/redirect', 'the server redirects to another address; enter that one'],
  ['/bomb', 'the response is too large'],
  ['/huge', 'the response is too large'],
  ['/slow', 'the server takes too long'],
  ['/error', 'the server answers with an error'],
  ['/missing', 'the server answers with an error'],
  ['/page', 'the response is not JSON'],
  ['/list', 'the response lacks what is needed'],
]
