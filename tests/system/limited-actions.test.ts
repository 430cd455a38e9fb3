// @engine sqlite
/** Every action that attackers guess at or that sends something: the third request of an address is refused, by API and form. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { newFolder, type Server, startServer } from '../support/app/server.ts'
import { codeOf } from '../support/people/second-factors.ts'

const ALLOWED = 2
const root = { username: 'root', password: 'opensesame' }

const env = { CRITICAL_RATE_LIMIT: String(ALLOWED), TRUSTED_PROXIES: '127.0.0.1', OUTBOUND_DENY: '0.0.0.0/0' }

let server: Server
/** Whose set-up is not done. */
let fresh: Server
/** Headers of root's browser. */
let signedIn: Record<string, string> = {}
/** Headers of a browser that has given root's password, and is asked for the second factor. */
let pending: Record<string, string> = {}
beforeAll(async () => {
  ;[server, fresh] = await Promise.all([startServer({ env }), startServer({ env, folder: newFolder() })])
  const body = JSON.stringify({ ...root, confirmPassword: root.password })
  await fetch(`${server.url}/api/setup`, { method: 'POST', body })
  signedIn = { cookie: cookiesOf(await login()), 'tollgate-user': '1' }
  const page = await (await fetch(`${server.url}/app/me?open=password`, { headers: signedIn })).text()
  signedIn['x-csrf-token'] = /name="csrf" value="([^"]+)"/.exec(page)![1]!
  await asRoot('PUT', '/api/option/', { key: 'UpdateCheckAddress', value: 'https://updates.example/latest' })
  const { secret } = await asRoot('POST', '/api/user/authenticator', {})
  await asRoot('POST', '/api/user/authenticator/confirm', { code: codeOf(secret) })
  pending = { cookie: cookiesOf(await login()) }
})
afterAll(() => Promise.all([server.stop('SIGKILL'), fresh.stop('SIGKILL')]))

const login = () => fetch(`${server.url}/api/user/login`, { method: 'POST', body: JSON.stringify(root) })

const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map(text => text.split(';')[0])
    .join('; ')

async function asRoot(method: string, path: string, body: object) {
  const response = await fetch(server.url + path, { method, headers: signedIn, body: JSON.stringify(body) })
  const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: any }
  expect([path, success, message]).toEqual([path, true, ''])
  return data
}

interface Action {
  action: string
  path: string
  /** Fields of a form; `{}` of a body of the API; absent for what is got. */
  form?: Record<string, string>
  json?: object
  /** Whose browser sends it; a visitor's unless given. */
  by?: 'root' | 'pending'
  /** At the site whose set-up is not done. */
  before_setup?: true
}

