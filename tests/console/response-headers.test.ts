// @engine sqlite
/** Headers of every response, looped over the table of routes: policies of pages and errors, no caching of the API. */
import { expect, test } from 'bun:test'
import { sqlite } from '../../src/db/database.ts'
import { setOption } from '../support/app/options.ts'
import {
  type Access,
  accessOf,
  allRoutes,
  consoleRoutes,
  isApi,
  isCallback,
  isOfRelay,
  many,
  type Route,
} from '../support/app/routes.ts'
import { clientOf } from '../support/people/client.ts'
import { anyone, type Person, setUp } from '../support/people/person.ts'

const root = await setUp()
await setOption('custom_head_html', '<meta name="operator" content="was here">')
await setOption('global_css', 'a{}')
await setOption('global_js', 'window.a = 1')

const UNKNOWN_ID = '999999'
const addressOf = ({ path }: Route) => path.replace(/:\w+/g, UNKNOWN_ID)

/** Routes that are neither pages nor the console's API. */
const isPlain = ({ path }: Route) => /^\/(build|custom|favicon|healthz|readyz)/.test(path)
const gets = consoleRoutes.filter(({ method }) => method === 'GET')
const pages = gets.filter(route => !isApi(route) && !isPlain(route) && !isCallback(route))

const callerOf = (route: Route): Person => (accessOf.get(route.name) === ('anyone' satisfies Access) ? anyone : root)

/** What a document lacks. */
function missingIn({ headers }: Response): string[] {
  const policy = headers.get('content-security-policy') ?? ''
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? 'unsafe'
  const holds: Record<string, boolean> = {
    'default-src': policy.startsWith("default-src 'none'"),
    'script-src with a nonce alone': /'nonce-[\w-]{20,}'/.test(scripts) && !scripts.includes('unsafe'),
    'frame-ancestors': policy.includes("frame-ancestors 'none'"),
    'base-uri': policy.includes("base-uri 'none'"),
    'form-action': policy.includes("form-action 'self'"),
    nosniff: headers.get('x-content-type-options') === 'nosniff',
    'referrer-policy': headers.get('referrer-policy') === 'same-origin',
    'cross-origin-opener-policy': headers.get('cross-origin-opener-policy')?.startsWith('same-origin') === true,
    'permissions-policy': headers.get('permissions-policy')?.includes('camera=()') === true,
    'no-store': headers.get('cache-control') === 'no-store',
  }
  return Object.keys(holds).filter(name => !holds[name])
}

const isDocument = (response: Response) => response.headers.get('content-type')?.startsWith('text/html') === true

test('every page and every error page has the policies, and the custom head with its style and script', async () => {
  const seen = { documents: 0, redirects: 0 }
  for (const route of pages) {
    for (const person of new Set([callerOf(route), anyone])) {
      const response = await person.page(addressOf(route))
      if (response.status === 303) {
        seen.redirects++
        expect([route.name, response.headers.get('cache-control')]).toEqual([route.name, 'no-store'])
      }
      if (!isDocument(response)) {
        await response.body?.cancel()
        continue
      }
      seen.documents++
      expect([route.name, missingIn(response)]).toEqual([route.name, []])
      const [head = '', body] = (await response.text()).split('</head>')
      if (body === undefined) continue // a part of a page
      const custom = ['content="was here"', '/custom/global.css', '/custom/global.js'].filter(
        part => !head.includes(part),
      )
      expect([route.name, custom]).toEqual([route.name, []])
    }
  }
  expect(seen.documents).toBeGreaterThan(40)
  expect(seen.redirects).toBeGreaterThan(20)
})

test.each([
  ['a page that does not exist', 404, () => anyone.page('/no/such/page')],
  ['a file that does not exist', 404, () => anyone.page('/files/none.png')],
  ['a row that does not exist', 404, () => root.page('/user/edit/none')],
  ['a form without its token', 403, () => root.form('/app/me/profile', { csrf: '' })],
  ['a form of another site', 403, () => anyone.form('/login', {}, { headers: { 'sec-fetch-site': 'cross-site' } })],
  ['a malformed escape', 404, () => anyone.page('/%zz')],
  ['an address with U+0000', 400, () => anyone.page('/pricing?keyword=%00')],
  ['a method that a page does not have', 404, () => root.fetch('/pricing', { method: 'DELETE' })],
  ['a form that is too large', 413, () => root.form('/app/me/profile', { display_name: 'a'.repeat(2_000_000) })],
  ['a page whose code fails', 500, pageThatFails],
  ['a conversation of a chat that does not exist', 404, () => root.page('/chat/999')],
  ['a report of a channel that does not exist', 404, () => root.page('/admin/channels/999999/report')],
  ['a section of settings that does not exist', 404, () => root.page('/admin/settings/nothing')],
] as const)('%s is an error page with the policies', async (_, status, load) => {
  const response = await load()
  expect([response.status, isDocument(response), missingIn(response)]).toEqual([status, true, []])
})

