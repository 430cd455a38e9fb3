/** The operator's files: `DATA_DIR/public` under `/files/`. They are pictures, fonts and downloads, never pages or scripts. */
import { realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { Elysia } from 'elysia'
import { Refusal } from '../contracts/refusal.ts'
import { env } from '../env.ts'
import { rangeOf } from '../pure/byte-range.ts'

export const filesFolder = () => join(env.DATA_DIR, 'public')

/** What browsers show; everything else is downloaded. */
const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
}
const download = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }

const CACHE_FIVE_MINUTES = 'public, max-age=300'

/** An opened file is a document without scripts in an origin of its own: an SVG can draw, and do nothing else. */
const inert = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

export const operatorFiles = new Elysia({ name: 'operator-files' }).get('/files/*', ({ request, params }) =>
  serveFile(request, params['*']),
)

/** The whole file, one range of it, or 304. @throws Refusal 404 */
async function serveFile(request: Request, path: string): Promise<Response> {
  const found = await fileAt(path)
  if (!found) throw new Refusal('error.invalid_url', { method: request.method, path: `/files/${path}` }, 404)
  const { size, ino, mtimeMs } = found.facts
  const etag = `"${[size, ino, Math.round(mtimeMs)].map(fact => fact.toString(36)).join('-')}"`
  const type = types[extname(found.path).toLowerCase()]
  const headers = {
    ...inert,
    ...(type ? { 'content-type': type } : download),
    'cache-control': CACHE_FIVE_MINUTES,
    'accept-ranges': 'bytes',
    etag,
  }
  const etags = request.headers.get('if-none-match')
  if (etags?.split(',').some(tag => ['*', etag].includes(tag.trim().replace(/^W\//, ''))))
    return new Response(null, { status: 304, headers })
  const condition = request.headers.get('if-range')
  const range = condition === null || condition === etag ? rangeOf(request.headers.get('range'), size) : undefined
  if (range === 'outside')
    return new Response(null, { status: 416, headers: { ...inert, 'content-range': `bytes */${size}` } })
  const [start, end] = range ?? [0, size]
  return new Response(Bun.file(found.path).slice(start, end, headers['content-type']), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end - start),
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    },
  })
}

/** @returns undefined for what is no file inside the folder, also by a link, and for hidden names */
async function fileAt(path: string) {
  const names = path.split('/').map(decoded)
  if (names.some(name => !name || name.startsWith('.') || /[/\\\p{C}]/u.test(name))) return
  try {
    const folder = await realpath(filesFolder())
    const file = await realpath(join(folder, ...(names as string[])))
    if (!file.startsWith(folder + sep)) return
    const facts = await stat(file)
    return facts.isFile() ? { path: file, facts } : undefined
  } catch {
    return
  }
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
