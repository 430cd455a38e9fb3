import { Elysia } from 'elysia'
import { FallbackDraft, OptionChange } from '../../contracts/option.ts'
import { parse } from '../../contracts/parse.ts'
import { digest } from '../../crypto/sealing.ts'
import {
  checkFallback,
  listOptions,
  option,
  publicStatus,
  resetModelRatio,
  setOption,
} from '../../domain/options/index.ts'
import { isSetUp } from '../../domain/setup/index.ts'
import { envelope, ok } from '../../web/envelope.ts'
import { guard } from '../guard.ts'

export const optionApi = new Elysia()
  .use(envelope)
  .use(guard)
  .get('/api/status', async () => ok({ ...publicStatus(), setup: await isSetUp() }))
  .get('/api/notice', () => ok(option('Notice')))
  .get('/api/about', () => ok(option('About')))
  .get('/api/home_page_content', () => ok(option('HomePageContent')))
  .get('/custom/global.css', ({ request }) => asset(request, option('global_css'), 'text/css'))
  .get('/custom/global.js', ({ request }) => asset(request, option('global_js'), 'text/javascript'))
  .get('/api/option/', () => ok(listOptions()), { admin: true })
  .put(
    '/api/option/',
    async ({ body, caller }) => {
      const { key, value } = parse(OptionChange, body)
      await setOption(key, value, caller)
      return ok(null)
    },
    { admin: true },
  )
  .post(
    '/api/option/rest_model_ratio',
    async ({ caller }) => {
      await resetModelRatio(caller)
      return ok(null)
    },
    { admin: true },
  )
  .post(
    '/api/option/validate_fallback_pricing',
    ({ body }) => {
      checkFallback(parse(FallbackDraft, body))
      return ok(null)
    },
    { admin: true },
  )

/** What the operator adds to every page: seen at once after a change, fetched again only then. */
function asset(request: Request, text: string, type: string): Response {
  if (!text) return new Response(null, { status: 204, headers: { 'cache-control': 'no-cache' } })
  const etag = `"${digest(text).slice(0, 16)}"`
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
