/** JSON API of the operator's texts and assets: notice, about and home page, style sheet and script. */
import { Elysia } from 'elysia'
import { digest } from '../../crypto/sealing.ts'
import { option } from '../../domain/options/index.ts'
import { envelope, ok } from '../../web/envelope.ts'

export const brandingApi = new Elysia()
  .use(envelope)
  .get('/api/notice', () => ok(option('Notice')))
  .get('/api/about', () => ok(option('About')))
  .get('/api/home_page_content', () => ok(option('HomePageContent')))
  .get('/custom/global.css', ({ request }) => asset(request, option('global_css'), 'text/css'))
  .get('/custom/global.js', ({ request }) => asset(request, option('global_js'), 'text/javascript'))

const ETAG_LENGTH = 16

/** Browsers revalidate it on every page and download it only after a change. */
function asset(request: Request, text: string, type: string): Response {
  if (!text) return new Response(null, { status: 204, headers: { 'cache-control': 'no-cache' } })
  const etag = `"${digest(text).slice(0, ETAG_LENGTH)}"`
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache',
    etag,
    'x-content-type-options': 'nosniff',
  }
  return request.headers.get('if-none-match') === etag
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers })
}
