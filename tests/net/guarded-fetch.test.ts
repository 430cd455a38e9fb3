// @engine sqlite
/** Addresses that users supply: what is ours stays out of reach, however it is spelled, resolved or redirected to. */
import { afterAll, beforeEach, expect, spyOn, test } from 'bun:test'
import dns from 'node:dns/promises'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { guardedFetch } from '../../src/net/guarded-fetch.ts'
import { setEnv } from '../support/env.ts'

const MEGABYTE = 1_048_576
/** Nobody but the slow one is waited for in vain. */
const limits = { max_bytes: MEGABYTE, ms: 60_000 }

/** What must never be reached; opened to users, it is the world outside. */
const seen: { host: string | null; target: string }[] = []
const canary = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => answer(request) })
const { port } = canary
const lookup = spyOn(dns, 'lookup')
const resolving = (...addresses: string[]) =>
  lookup.mockImplementation((async () =>
    addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))) as never)

beforeEach(() => {
  seen.length = 0
  resolving('127.0.0.1')
})
afterAll(() => canary.stop(true))

async function answer(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  seen.push({ host: request.headers.get('host'), target: pathname + search })
  if (pathname === '/redirect') return Response.redirect(`http://127.0.0.1:${port}/elsewhere`)
  if (pathname === '/file') return new Response(null, { status: 302, headers: { location: 'file:///etc/passwd' } })
  if (pathname === '/large') return new Response('x'.repeat(2 * MEGABYTE))
  if (pathname === '/bomb')
    return new Response(gzipSync('x'.repeat(50 * MEGABYTE)), { headers: { 'content-encoding': 'gzip' } })
  if (pathname === '/connection') return new Response(String(canary.requestIP(request)!.port))
  if (pathname === '/slow') await new Promise(() => {})
  return new Response('hello', { headers: { 'content-type': 'Image/PNG; charset=x' } })
}

const refused = { code: 'error.unfetchable', params: {}, status: 400 }

const spellings = [
  ...[`http://127.0.0.1:${port}`, `http://127.1:${port}`, `http://2130706433:${port}`, `http://0x7f000001:${port}`],
  ...[`http://0177.0.0.1:${port}`, `http://0:${port}`, `http://localhost:${port}`, `http://localhost.:${port}`],
  ...[`http://foo.localhost:${port}`, `http://[::ffff:7f00:1]:${port}`, `http://[::ffff:127.0.0.1]:${port}`],
  ...[`http://[::]:${port}`, `http://[::1]:${port}`, `http://１２７.0.0.1:${port}`, `http://①②⑦.0.0.1:${port}`],
  ...[`http:\\\\127.0.0.1:${port}`, `ht\ntp://127.0.0.1:${port}`, `http://user:pw@example.com:${port}`],
  // Some parsers take what follows the @ for the host.
  `http://127.0.0.1:${port}\\@8.8.8.8`,
  ...['http://169.254.169.254/latest/meta-data', 'http://10.0.0.1', 'http://172.16.0.1', 'http://192.168.1.1'],
  ...['http://100.64.0.1', 'http://100.127.255.255', 'http://172.31.255.255', 'http://0.1.2.3', 'http://192.0.0.170'],
  ...['http://192.0.2.1', 'http://198.51.100.1', 'http://203.0.113.1', 'http://192.88.99.1', 'http://198.18.0.1'],
  ...['http://198.19.255.255', 'http://224.0.0.1', 'http://239.255.255.255', 'http://255.255.255.255'],
  ...['http://[fe80::1]', 'http://[fd00::1]', 'http://[64:ff9b::7f00:1]', 'http://[2002:7f00:1::]', 'http://[2001::1]'],
  ...['http://[64:ff9b::808:808]', 'http://[64:ff9b:1::1]', 'http://[::ffff:10.0.0.1]', 'http://[fe80::1%25eth0]'],
  ...['http://[2001:db8::1]', 'http://[3fff:fff::1]', 'http://[ff02::1]', 'http://8.8.8.8:22', 'http://8.8.8.8:8080'],
  ...['file:///etc/passwd', 'file://localhost/etc/passwd', 'data:text/plain,hello', 's3://bucket/key', 'ftp://8.8.8.8'],
  ...['blob:http://example.com/x', 'javascript:1', '//example.com', 'example.com', '', 'http://', 'unix:/var/run/x'],
]

/** Called in the place of `fetch`: from here there may be no way to most of these. */
const dialling = () => spyOn(globalThis, 'fetch').mockImplementation((async () => new Response('hello')) as never)

test.each(spellings)('guarded fetch: %s is refused with the same error as every other', async address => {
  using dialled = dialling()
  await expect(guardedFetch(address, limits)).rejects.toMatchObject(refused)
  expect(dialled).not.toHaveBeenCalled()
})

