// @engine sqlite
/** Document, response headers, menus, preferences and toasts of every page. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { anyone, Person, setUp, visitor } from '../support/people/person.ts'

const html = async (person: Person, path: string, headers: Record<string, string> = {}) =>
  (await person.page(path, { headers: person.cookie ? { cookie: person.cookie, ...headers } : headers })).text()

/** The addresses of the side menu, in its order. */
const menuOf = (page: string) =>
  [
    ...page
      .split('class="sidebar"')[1]!
      .split('</nav>')[0]!
      .matchAll(/<a href="([^"]+)"/g),
  ].map(found => found[1]!)

const gzipped = (text: string | Uint8Array) => Bun.gzipSync(text as Uint8Array<ArrayBuffer>).byteLength

test('the policy allows only the page’s own scripts, and no cache stores a page', async () => {
  await setUp()
  const response = await anyone.page('/')
  const policy = response.headers.get('content-security-policy')!
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const page = await response.text()
  const scripts = [...page.matchAll(/<script[^>]*>/g)].map(found => found[0])
  expect(scripts).toEqual([
    expect.stringContaining(`nonce="${nonce}"`),
    '<script type="application/json" id="messages">',
  ])
  expect(page).not.toMatch(/ on[a-z]+="/)
  expect((await anyone.page('/')).headers.get('content-security-policy')).not.toContain(nonce)
})

test('script and style are small, compressed and immutable', async () => {
  await setUp()
  const page = await html(anyone, '/')
  const paths = [/<script type="module" src="([^"]+)"/, /<link rel="stylesheet" href="([^"]+)"/].map(
    mark => mark.exec(page)![1]!,
  )
  for (const path of paths) {
    const response = await anyone.page(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const plain = await anyone.page(path)
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(Bun.gunzipSync((await response.bytes()) as Uint8Array<ArrayBuffer>)).toEqual(await plain.bytes())
  }
  expect(await weightOf(paths[0]!)).toBeLessThan(40_000)
  for (const absent of [OF_PLAYGROUND, OF_FORMS])
    expect(await weightOf(paths[0]!, EVER, absent)).toBeWithin(50_000, 200_000)
  expect((await anyone.page('/build/nothing.js')).status).toBe(404)
  expect((await anyone.page('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml')
})

test('a page is compressed unless another site may have put text into its address', async () => {
  const ann = await visitor()
  const headers = { 'accept-encoding': 'gzip, deflate' }
  const zipped = await ann.page('/app/tokens', { headers })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(zipped.headers.get('vary')).toContain('accept-encoding')
  const bytes = await zipped.bytes()
  expect(bytes.byteLength).toBeLessThan(10_000)
  expect(Buffer.from(Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>)).toString()).toEndWith('</html>')
  for (const path of ['/app/tokens?keyword=sk-guess', '/no/such/guess']) {
    const encodingFor = async (from: Record<string, string>) =>
      (await ann.page(path, { headers: { ...headers, ...from } })).headers.get('content-encoding')
    for (const site of ['same-origin', 'none']) expect(await encodingFor({ 'sec-fetch-site': site })).toBe('gzip')
    expect(await encodingFor({ 'hx-request-type': 'partial' })).toBe('gzip')
    for (const site of ['cross-site', 'same-site', '']) expect(await encodingFor({ 'sec-fetch-site': site })).toBeNull()
  }
  expect((await ann.page('/app/tokens')).headers.get('content-encoding')).toBeNull()
})

/** Code that is imported at once, and code that waits for an island. */
const AT_ONCE = /(?:from|import)"\.\/([^"]+)"/g
const EVER = /(?:from|import|import\()"\.\/([^"]+)"/g
/** Loaded when an answer of the playground has code or a formula. */
const WHEN_MET = 'highlight|katex'
/** Islands of one page that no page with the others has. */
const OF_PLAYGROUND = new RegExp(`^(${WHEN_MET}|playground)-`)
const OF_FORMS = new RegExp(`^(${WHEN_MET}|provider|mapping|chat-links|email-domains|try)-`)

/** What a page loads: the entry and all that it imports, compressed. */
async function weightOf(
  path: string,
  imported = AT_ONCE,
  absent = OF_FORMS,
  seen = new Set<string>(),
): Promise<number> {
  if (seen.has(path)) return 0
  seen.add(path)
  const code = await (await anyone.page(path)).text()
  let weight = gzipped(code)
  for (const [, name] of code.matchAll(imported))
    if (!absent.test(name!)) weight += await weightOf(`/build/${name}`, imported, absent, seen)
  return weight
}

test('the server renders theme, language and sidebar from cookies', async () => {
  const root = await setUp()
  const plain = await html(root, '/app/tokens')
  expect(plain).toContain('<html lang="en"')
  expect(plain).not.toContain('data-theme=')
  const dark = await html(root, '/app/tokens', {
    cookie: `${root.cookie}; theme=gate-night; language=zh; collapsed=true`,
  })
  expect(dark).toMatch(/<html lang="zh-CN" data-theme="gate-night"/)
  expect(dark).toContain('class="frame narrow"')
  expect(dark).toContain('API 密钥')
})

