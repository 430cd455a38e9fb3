/** Pages, compressed on the way where that gives nothing away. */

/**
 * Lengths of compressed pages tell strangers what repeats in them, so a page whose address could have put something of
 * theirs beside the secrets in it goes as it is.
 */
export function gzipResponse(request: Request, page: Response): Response {
  const takesIt = request.headers.get('accept-encoding')?.includes('gzip')
  const isAllOurs = request.method === 'GET' && page.status === 200 && !new URL(request.url).search
  if (!takesIt || !isAllOurs || !page.body) return page
  const headers = new Headers(page.headers)
  headers.set('content-encoding', 'gzip')
  return new Response(page.body.pipeThrough(new CompressionStream('gzip')), { status: page.status, headers })
}
