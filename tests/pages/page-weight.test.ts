/** Weight on the wire of pages and of the drawers that open over them, as browsers ask for them. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { Role } from '../../src/contracts/account.ts'
import { listen } from '../support/app/app.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { KEY, makeChannel } from '../support/upstream/channel.ts'

const ROWS = 20
/** Without the list behind it. */
/** The channel's names fifty types of providers. */
const DRAWER_BYTES_MAX = 12 * 1024
const PAGE_BYTES_MAX = 14 * 1024

const root = await setUp()
const ids = { channel: 0, token: 0, user: 0, code: 0 }

beforeAll(async () => {
  const models = 'gpt-4o,gpt-4o-mini,o3,o4-mini,claude-sonnet-4,gemini-2.5-pro'
  for (let row = 0; row < ROWS; row++) {
    ids.channel = (await makeChannel(root, { models, base_url: `https://upstream-${row}.example` })).id
    const token = await root.post('/api/token/', { name: `key ${row}`, unlimited_quota: true })
    ids.token = [token.data].flat()[0].id
  }
  ids.user = (await visitor(Role.user, 1_000_000)).id
  await root.post('/api/redemption/', { name: 'gift', quota: 5, count: ROWS })
  ids.code = (await root.get('/api/redemption/')).data.items[0].id
})

/** Drawers that open over a list which stays. */
const drawers: Record<string, () => string[]> = {
  '/admin/channels': () => ['new', `edit=${ids.channel}`, `delete=${ids.channel}`],
  '/app/tokens': () => ['new', `edit=${ids.token}`, `keys=${ids.token}`],
  '/admin/users': () => [
    'new',
    ...['edit', 'quota', 'delete', 'ledger', 'devices', 'tokens', 'regroup'].map(name => `${name}=${ids.user}`),
  ],
  '/admin/coupons': () => ['new', ...['edit', 'uses', 'codes', 'delete'].map(name => `${name}=${ids.code}`)],
  '/admin/messages': () => ['new'],
}

/** Pages that are sent whole. */
const pages: Record<string, string[]> = {
  '/admin/settings': ['tab=operation&new=', 'tab=operation&edit=gpt-4o'],
  '/app/logs/api-usage': ['keep=', 'range=7d'],
}

/** As a browser sends it: bytes as they come over the socket. */
async function bytesOf({ cookie, id }: Person, path: string, more: Record<string, string> = {}) {
  const headers = {
    cookie,
    'tollgate-user': String(id),
    accept: 'text/html',
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...more,
  }
  const response = await fetch(listen() + path, { headers, decompress: false } as RequestInit)
  const bytes = await response.bytes()
  const encoding = response.headers.get('content-encoding')
  return {
    status: response.status,
    encoding,
    retarget: response.headers.get('hx-retarget'),
    size: bytes.byteLength,
    text: () => brotliDecompressSync(bytes).toString(),
  }
}

const partial = { 'hx-request': 'true', 'hx-request-type': 'partial', 'sec-fetch-site': 'same-origin' }

const ask = (path: string, target: string) =>
  bytesOf(root, path, { ...partial, 'hx-target': target, 'accept-language': 'zh' })

describe.each(Object.keys(drawers))('the drawers over %s', page => {
  test('are sent without the list, in at most 12 KB', async () => {
    for (const query of drawers[page]!()) {
      const { status, encoding, size, text } = await ask(`${page}?${query}`, 'div#overlay')
      expect([query, status, encoding]).toEqual([query, 200, 'br'])
      expect([query, size <= DRAWER_BYTES_MAX ? 'fits' : size]).toEqual([query, 'fits'])
      expect(text().startsWith('<tollgate-drawer')).toBe(true)
      expect(text().includes('name="ids[]"')).toBe(false)
    }
  })

  test('open over the list where their address is visited', async () => {
    const [query] = drawers[page]!()
    const { size, text } = await bytesOf(root, `${page}?${query}`, { 'sec-fetch-site': 'none' })
    expect(text().includes('<div id="overlay"><tollgate-drawer')).toBe(true)
    expect(size <= PAGE_BYTES_MAX + DRAWER_BYTES_MAX).toBe(true)
  })

  test('put an error in place of the content when their row is gone', async () => {
    const { status, retarget } = await ask(`${page}?edit=987654`, 'div#overlay')
    expect([status, retarget]).toEqual([404, '#main'])
  })
})

test.each(Object.keys(pages))('%s is sent in at most 14 KB', async page => {
  for (const query of pages[page]!) {
    const { status, encoding, size } = await ask(`${page}?${query}`, 'main#main')
    expect([query, status, encoding]).toEqual([query, 200, 'br'])
    expect([query, size <= PAGE_BYTES_MAX ? 'fits' : size]).toEqual([query, 'fits'])
  }
})

test('the token of the forms differs on each page, and every one is accepted', async () => {
  const tokens = new Set<string>()
  for (const headers of [{}, {}, partial]) {
    const page = (await bytesOf(root, '/app/tokens?new', { ...headers, 'sec-fetch-site': 'none' })).text()
    const found = new Set([...page.matchAll(/name="csrf" value="([^"]+)"/g)].map(match => match[1]!))
    expect(found.size).toBe(1)
    for (const token of found) tokens.add(token)
  }
  expect(tokens.size).toBe(3)
  for (const csrf of tokens) expect((await root.form('/preferences', { csrf, theme: 'system' })).status).toBe(303)
  const [token] = tokens
  for (const csrf of [`${token}A`, token!.slice(0, -4), `A${token!.slice(1)}`, KEY, '']) {
    const altered = csrf === token ? `B${token!.slice(1)}` : csrf
    expect((await root.form('/app/tokens?new', { csrf: altered, name: 'forged' })).status).toBe(403)
  }
})