test('a preference is kept in a cookie and redirects to this site only', async () => {
  await setUp()
  const set = (fields: Record<string, string>, headers = {}) => anyone.form('/preferences', fields, { headers })
  const response = await set({ theme: 'gate-night', returnTo: '/pricing?x=1' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/pricing?x=1'])
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^theme=gate-night; Path=\/; Max-Age=\d+; SameSite=Lax/),
  ])
  expect((await set({ theme: 'gate', returnTo: 'https://elsewhere.example' })).headers.get('location')).toBe('/')
  expect((await set({ theme: 'neon' })).status).toBe(400)
  expect((await set({ theme: 'gate' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('the side menu follows role and options', async () => {
  const [root, ann] = [await setUp(), await visitor(Role.user)]
  const logs = ['/app/logs/api-usage', '/app/logs/drawing', '/app/logs/tasks']
  const own = ['/playground', '/app/tokens', ...logs, '/app/wallet', '/app/statement', '/app/me']
  await root.put('/api/option/', { key: 'DataExportEnabled', value: 'false' })
  expect(menuOf(await html(ann, '/app/tokens'))).toEqual(own)
  const admin = menuOf(await html(await visitor(Role.admin), '/app/tokens'))
  expect(admin.filter(path => path.startsWith('/admin/'))).toEqual(
    ['channels', 'routes', 'coupons', 'orders', 'messages', 'users', 'settings', 'diagnostics'].map(
      name => `/admin/${name}`,
    ),
  )

  await root.put('/api/option/', { key: 'DataExportEnabled', value: 'true' })
  expect(menuOf(await html(ann, '/app/tokens'))).toEqual([
    '/playground',
    '/app/dashboard',
    '/app/tokens',
    ...logs,
    '/app/wallet',
    '/app/statement',
    '/app/me',
  ])
})

test('a banner of every console page says that the balance is below the reader’s threshold', async () => {
  const ann = await visitor(Role.user, 600_000)
  const banner = async (path: string, language: 'en' | 'zh' = 'en') =>
    (await (await ann.page(path, { language })).text()).split('low-balance"')[1]?.split('</aside>')[0] ?? ''
  expect(await banner('/app/tokens')).toBe('')
  await ann.put('/api/user/setting', { quota_warning_threshold: 700_000 })
  expect(await banner('/app/tokens')).toContain('$1.20 left. Calls are refused once it is used up.')
  expect(await banner('/app/tokens', 'zh')).toContain('余额仅剩 $1.20')
  expect(await banner('/app/statement')).toContain('<a href="/app/wallet">Top up</a>')
  expect(await banner('/app/wallet')).toBe('')
  expect(await banner('/pricing')).toBe('')
})

test('sign-up is hidden in self-use mode', async () => {
  const root = await setUp()
  expect(await html(anyone, '/')).toContain('href="/register"')
  await root.put('/api/option/', { key: 'SelfUseModeEnabled', value: 'true' })
  const page = await html(anyone, '/')
  expect(page).not.toContain('href="/register"')
  expect(page).toContain('self-use')
  await root.put('/api/option/', { key: 'SelfUseModeEnabled', value: 'false' })
})

test('the custom footer is sanitised', async () => {
  const root = await setUp()
  const value =
    '<b>ICP 123</b><script>alert(1)</script></footer></div><a href="javascript:alert(1)" onclick="x()">link</a><img src=x onerror=alert(1) x="'
  await root.put('/api/option/', { key: 'Footer', value })
  const footer = (await html(anyone, '/')).split('class="page-foot">')[1]!.split('</footer>')[0]
  expect(footer).toBe('<b>ICP 123</b><a rel="noopener noreferrer nofollow">link</a>')
  await root.put('/api/option/', { key: 'Footer', value: '' })
})

const partial = {
  'hx-request': 'true',
  'hx-request-type': 'partial',
  'hx-target': 'main#main',
  'hx-current-url': 'http://localhost/app/tokens?p=2',
}

test('htmx gets content and title, and a redirect to another page', async () => {
  const root = await setUp()
  const part = await html(root, '/app/tokens', partial)
  expect(part).toStartWith('<title>API keys · Tollgate</title>')
  expect(part).toContain('<h1>')
  expect(part).not.toMatch(/<html|class="sidebar"/)
  const other = await root.page('/admin/channels?new', { headers: partial })
  expect([other.status, other.headers.get('hx-redirect'), await other.text()]).toEqual([204, '/admin/channels?new', ''])
})

test('a toast survives the redirect and is shown once', async () => {
  const root = await setUp()
  const csrf = /action="\/logout"[^>]*><input type="hidden" name="csrf" value="([\w-]+)"/.exec(
    await html(root, '/'),
  )![1]!
  const left = await new Person(root.id, root.username, root.cookie, csrf).form('/logout')
  expect(left.status).toBe(303)
  const notice = left.headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('notice='))!
    .split(';')[0]!
  const shown = await anyone.page('/login', { headers: { cookie: notice } })
  expect(await shown.text()).toMatch(/id="toasts".*You are signed out/)
  expect(shown.headers.getSetCookie()).toEqual(['notice=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  expect(await html(anyone, '/login', { cookie: 'notice=%7Bbroken' })).toContain('aria-live="polite"></div>')
})

test('a refused htmx request shows a toast and keeps the page', async () => {
  const ann = await visitor()
  const refused = await ann.form('/app/tokens', { csrf: 'forged' }, { headers: partial })
  expect(refused.status).toBe(403)
  expect(refused.headers.get('hx-reswap')).toBe('none')
  expect(await refused.text()).toMatch(/^<div hx-swap-oob="beforeend:#toasts">.*This form has expired/)
})

test('an unknown path shows a 404 page in the reader’s language', async () => {
  const ann = await visitor()
  const missing = await ann.page('/no/such/page')
  expect(missing.status).toBe(404)
  expect(await missing.text()).toContain('This page does not exist. Check the address in your browser.')
  expect(await (await anyone.page('/no/such/page', { language: 'zh' })).text()).toContain(
    '页面不存在，请检查浏览器地址是否正确。',
  )
})

test('a page that is not implemented has the title of its menu entry', async () => {
  expect(await html(await visitor(), '/app/wallet')).toContain('<title>Wallet · Tollgate</title>')
})
