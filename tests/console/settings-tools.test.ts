/** What hangs on the settings page: history, import, discovery, test mail, previews, updates; all without scripts. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { loadOptions, option, setOptionAsSystem } from '../../src/domain/options/service.ts'
import { options } from '../../src/domain/options/table.ts'
import { setEnv } from '../support/env.ts'
import { startDocumentServer } from '../support/outside/document-server.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const outside = startDocumentServer()
afterAll(() => outside.stop())

beforeEach(async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  await db.delete(auditLog)
  await db.delete(options)
  await loadOptions()
})

const open = async (path: string, person: Person = root, language: 'en' | 'zh' = 'en') =>
  (await person.page(path, { language })).text()
const save = (key: string, value: unknown) => root.put('/api/option/', { key, value })
const noticeOf = (response: Response) => decodeURIComponent(response.headers.get('set-cookie') ?? '')

/** Which of the texts a page has. */
const found = (html: string, ...texts: string[]) => texts.filter(text => html.includes(text))

const changesIn = (html: string) => /<ol class="revisions">.*?<\/ol>/s.exec(html)?.[0] ?? ''

test('each section links to its history, which shows who, before and after, and undoes one change', async () => {
  await save('RetryTimes', 7)
  await save('CheckInQuota', 12_345)
  const tab = await open('/admin/settings?tab=operation')
  expect(found(tab, 'history=operation', 'history=checkIn')).toEqual(['history=operation', 'history=checkIn'])
  const history = await open('/admin/settings?tab=operation&history=operation')
  expect(found(history, 'History: General', 'No setting')).toEqual(['History: General'])
  expect(found(changesIn(history), 'Retries', 'root', '>0</td>', '>7</td>', '12345')).toEqual([
    ...['Retries', 'root', '>0</td>', '>7</td>'],
  ])
  const [, action] = /action="(\/admin\/settings\/history\/\d+\/undo)"/.exec(history)!
  const returnTo = '/admin/settings?tab=operation&history=operation'
  const undone = await root.form(action!, { returnTo })
  expect([undone.status, undone.headers.get('location')]).toEqual([303, returnTo])
  expect(option('RetryTimes')).toBe(0)
  const again = await root.form(action!, { returnTo })
  expect(noticeOf(again)).toContain('Retries has been changed since: undo the later change first')
})

test('the history of a secret says only that it was replaced', async () => {
  await save('SMTPToken', 'canary')
  const history = await open('/admin/settings?tab=system&history=smtp')
  expect(found(history, 'Replaced.', 'canary', '/undo')).toEqual(['Replaced.'])
})

test('the history escapes what was typed', async () => {
  await save('Notice', '<script>alert(1)</script>')
  const history = await open('/admin/settings?tab=other&history=announcement')
  expect(found(history, '<script>alert(1)', '&lt;script&gt;alert(1)')).toEqual(['&lt;script&gt;alert(1)'])
})

const upload = (text: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) => {
  const body = new FormData()
  body.set('csrf', root.csrf)
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', new File([text], 'settings.json', { type: 'application/json' }))
  return root.fetch('/admin/settings/import', { method: 'POST', body })
}

test('the settings are downloaded as a file, which an upload previews and takes over', async () => {
  await save('RetryTimes', 7)
  const file = await root.page('/admin/settings/export.json')
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="tollgate-settings-.*\.json"$/)
  const text = await file.text()
  await save('RetryTimes', 2)
  const preview = await upload(text)
  const html = await preview.text()
  expect([preview.status, found(html, 'Change 1 setting', '>2</td>', '>7</td>')]).toEqual([
    200,
    ['Change 1 setting', '>2</td>', '>7</td>'],
  ])
  expect(option('RetryTimes')).toBe(2)
  const applied = await root.form('/admin/settings/import', { table: text, action: 'apply' })
  expect([applied.status, noticeOf(applied).includes('1 setting imported')]).toEqual([303, true])
  expect(option('RetryTimes')).toBe(7)
})

test('an import with an invalid value lists every problem and offers no button', async () => {
  const file = { options: { RetryTimes: 5, QuotaPerUnit: 0, GroupRatio: 'x', Newer: '1', SMTPToken: 'canary' } }
  const html = await (await upload(JSON.stringify(file))).text()
  expect(
    found(html, 'this number is out of range', 'not a valid JSON', 'Newer', 'SMTPToken', 'canary</td>', 'Change 1'),
  ).toEqual(['this number is out of range', 'not a valid JSON', 'Newer', 'SMTPToken'])
  const applied = await root.form('/admin/settings/import', { table: JSON.stringify(file), action: 'apply' })
  expect(applied.status).toBe(422)
  expect(option('RetryTimes')).toBe(0)
})

