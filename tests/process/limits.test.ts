/** Limits by address: whose a request is, and that nobody can be somebody else by saying so. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Server, startServer } from '../support/server.ts'

const ALLOWED = 3
const few = { GLOBAL_API_RATE_LIMIT: String(ALLOWED), GLOBAL_WEB_RATE_LIMIT: String(ALLOWED) }

let [open, behindProxy]: Server[] = []
beforeAll(async () => {
  ;[open, behindProxy] = await Promise.all([
    startServer({ env: few }),
    startServer({ env: { ...few, TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } }),
  ])
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

test('a header that anyone can write makes nobody somebody else', async () => {
  const names = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '127.0.0.1']
  expect(await statusesOf(open, names)).toEqual(oneTooMany)
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
  ['something that is no address', [1, 2, 3, 4].map(last => `198.51.100.${last}, unknown`), oneTooMany],
])('behind a proxy, a caller is told by the last address that is not a proxy: %s', async (_, forwarded, statuses) => {
  expect(await statusesOf(behindProxy, forwarded)).toEqual(statuses)
})

test('whoever waits is told how long; probes and calls are not counted here', async () => {
  const from = { headers: { 'x-forwarded-for': '203.0.113.99' } }
  for (let call = 0; call < ALLOWED; call++) {
    await fetch(`${behindProxy!.url}/api/status`, from)
    await fetch(`${behindProxy!.url}/favicon.svg`, from)
  }
  for (const path of ['/api/status', '/login', '//api/status', '/v1/../api/status']) {
    const refused = await fetch(behindProxy!.url + path, from)
    expect([path, refused.status, Number(refused.headers.get('retry-after'))]).toEqual([path, 429, expect.any(Number)])
  }
  expect((await fetch(`${behindProxy!.url}/healthz`, from)).status).toBe(200)
  expect((await fetch(`${behindProxy!.url}/v1/models`, from)).status).toBe(401)
  expect((await fetch(`${behindProxy!.url}/rerank`, { method: 'POST', ...from })).status).toBe(401)
})
