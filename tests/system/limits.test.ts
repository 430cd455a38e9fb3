// @engine sqlite
/** Rate limits by client address, and the headers that must not change it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Server, startServer } from '../support/app/server.ts'

const ALLOWED = 3
const SIGN_INS = 2
const root = { username: 'root', password: 'opensesame' }
const few = {
  GLOBAL_API_RATE_LIMIT: String(ALLOWED),
  GLOBAL_WEB_RATE_LIMIT: String(ALLOWED),
  CRITICAL_RATE_LIMIT: String(SIGN_INS),
}

let [open, behindProxy]: Server[] = []
beforeAll(async () => {
  ;[open, behindProxy] = await Promise.all([
    startServer({ env: few }),
    startServer({ env: { ...few, TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } }),
  ])
  const account = JSON.stringify({ ...root, confirmPassword: root.password })
  const from = { 'x-forwarded-for': '203.0.113.50' }
  await fetch(`${behindProxy!.url}/api/setup`, { method: 'POST', body: account, headers: from })
})
afterAll(() => Promise.all([open, behindProxy].map(server => server?.stop('SIGKILL'))))

/** The statuses of calls from these addresses, as a header tells them. */
async function statusesOf(server: Server | undefined, forwarded: string[], path = '/api/status') {
  const statuses: number[] = []
  for (const address of forwarded) {
    const { status } = await fetch(server!.url + path, { headers: { 'x-forwarded-for': address } })
    statuses.push(status)
  }
  return statuses
}

const oneTooMany = [200, 200, 200, 429]

test('forwarding headers of an untrusted peer do not change the client address', async () => {
  const names = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '127.0.0.1']
  expect(await statusesOf(open, names)).toEqual(oneTooMany)
})

test('forwarding headers of an untrusted peer do not make a connection secure', async () => {
  const transport = async (server: Server | undefined) => {
    const { headers } = await fetch(`${server!.url}/login`, { headers: { 'x-forwarded-proto': 'https' } })
    return headers.get('strict-transport-security')
  }
  expect([await transport(open), await transport(behindProxy)]).toEqual([null, 'max-age=31536000'])
})

test.each([
  ['the same address', ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.1'], oneTooMany],
  ['four addresses', ['203.0.113.11', '203.0.113.12', '203.0.113.13', '203.0.113.14'], [200, 200, 200, 200]],
  ['what the caller wrote before it', [1, 2, 3, 4].map(last => `198.51.100.${last}, 203.0.113.2`), oneTooMany],
  ['proxies in a row', [1, 2, 3, 4].map(last => `198.51.100.${last}, 203.0.113.3, 10.0.0.${last}`), oneTooMany],
  ['with the port behind it', [1, 2, 3, 4].map(port => `198.51.100.${port}, 203.0.113.4:${port}`), oneTooMany],
  [
    'IPv4 in the clothes of IPv6',
    ['203.0.113.5', '::ffff:203.0.113.5', '[::ffff:203.0.113.5]:1', '203.0.113.5:2'],
    oneTooMany,
  ],
  ['one subscriber of IPv6', ['2001:db8::1', '2001:db8:0:0:f::2', '[2001:db8::3]:443', '2001:0db8::4'], oneTooMany],
  ['subscribers of IPv6', [1, 2, 3, 4].map(net => `2001:db8:1:${net}::1`), [200, 200, 200, 200]],
  ['something that is no address', [1, 2, 3, 4].map(last => `198.51.100.${last}, _hidden${last}`), oneTooMany],
])('the client address behind proxies is the last one that is no trusted proxy: %s', async (_, forwarded, statuses) => {
  expect(await statusesOf(behindProxy, forwarded)).toEqual(statuses)
})

test('rate limits name the seconds to wait and spare health checks and calls', async () => {
  const from = { headers: { 'x-forwarded-for': '203.0.113.99' } }
  for (let call = 0; call < ALLOWED; call++) {
    const calls = ['/api/status', '/favicon.svg'].map(path => fetch(behindProxy!.url + path, from))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200])
  }
  for (const path of ['/api/status', '/login', '//api/status', '/v1/../api/status', '/healthzz']) {
    const refused = await fetch(behindProxy!.url + path, from)
    expect([path, refused.status, Number(refused.headers.get('retry-after'))]).toEqual([path, 429, expect.any(Number)])
  }
  const words = async (language: string) => {
    const response = await fetch(`${behindProxy!.url}/api/status`, {
      headers: { ...from.headers, 'accept-language': language },
    })
    return ((await response.json()) as { message: string }).message
  }
  expect([await words('en'), await words('zh')]).toEqual([
    'Too many requests, please try later',
    '请求过于频繁，请稍后再试',
  ])
  expect((await fetch(`${behindProxy!.url}/healthz`, from)).status).toBe(200)
  expect((await fetch(`${behindProxy!.url}/v1/models`, from)).status).toBe(401)
  expect((await fetch(`${behindProxy!.url}/rerank`, { method: 'POST', ...from })).status).toBe(401)
})

test('sign-in attempts are limited per address over all names and routes', async () => {
  const post = async (path: string, body: BodyInit, from: string) => {
    const headers = { 'x-forwarded-for': from }
    return (await fetch(behindProxy!.url + path, { method: 'POST', body, headers })).status
  }
  const wrong = (username: string) => ({ username, password: 'a guess' })
  const call = (username: string, from: string) => post('/api/user/login', JSON.stringify(wrong(username)), from)
  const form = (username: string, from: string) => post('/login', new URLSearchParams(wrong(username)), from)
  const [guesser, other] = ['203.0.113.51', '203.0.113.52']
  expect([await call('root', guesser), await form('admin', guesser)]).toEqual([200, 422])
  expect([await call('user', guesser), await form('user', guesser)]).toEqual([429, 429])
  expect([await call('root', other), await form('root', other)]).toEqual([200, 422])
})