test.each([
  ['nothing', ''],
  ['no JSON', 'RetryTimes=3'],
  ['other JSON', '[1]'],
  ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff])],
])('an upload of %s is refused and changes nothing', async (_, text) => {
  const response = await upload(text)
  expect([400, 422]).toContain(response.status)
  expect(await db.$count(options)).toBe(0)
})

test('an upload without the token of the session is refused', async () => {
  const body = new FormData()
  body.set('file', new File(['{"options":{"RetryTimes":3}}'], 'a.json'))
  body.set('action', 'apply')
  expect((await root.fetch('/admin/settings/import', { method: 'POST', body })).status).toBe(403)
  expect(option('RetryTimes')).toBe(0)
})

const digestOf = (html: string, key: string) =>
  new RegExp(`name="read_${key.replace('.', '\\.')}" value="([^"]*)"`).exec(html)![1]!

test('OIDC discovery fills in the addresses, keeps what was typed, and stores nothing', async () => {
  outside.documents.set('/id', {
    issuer: outside.url,
    authorization_endpoint: `${outside.url}/authorize`,
    token_endpoint: `${outside.url}/token`,
  })
  const html = await open('/admin/settings?tab=system')
  const keys = ['well_known', 'client_id', 'authorization_endpoint', 'token_endpoint', 'user_info_endpoint']
  const reads = Object.fromEntries(keys.map(key => [`read_oidc.${key}`, digestOf(html, `oidc.${key}`)]))
  const blank = Object.fromEntries(keys.map(key => [`oidc.${key}`, '']))
  const form = { ...blank, ...reads, 'oidc.client_id': 'typed-client', 'oidc.well_known': `${outside.url}/id` }
  const response = await root.form('/admin/settings/oidc-discovery', form)
  const filled = await response.text()
  const values = [`value="${outside.url}/authorize"`, `value="${outside.url}/token"`, 'value="typed-client"']
  expect([response.status, found(filled, ...values)]).toEqual([200, values])
  expect(await db.$count(options)).toBe(0)

  const failed = await root.form('/admin/settings/oidc-discovery', {
    ...form,
    'oidc.well_known': `${outside.url}/page`,
  })
  expect([failed.status, found(await failed.text(), 'the response is not JSON', 'value="typed-client"')]).toEqual([
    422,
    ['the response is not JSON', 'value="typed-client"'],
  ])
})

test('a test mail that fails says why beside its button, on the page and as a part of it', async () => {
  const page = await root.form('/admin/settings/test-mail', { to: 'ann@example.com' })
  expect([page.status, (await page.text()).includes('<html')]).toEqual([422, true])
  const part = await root.form(
    '/admin/settings/test-mail',
    { to: 'not an address' },
    { headers: { 'hx-request-type': 'partial', 'hx-target': 'div#mail-test' } },
  )
  const text = await part.text()
  expect([part.status, text.includes('<html'), text.includes('role="alert"')]).toEqual([422, false, true])
})

test('a preview is sanitised, as a part while typing and over the page without scripts', async () => {
  const Notice = '# Hello\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>'
  const headers = { 'hx-request-type': 'partial', 'hx-target': 'section#preview-Notice' }
  const part = await (await root.form('/admin/settings/preview?key=Notice', { Notice }, { headers })).text()
  expect(found(part, '<h1>Hello</h1>', '<script>alert', 'onerror', '<html')).toEqual(['<h1>Hello</h1>'])
  const page = await (await root.form('/admin/settings/preview?key=Notice', { Notice })).text()
  expect(found(page, '<h1>Hello</h1>', '<script>alert', '<html')).toEqual(['<h1>Hello</h1>', '<html'])
  expect(option('Notice')).toBe('')
})

const deep = { quotes: '>', lists: '- 1. ', 'quotes of lists': '> - ' }

test.each(Object.entries(deep))('a preview of 100 KB of nested %s is the text as it was typed', async (_, unit) => {
  const headers = { 'hx-request-type': 'partial', 'hx-target': 'section#preview-Notice' }
  const Notice = `${unit.repeat(100_000 / unit.length)}end`
  const part = await (await root.form('/admin/settings/preview?key=Notice', { Notice }, { headers })).text()
  expect([part.includes('<pre>'), part.includes('<blockquote>'), part.includes('<ul>')]).toEqual([true, false, false])
})