const visitors: Action[] = [
  { action: 'login', path: '/api/user/login', json: { username: 'a', password: 'a guess' } },
  { action: 'login', path: '/login', form: { username: 'a', password: 'a guess' } },
  { action: 'sign-in-link', path: '/login', form: { username: 'a', action: 'link' } },
  { action: 'sign-in-link', path: '/login/link?user=1&token=x' },
  { action: 'second-factor', path: '/api/user/login/second-factor', json: { ticket: 'x', code: '123456' } },
  { action: 'second-factor-challenge', path: '/api/user/login/second-factor/challenge', json: { ticket: 'x' } },
  { action: 'passkey-challenge', path: '/api/user/login/passkey/challenge', json: {} },
  { action: 'passkey', path: '/api/user/login/passkey', json: {} },
  { action: 'passkey', path: '/login/passkey', form: {} },
  { action: 'register', path: '/api/user/register', json: {} },
  { action: 'register', path: '/register', form: {} },
  { action: 'verification', path: '/api/verification' },
  { action: 'verification', path: '/register', form: { action: 'code' } },
  { action: 'reset-mail', path: '/api/reset_password' },
  { action: 'reset-mail', path: '/reset', form: {} },
  { action: 'reset', path: '/api/user/reset', json: {} },
  { action: 'reset', path: '/user/reset', form: {} },
  { action: 'oauth-state', path: '/api/oauth/state' },
  { action: 'oauth-state', path: '/oauth/github/start' },
  { action: 'oauth-state', path: '/oauth/telegram/start' },
  { action: 'oauth', path: '/api/oauth/github' },
  { action: 'oauth', path: '/oauth/github' },
  { action: 'oauth', path: '/api/oauth/wechat' },
  { action: 'oauth', path: '/oauth/wechat', form: {} },
  { action: 'oauth', path: '/api/oauth/telegram/login' },
  { action: 'oauth', path: '/oauth/telegram' },
]
const signedInActions: Action[] = [
  { action: 'oauth', path: '/api/oauth/wechat/bind' },
  { action: 'oauth', path: '/api/oauth/email/bind' },
  { action: 'oauth', path: '/api/oauth/telegram/bind' },
  { action: 'oauth', path: '/oauth/email', form: {} },
  { action: 'verification', path: '/oauth/email', form: { action: 'code' } },
  { action: 'password', path: '/app/me/password', form: { password: 'x' } },
  { action: 'access-token', path: '/app/me/token', form: {} },
  { action: 'access-token', path: '/api/user/token' },
  { action: 'webhook-test', path: '/app/me/notifications/test', form: {} },
  { action: 'check-in', path: '/api/user/check_in', json: {} },
  { action: 'check-in', path: '/app/me/check-in', form: {} },
  { action: 'transfer', path: '/api/user/aff_transfer', json: { quota: 1 } },
  { action: 'transfer', path: '/app/me/transfer', form: { quota: '1' } },
  { action: 'pay', path: '/api/user/pay', json: {} },
  { action: 'pay', path: '/app/wallet/pay', form: { amount: '10', method: 'alipay' } },
  { action: 'check-update', path: '/api/system/check_update', json: {} },
  { action: 'check-update', path: '/admin/settings?tab=other&check=' },
  { action: 'oidc-discovery', path: '/api/option/oidc_discovery', json: {} },
  { action: 'oidc-discovery', path: '/admin/settings/oidc-discovery', form: {} },
  { action: 'test-mail', path: '/api/option/test_mail', json: {} },
  { action: 'test-mail', path: '/admin/settings/test-mail', form: {} },
]
const setUpActions: Action[] = [
  { action: 'setup', path: '/api/setup', json: {} },
  { action: 'setup', path: '/setup', form: {} },
  { action: 'setup', path: '/setup/import', form: {} },
  { action: 'setup', path: '/setup/import/none', form: {} },
]
const actions: Action[] = [
  ...visitors,
  ...signedInActions.map(action => ({ ...action, by: 'root' as const })),
  { action: 'second-factor', path: '/login/second-factor', form: { code: '000000' }, by: 'pending' },
  ...setUpActions.map(action => ({ ...action, before_setup: true as const })),
]

/** How often status, text and notice say that these are too many: the frame of a page does once. */
async function refusalsIn({ path, form, json, by, before_setup }: Action, address: string): Promise<number> {
  const response = await fetch((before_setup ? fresh : server).url + path, {
    method: form || json ? 'POST' : 'GET',
    body: form ? new URLSearchParams(form) : json && JSON.stringify(json),
    redirect: 'manual',
    headers: {
      ...{ 'x-forwarded-for': address, 'accept-language': 'en', 'sec-fetch-site': 'same-origin' },
      ...(by === 'root' && signedIn),
      ...(by === 'pending' && pending),
    },
  })
  const text = (await response.text()) + decodeURIComponent(response.headers.getSetCookie().join())
  return text.split('Too many requests').length - (response.status === 429 ? 0 : 1)
}

test.each(actions.map((action, at) => ({ ...action, at })))('limit of $action: $path', async ({ at, ...action }) => {
  const counts: number[] = []
  for (let call = 0; call <= ALLOWED; call++) counts.push(await refusalsIn(action, `203.0.113.${at + 1}`))
  const [first, second, third] = counts
  expect([second, third! > first!]).toEqual([first, true])
})

test('limits: each place in the console that limits an action has its row', async () => {
  const found: string[] = []
  for (const file of new Glob('src/console/**/*.{ts,tsx}').scanSync()) {
    const text = await Bun.file(file).text()
    found.push(
      ...text.matchAll(/(?:checkLimit\('critical', [^)]*|critical: )'([a-z-]+)'/g).map(([, action]) => action!),
    )
  }
  const rows = actions.map(({ action }) => action)
  expect(found.sort()).toEqual(rows.sort())
})
