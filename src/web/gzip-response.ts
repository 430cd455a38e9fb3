/** Compresses pages where the length reveals no secret. */

/**
 * The length of a compressed page reveals repeated text (BREACH). A page whose query could place an attacker's text beside
 * its secrets is not compressed.
 */
export function gzipResponse(request: Request, page: Response): Response {
  const acceptsGzip = request.headers.get('accept-encoding')?.includes('gzip')
  const hasNoInput = request.method === 'GET' && page.status === 200 && !new URL(request.url).search
  if (!acceptsGzip || !hasNoInput || !page.body) return page
  const headers = new Headers(page.headers)
  headers.set('content-encoding', 'gzip')
  return new Response(page.body.pipeThrough(new CompressionStream('gzip')), { status: page.status, headers })
}
