/** Compresses pages where the length reveals no secret. */
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/**
 * The length of a compressed page reveals repeated text (BREACH): one that may repeat a text of the request is compressed
 * only for a page of ours, so that no other site can try texts beside what the user sees. CSRF tokens are masked besides.
 */
export async function compressPage(request: Request, page: Response): Promise<Response> {
  const hasNoInput = request.method === 'GET' && page.status === 200 && !new URL(request.url).search
  if (!page.body || !(hasNoInput || isOurs(request))) return page
  const accepted = request.headers.get('accept-encoding') ?? ''
  if (/\bbr\b/.test(accepted)) return encoded(page, 'br', await brotli(await page.bytes()))
  return accepted.includes('gzip') ? encoded(page, 'gzip', page.body.pipeThrough(new CompressionStream('gzip'))) : page
}

/** Whether a page of this site, or the user, sent the request. Browsers let no other site add htmx's header. */
const isOurs = ({ headers }: Request) =>
  /^(?:same-origin|none)$/.test(headers.get('sec-fetch-site') ?? '') || headers.has('hx-request-type')

/** A fifth smaller than gzip, in 5 ms for 100 KB; higher levels take ten times as long. */
const QUALITY = 6

const brotli = (bytes: Uint8Array) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })

function encoded({ headers, status }: Response, encoding: string, body: BodyInit): Response {
  const compressed = new Headers(headers)
  compressed.set('content-encoding', encoding)
  return new Response(body, { status, headers: compressed })
}