test('a preview of words of 100 KB comes at once, and lines of dashes and stars are rules', async () => {
  const headers = { 'hx-request-type': 'partial', 'hx-target': 'section#preview-Notice' }
  const rules = ['-'.repeat(80), '*'.repeat(80), '- '.repeat(40)]
  const Notice = [`${'a.'.repeat(50_000)}@`, '['.repeat(100_000), ...rules, '**end**'].join('\n\n')
  const part = await (await root.form('/admin/settings/preview?key=Notice', { Notice }, { headers })).text()
  expect([part.match(/<hr ?\/?>/g)?.length, part.includes('<strong>end</strong>')]).toEqual([3, true])
})

test('a page that another site replaces is announced, and a logo that runs scripts is not drawn', async () => {
  const headers = { 'hx-request-type': 'partial', 'hx-target': 'section#preview' }
  const preview = async (key: string, fields: Record<string, string>) =>
    (await root.form(`/admin/settings/preview?key=${key}`, fields, { headers })).text()
  expect(await preview('About', { About: 'https://about.example/x' })).toContain('https://about.example/x in a frame')
  const brand = await preview('Logo', { Logo: 'javascript:alert(1)', SystemName: '<b>Gate' })
  expect(found(brand, '&lt;b&gt;Gate', '<svg', '<img')).toEqual(['&lt;b&gt;Gate', '<svg'])
  expect(await preview('Logo', { Logo: 'https://a.example/l.png', SystemName: 'Gate' })).toContain(
    'src="https://a.example/l.png"',
  )
  expect((await root.form('/admin/settings/preview?key=SMTPToken', {}, { headers })).status).toBe(400)
})

test('the other tab shows the system, and checks for updates when asked', async () => {
  await setOptionAsSystem('UpdateCheckAddress', `${outside.url}/latest`)
  outside.documents.set('/latest', { tag_name: 'v99.0.0', body: '**Faster** <script>alert(1)</script>' })
  outside.seen.length = 0
  const page = await open('/admin/settings?tab=other')
  expect(found(page, '>Runtime<', 'Check for updates', 'v99.0.0')).toEqual(['>Runtime<', 'Check for updates'])
  expect(outside.seen).toEqual([])
  const checked = await open('/admin/settings?tab=other&check=')
  expect(found(checked, 'Version v99.0.0 is available', '<strong>Faster</strong>', '<script>alert')).toEqual([
    'Version v99.0.0 is available',
    '<strong>Faster</strong>',
  ])
  outside.documents.set('/latest', { tag_name: 'v0.0.1' })
  expect(await open('/admin/settings?tab=other&check=')).toContain('This is already the latest version')
  await setOptionAsSystem('UpdateCheckAddress', `${outside.url}/none`)
  expect(await open('/admin/settings?tab=other&check=', root, 'zh')).toContain('检查更新失败，请稍后重试：')
})

test('an administrator sees no tool of root', async () => {
  await setOptionAsSystem('UpdateCheckAddress', `${outside.url}/latest`)
  outside.seen.length = 0
  const pages = [await open('/admin/settings?tab=other&check=', admin), await open('/admin/settings?tab=system', admin)]
  expect(found(pages.join(''), 'export.json', 'Check for updates', 'test-mail', 'oidc-discovery')).toEqual([])
  expect(outside.seen).toEqual([])
  expect((await admin.page('/admin/settings/export.json')).headers.get('location')).toBe('/')
})

test('chat links and e-mail domains are plain text fields without scripts', async () => {
  await setOptionAsSystem('Chats', '[{"Gate chat":"https://chat.example/#/?key={key}"}]')
  const tabs = [await open('/admin/settings?tab=operation'), await open('/admin/settings?tab=system')]
  const areas = tabs.join('').match(/<textarea[^>]*name="(Chats|EmailDomainWhitelist)"/g) ?? []
  expect(areas.length).toBe(2)
})

test.each([
  ['https://chat.example/#/?settings={"key":"{key}","url":"{address}"}', true],
  ['ama://set-api-key?server={address}&key={key}', true],
  ['opencat://team/join?domain={address}&token={key}', true],
  ['//chat.example', false],
  ['chat.example', false],
  ['/playground', false],
  ['{address}/chat', false],
  ['mailto:a@example.com', false],
  ['https://', false],
  ['a ma://x', false],
])('the chat link %j is accepted: %p', async (address, isAccepted) => {
  const answer = await save('Chats', JSON.stringify([{ 'My chat': address }]))
  expect(answer).toMatchObject(
    isAccepted
      ? { success: true }
      : { status: 400, field: 'Chats', message: expect.stringContaining('My chat: enter') },
  )
})
