/** The files that browsers load: scripts and styles under names that change with their content, and the icon. */
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
/** Nobody is to guess another type than the one that is said. */
const asItIs = { 'x-content-type-options': 'nosniff' }
const FOREVER = 'public, max-age=31536000, immutable'
const A_DAY = 'public, max-age=86400'

/** In memory and compressed, so that a newer build beside a running process takes nothing away from it. */
const kept = new Map(
  await Promise.all(Object.entries(files).map(async ([name, path]) => [name, await Bun.file(path).bytes()] as const)),
)

/** A client that cannot inflate gets it inflated. */
function serve(name: string, request: Request): Response {
  const zipped = kept.get(name)
  if (!zipped) return new Response(null, { status: 404 })
  const headers = {
    ...asItIs,
    'content-type': types[name.split('.').at(-1)!]!,
    'cache-control': FOREVER,
    vary: 'accept-encoding',
  }
  if (request.headers.get('accept-encoding')?.includes('gzip'))
    return new Response(zipped, { headers: { ...headers, 'content-encoding': 'gzip' } })
  return new Response(Bun.gunzipSync(zipped), { headers })
}

const serveIcon = () =>
  new Response(Bun.file(icon), { headers: { ...asItIs, 'content-type': 'image/svg+xml', 'cache-control': A_DAY } })

export const assets = new Elysia({ name: 'assets' })
  .get('/build/:name', ({ params, request }) => serve(params.name, request))
  .get('/favicon.svg', serveIcon)
  .get('/favicon.ico', serveIcon)