test.each([
  ...['http://8.8.8.8/', 'https://172.32.0.1/', 'http://172.15.255.255/', 'http://100.128.0.1/', 'http://198.20.0.1/'],
  ...['http://223.255.255.255/', 'https://[2606:4700::1111]/'],
])('guarded fetch: %s is a public address', async address => {
  using dialled = dialling()
  expect((await guardedFetch(address, limits)).status).toBe(200)
  expect(dialled.mock.calls.map(([url]) => url)).toEqual([address])
})

test.each([
  ['our own', ['127.0.0.1']],
  ['the cloud’s', ['169.254.169.254']],
  ['a public one and our own', ['93.184.216.34', '127.0.0.1']],
  ['a public one and our own in IPv6', ['93.184.216.34', '::1']],
  ['our own in other clothes', ['::ffff:127.0.0.1']],
  ['our own in hexadecimal clothes', ['::ffff:7f00:1']],
  ['our own behind NAT64', ['64:ff9b::7f00:1']],
  ['on our own link', ['fe80::1%eth0']],
  ['none', []],
])('guarded fetch: a name that resolves to %s is refused', async (_, addresses) => {
  resolving(...addresses)
  await expect(guardedFetch('http://rebind.example', limits)).rejects.toMatchObject(refused)
  expect(seen).toEqual([])
})

test('guarded fetch: an allowed range is fetched by name, resolved once, at the checked address', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const asked = lookup.mock.calls.length
  resolving('10.9.9.9')
  lookup.mockImplementationOnce((async () => [{ address: '127.0.0.1', family: 4 }]) as never)
  const got = await guardedFetch(`http://pictures.example:${port}/a?b=c#d`, limits)
  expect({ ...got, bytes: Buffer.from(got.bytes).toString() }).toEqual({
    status: 200,
    type: 'image/png',
    bytes: 'hello',
  })
  expect(lookup.mock.calls.length - asked).toBe(1)
  expect(seen).toEqual([{ host: `pictures.example:${port}`, target: '/a?b=c' }])
})

test('guarded fetch: no connection is shared between requests', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const connection = async () =>
    Buffer.from((await guardedFetch(`http://127.0.0.1:${port}/connection`, limits)).bytes).toString()
  expect(await connection()).not.toBe(await connection())
})

test.each(['redirect', 'file', 'large', 'bomb'])('guarded fetch: a response that is a %s is refused', async path => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  await expect(guardedFetch(`http://127.0.0.1:${port}/${path}`, limits)).rejects.toMatchObject(refused)
  expect(seen.map(({ target }) => target)).toEqual([`/${path}`])
})

test('guarded fetch: a response or a DNS lookup that is late is refused', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  await expect(guardedFetch(`http://127.0.0.1:${port}/slow`, { ...limits, ms: 300 })).rejects.toMatchObject(refused)
  lookup.mockImplementationOnce((() => new Promise(() => {})) as never)
  await expect(guardedFetch('http://slow.example', { ...limits, ms: 300 })).rejects.toMatchObject(refused)
})

test('a certificate must be the name’s', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-'))
  const subject = ['-subj', '/CN=another.example', '-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
  Bun.spawnSync(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject])
  const tls = { key: Bun.file(join(folder, 'key')), cert: Bun.file(join(folder, 'cert')) }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: request => answer(request) })
  await expect(guardedFetch(`https://pictures.example:${server.port}/`, limits)).rejects.toMatchObject(refused)
  expect(seen).toEqual([])
  await server.stop(true)
})

test('a worker fetches https addresses in our place, and no others', async () => {
  const tasks: unknown[] = []
  let moved = false
  const serve = async (request: Request) => {
    tasks.push([request.method, await request.json()])
    return moved ? Response.redirect(`http://127.0.0.1:${port}/elsewhere`, 307) : answer(request)
  }
  const outside = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
  const worker = { url: `http://127.0.0.1:${outside.port}/`, key: 'secret' }
  const got = await guardedFetch('https://pictures.example/a', { ...limits, worker, headers: { a: 'b' } })
  expect(got.type).toBe('image/png')
  expect(tasks).toEqual([
    ['POST', { url: 'https://pictures.example/a', key: 'secret', method: 'GET', headers: { a: 'b' } }],
  ])
  for (const address of ['http://pictures.example/a', 'https://127.0.0.1/', 'https://u:p@pictures.example'])
    await expect(guardedFetch(address, { ...limits, worker })).rejects.toMatchObject(refused)
  expect(tasks).toHaveLength(1)
  // Its key goes nowhere else.
  moved = true
  seen.length = 0
  await expect(guardedFetch('https://pictures.example/a', { ...limits, worker })).rejects.toMatchObject(refused)
  expect(seen).toEqual([])
  await outside.stop(true)
})