/** The table that it reads has another name during the request. */
async function pageThatFails() {
  sqlite!.run('ALTER TABLE redemptions RENAME TO elsewhere')
  const response = await root.page('/admin/coupons')
  sqlite!.run('ALTER TABLE elsewhere RENAME TO redemptions')
  return response
}

test.each([
  '/about',
  '/admin/coupons',
  '/no/such/page',
  '/files/none.png',
  '/api/none',
  '/api/token/',
  '/openapi.json',
])('the https response of %s carries HSTS behind a trusted proxy, the http response does not', async path => {
  const hsts = async (scheme: string) => {
    const { headers } = await anyone.page(path, { headers: { 'x-forwarded-proto': scheme } })
    return headers.get('strict-transport-security')
  }
  expect([await hsts('https'), await hsts('http')]).toEqual(['max-age=31536000', null])
})

test('no type of a file is guessed at, and no cache stores what one user downloads', async () => {
  const isOfOne = ({ name }: Route) => accessOf.get(name) !== ('anyone' satisfies Access)
  const kinds = new Set<string>()
  for (const route of gets.filter(route => !isApi(route) && !isCallback(route))) {
    const response = await callerOf(route).page(addressOf(route))
    const kind = response.headers.get('content-type')?.split(';')[0] ?? ''
    await response.body?.cancel()
    if (!response.ok || kind === 'text/html' || /^\/(healthz|readyz)/.test(route.path)) continue
    kinds.add(kind)
    const isSafe = response.headers.get('x-content-type-options') === 'nosniff'
    const isStored = response.headers.get('cache-control') !== 'no-store'
    expect([route.name, isSafe, isOfOne(route) && isStored]).toEqual([route.name, true, false])
  }
  expect([...kinds].sort()).toEqual(['application/json', 'image/svg+xml', 'text/css', 'text/csv', 'text/javascript'])
})

test('no response of the API may be stored or guessed at, whether it serves or refuses', async () => {
  const api = many(consoleRoutes.filter(route => isApi(route) && !isCallback(route) && !endsSession.has(route.name)))
  for (const route of api) {
    for (const person of [root, anyone]) {
      const { method } = route
      const headers = { 'content-type': 'application/json' }
      const init = method === 'GET' ? {} : { method, headers, body: '{' }
      const response = await person.fetch(addressOf(route), init)
      const facts = [route.name, response.headers.get('cache-control'), response.headers.get('x-content-type-options')]
      expect(facts).toEqual([route.name, 'no-store', 'nosniff'])
    }
  }
})

test('no response of the API of models may be stored or guessed at, wherever the key is', async () => {
  const key = `sk-${(await clientOf(root)).key}`
  const places: [string, Record<string, string>][] = [
    ['', { authorization: `Bearer ${key}` }],
    ['', { 'x-api-key': key, 'anthropic-version': '2023-06-01' }],
    [`?key=${key}`, {}],
    ['', {}],
  ]
  const served = new Set<string>()
  for (const route of many(allRoutes.filter(isOfRelay))) {
    for (const [query, headers] of places) {
      const init = route.method === 'GET' ? {} : { method: route.method, body: '{' }
      const response = await anyone.fetch(addressOf(route) + query, { ...init, headers })
      if (response.ok) served.add(route.path)
      const facts = [route.name, response.headers.get('cache-control'), response.headers.get('x-content-type-options')]
      expect(facts).toEqual([route.name, 'no-store', 'nosniff'])
    }
  }
  expect([...served]).toContain('/api/usage/token')
})

/** These change what the requests after them need. */
const endsSession = new Set(['GET /api/user/logout', 'GET /api/user/token', 'DELETE /api/user/self'])

test.each(['/x.css', '.css', ';x.css', '%2fx.css', '/.css', '%0ax.css', '%3bx.css', '/..%2fx.png'])(
  'a path of the API with the suffix %s is another path, which nothing serves',
  async suffix => {
    for (const route of many(gets.filter(route => isApi(route) && !endsSession.has(route.name)))) {
      const response = await root.fetch(addressOf(route).replace(/\/$/, '') + suffix)
      const { success } = (await response.json()) as { success: boolean }
      const facts = [route.name, success, response.headers.get('cache-control')]
      expect(facts).toEqual([route.name, false, 'no-store'])
      if (route.path === '/api/user/self') expect(response.status).toBe(404)
    }
  },
)

test.each([
  ...['javascript:alert(1)', 'JavaScript:alert(1)', 'java\tscript:alert(1)', 'vbscript:x', 'data:text/html,<script>1'],
  ...['data:text/html;base64,PHNjcmlwdD4=', 'data:application/xhtml+xml,x', 'blob:https://a/b', '//evil.example/a.png'],
  ...[' javascript:alert(1)', '&#106;avascript:alert(1)', 'file:///etc/passwd'],
])('no option that becomes a link or an image takes %s', async value => {
  for (const key of [
    'Logo',
    'TopUpLink',
    'general_setting.docs_link',
    'WeChatAccountQRCodeImageURL',
    'ServerAddress',
  ]) {
    const { success, field } = await root.put('/api/option/', { key, value })
    expect([key, success, field]).toEqual([key, false, key])
  }
})
