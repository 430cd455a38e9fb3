/** Facts of the running system, and the check for a newer release. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { dialect } from '../../src/db/dialect.ts'
import { setOptionAsSystem } from '../../src/domain/options/service.ts'
import { VERSION } from '../../src/pure/version.ts'
import { setEnv } from '../support/env.ts'
import { hurry } from '../support/hurry.ts'
import { accidentCauses, startDocumentServer } from '../support/outside/document-server.ts'
import { setUp, visitor } from '../support/people/person.ts'

const LATEST = '/repos/tollgate/tollgate/releases/latest'
const FAILED = 'Failed to check for updates, please retry later: '

const root = await setUp()
const admin = await visitor(Role.admin)
const github = startDocumentServer()
afterAll(() => github.stop())

const release = { tag_name: 'v99.0.0', body: '**Faster**', html_url: 'https://github.com/a/b/releases/99' }

beforeEach(async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  github.seen.length = 0
  github.documents.set(LATEST, release)
  await setOptionAsSystem('UpdateCheckAddress', github.url + LATEST)
})

const check = (language: 'en' | 'zh' = 'en') => root.post('/api/system/check_update', {}, { language })

test('the system page has version, start, runtime, database and nodes', async () => {
  const { data } = await admin.get('/api/system/')
  expect(data).toEqual({
    version: VERSION,
    start_time: (await root.get('/api/status')).data.start_time,
    runtime: expect.stringContaining(`Bun ${Bun.version}`),
    database: expect.stringMatching(dialect === 'sqlite' ? /^SQLite \d+\.\d+/ : /^PostgreSQL \d+/),
    database_bytes: expect.any(Number),
    nodes: 1,
  })
  expect(data.database_bytes).toBeGreaterThan(100_000)
})

test('a newer release is shown with its notes', async () => {
  expect(await check()).toMatchObject({
    success: true,
    data: {
      ...{ current: VERSION, latest: 'v99.0.0', is_newer: true },
      ...{ url: release.html_url, notes: expect.stringContaining('<strong>Faster</strong>') },
    },
  })
})

test('the notes of a release run no script and load nothing', async () => {
  const parts = ['<script>alert(1)</script>', '<iframe src="https://a.example"></iframe>', '[x](javascript:alert(1))']
  const body = [...parts, '<a onclick="x()" href="javascript:x">y</a>', '<style>*{}</style>'].join('\n\n')
  github.documents.set(LATEST, { ...release, body, html_url: 'javascript:alert(1)' })
  const { data } = await check()
  expect(data.url).toBe('')
  expect(/<script|<iframe|javascript:|onclick|<style/i.test(data.notes)).toBe(false)
})

test.each([
  [`v${VERSION}`, false],
  [VERSION, false],
  ['0.0.9', false],
  [`${VERSION}-rc.1`, false],
  ['0.10.0', true],
  ['v0.9', true],
  ['0.2.0-beta.2', true],
])('version %s: newer is %p', async (tag_name, is_newer) => {
  github.documents.set(LATEST, { tag_name, body: null })
  expect((await check()).data).toMatchObject({ latest: tag_name, is_newer, notes: '', url: '' })
})

test.each(accidentCauses)('update check at %s fails with its cause', async (path, cause) => {
  using _ = path === '/slow' ? hurry() : undefined
  await setOptionAsSystem('UpdateCheckAddress', github.url + path)
  expect(await check()).toMatchObject({ status: 400, code: 'system.update_failed', message: FAILED + cause })
  expect(github.seen).toEqual([path])
})

test.each([
  {},
  { tag_name: 5 },
  { tag_name: 'nightly' },
  { tag_name: 'v1'.repeat(100) },
  { tag_name: '1.0.0', body: {} },
])('update check refuses the release %j', async document => {
  github.documents.set(LATEST, document)
  expect((await check()).message).toBe(`${FAILED}the response lacks what is needed`)
})

test('update check reaches no private address, and asks for its address first', async () => {
  setEnv({ OUTBOUND_ALLOW: [] })
  expect((await check('zh')).message).toBe(
    '检查更新失败，请稍后重试：该地址不是公网地址，可用环境变量 OUTBOUND_ALLOW 放行',
  )
  await setOptionAsSystem('UpdateCheckAddress', '')
  expect(await check()).toMatchObject({ status: 400, message: 'Enter the address for updates first' })
  expect(github.seen).toEqual([])
})

test('the address for updates is root’s', async () => {
  expect(await admin.put('/api/option/', { key: 'UpdateCheckAddress', value: '' })).toMatchObject({ status: 403 })
  expect(await admin.post('/api/system/check_update')).toMatchObject({ status: 403 })
})
