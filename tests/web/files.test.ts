// @engine sqlite
/** The operator's files under /files/: what is served, how, and what never leaves the folder. */
import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { env } from '../../src/env.ts'
import { listen } from '../support/app/app.ts'
import { anyone, setUp } from '../support/people/person.ts'

const HIDDEN = 'never shown'
const folder = join(env.DATA_DIR, 'public')
const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${listen()}/files/${path}`, { method, headers, redirect: 'manual' })

beforeAll(async () => {
  await setUp()
  expect((await get('logo.svg')).status).toBe(404)
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  put('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  put('page.html', '<script>alert(1)</script>')
  put('code.js', 'alert(1)')
  put('deep/er/标志 1.png', 'picture')
  put('digits.txt', '0123456789')
  put('empty.txt', '')
  put('.secret', HIDDEN)
  mkdirSync(join(folder, '.git'))
  put('.git/config', HIDDEN)
  writeFileSync(join(env.DATA_DIR, 'secret.txt'), HIDDEN)
  symlinkSync(join(env.DATA_DIR, 'secret.txt'), join(folder, 'out.txt'))
  symlinkSync(env.DATA_DIR, join(folder, 'up'))
  symlinkSync(join(folder, 'digits.txt'), join(folder, 'same.txt'))
})

test('a file is served with its type, and cannot run in this origin', async () => {
  const logo = await get('logo.svg')
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  for (const path of ['logo.svg', 'page.html', 'code.js']) {
    const { headers } = await get(path)
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect(headers.get('content-security-policy')).toStartWith("sandbox; default-src 'none'")
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  }
  for (const path of ['page.html', 'code.js']) {
    const { headers } = await get(path)
    const facts = [path, headers.get('content-type'), headers.get('content-disposition')]
    expect(facts).toEqual([path, 'application/octet-stream', 'attachment'])
  }
})

test('files in folders, with other letters and by links within the folder are found', async () => {
  expect(await (await get(`deep/er/${encodeURIComponent('标志 1.png')}`)).text()).toBe('picture')
  expect(await (await get('same.txt')).text()).toBe('0123456789')
  put('later.txt', 'later')
  expect(await (await get('later.txt')).text()).toBe('later')
})

test.each([
  ...['', 'deep', 'deep/', 'deep/er/', 'none.txt', 'digits.txt/', 'digits.txt/x.css', 'digits.txt%00.png'],
  ...['.secret', '.git/config', 'deep/../.secret', '%2esecret', 'out.txt', 'up/secret.txt', 'up/secret.key'],
  ...[
    '..%2fsecret.txt',
    '%2e%2e%2fsecret.txt',
    'deep%2f..%2f..%2fsecret.txt',
    '..%5csecret.txt',
    '%c0%ae%c0%ae/secret.txt',
  ],
  ...['%', '%zz', `/${'a'.repeat(5000)}`, '/etc/passwd', '%2fetc%2fpasswd'],
])('nothing is served for /files/%s', async path => {
  const response = await get(path)
  expect([response.status, (await response.text()).includes(HIDDEN)]).toEqual([404, false])
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test.each([
  '/files/../secret.txt',
  '/files/deep/../../secret.txt',
  '/files/..\\secret.txt',
  '//files/../../secret.txt',
])('a path that no browser sends stays in the folder: %s', async path => {
  expect(await rawStatus(path)).not.toContain(HIDDEN)
})

/** The response to a path as it stands: fetch would resolve its dots. */
function rawStatus(path: string): Promise<string> {
  const { port } = new URL(listen())
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`),
    )
    socket.on('data', data => (text += data)).on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

test('HEAD tells length and type and sends no content', async () => {
  const response = await get('digits.txt', {}, 'HEAD')
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '10', ''])
})

test('an unchanged file is 304, a changed one is sent again', async () => {
  put('changing.txt', 'before')
  const etag = (await get('changing.txt')).headers.get('etag')!
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    expect([tags, (await get('changing.txt', { 'if-none-match': tags })).status]).toEqual([tags, 304])
  }
  put('changing.txt', 'behind')
  utimesSync(join(folder, 'changing.txt'), 1000, 1000)
  const again = await get('changing.txt', { 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([200, 'behind'])
})

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=4-2', 200, '0123456789', null],
  ['bytes=0-1,4-5', 200, '0123456789', null],
  ['lines=1-2', 200, '0123456789', null],
])('the range %s is answered with %i', async (range, status, text, contentRange) => {
  const response = await get('digits.txt', { range })
  expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
    status,
    text,
    contentRange,
  ])
  expect(response.headers.get('content-length')).toBe(String(text.length))
})

test('a range of another version is the whole file, and an empty file has no range', async () => {
  const range = 'bytes=2-4'
  const etag = (await get('digits.txt')).headers.get('etag')!
  expect((await get('digits.txt', { range, 'if-range': etag })).status).toBe(206)
  expect(await (await get('digits.txt', { range, 'if-range': '"old"' })).text()).toBe('0123456789')
  expect((await get('empty.txt', { range: 'bytes=0-' })).status).toBe(416)
  expect(await (await get('empty.txt')).text()).toBe('')
})

test('a file of the folder is the logo in the bar and the icon of the page', async () => {
  const root = await setUp()
  await root.put('/api/option/', { key: 'Logo', value: '/files/logo.svg' })
  const page = await (await anyone.page('/')).text()
  expect(page).toContain('<img class="mark" src="/files/logo.svg" alt=""/>')
  expect(page).toContain('<link rel="icon" href="/files/logo.svg"/>')
  await root.put('/api/option/', { key: 'Logo', value: '' })
})
