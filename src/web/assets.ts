/** Assets for browsers: scripts and styles under hashed names, and the icon. */
import { Elysia } from 'elysia'
import icon from '../../public/favicon.svg' with { type: 'file' }
import { log } from '../process/log.ts'

const unbuilt = { default: {} as Record<string, string>, script: '', style: '' }

const {
  default: files,
  script,
  style,
} = await import('../../public/build/index.js').catch(() => {
  log.warn('the client is not built: pages will have neither script nor style')
  return unbuilt
})

export const scriptPath = `/build/${script}`
export const stylePath = `/build/${style}`

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }
/** Browsers must not guess another content type. */
const noSniff = { 'x-content-type-options': 'nosniff' }
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const CACHE_A_DAY = 'public, max-age=86400'

/** Gzip bytes by name, in memory: a newer build on disk does not affect a running process. */
const gzipped = new Map(
  await Promise.all(Object.entries(files).map(async ([name, path]) => [name, await Bun.file(path).bytes()] as const)),
)

/** Serves the gzip bytes, inflated for a client that does not accept gzip. */
function serve(name: string, request: Request): Response {
  const bytes = gzipped.get(name)
  if (!bytes) return new Response(null, { status: 404, headers: noSniff })
  const headers = {
    ...noSniff,
    'content-type': types[name.split('.').at(-1)!]!,
    'cache-control': CACHE_FOREVER,
    vary: 'accept-encoding',
  }
  if (request.headers.get('accept-encoding')?.includes('gzip'))
    return new Response(bytes, { headers: { ...headers, 'content-encoding': 'gzip' } })
  return new Response(Bun.gunzipSync(bytes), { headers })
}

const serveIcon = () =>
  new Response(Bun.file(icon), {
    headers: { ...noSniff, 'content-type': 'image/svg+xml', 'cache-control': CACHE_A_DAY },
  })

export const assets = new Elysia({ name: 'assets' })
  .get('/build/:name', ({ params, request }) => serve(params.name, request))
  .get('/favicon.svg', serveIcon)
  .get('/favicon.ico', serveIcon)
