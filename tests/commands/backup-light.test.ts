// @tier long
// @engine both
// @waits
/** The light of a backup, in real processes: on the diagnostics page, and as messages to administrators. */
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIAGNOSTICS_PATH } from '../../src/contracts/diagnostics.ts'
import { dialect } from '../../src/db/dialect.ts'
import {
  type Installation,
  newInstallation,
  setUpAt,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { newFolder, run, type Server } from '../support/app/server.ts'
import { until } from '../support/until.ts'

/** Root at the diagnostics page. */
async function diagnosticsAt(server: Server) {
  const { headers } = await signInAt(server)
  const page = async () =>
    (await fetch(server.url + DIAGNOSTICS_PATH, { headers: { ...headers, 'accept-language': 'en' } })).text()
  const runTest = async () => {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page())![1]!
    const body = new URLSearchParams({ csrf, returnTo: DIAGNOSTICS_PATH })
    const address = `${server.url}${DIAGNOSTICS_PATH}/jobs/test-backup/run`
    const response = await fetch(address, {
      ...{ method: 'POST', body, redirect: 'manual' as const },
      headers: { ...headers, origin: server.url },
    })
    expect(response.status).toBe(303)
  }
  return { shows: (text: string) => until(async () => (await page()).includes(text), text), runTest }
}

const titlesIn = async (place: Installation) =>
  ((await place.read('select title from messages order by id')) as { title: string }[]).map(({ title }) => title)

/** A balance that is wrong, as the backup has it at once; the dump of PostgreSQL is of this day, and its file is altered. */
async function damage(place: Installation, backup: string) {
  if (dialect === 'sqlite') {
    await place.change('update users set quota = quota + 1')
    return Bun.sleep(3000)
  }
  const names = readdirSync(backup, { recursive: true, encoding: 'utf8' })
  const part = join(backup, names.find(name => name.includes('/part-'))!)
  const bytes = readFileSync(part)
  bytes[50]! ^= 1
  writeFileSync(part, bytes)
}

/** By the command, into an empty database of the engine. */
async function expectRestored(place: Installation, env: Record<string, string>) {
  const empty = await newInstallation()
  copyFileSync(join(place.folder, 'secret.key'), join(empty.folder, 'secret.key'))
  const target = { ...empty, env: { ...env, ...empty.env } }
  const { code, out, err } = await run(['restore'], target)
  expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('audit: clean') })
  expect(await target.read('select username from users')).toEqual([{ username: 'root' }])
  expect(await startupErrorOf(['restore'], target)).toContain('has users already')
}

test('the backup is restored and audited by schedule and by hand: the light is green, then red, and after a start', async () => {
  const place = await newInstallation()
  const backup = newFolder()
  const env = { ...place.env, BACKUP_URL: backup, BACKUP_PASSPHRASE: 'correct horse battery' }
  const server = await startAt(place, { env })
  await setUpAt(server)
  const first = await diagnosticsAt(server)
  await first.shows('Not tested yet')
  await first.shows('Restored, the audit is clean')
  await first.shows('Works')
  await expectRestored(place, env)
  expect(JSON.parse(readFileSync(join(backup, 'test.json'), 'utf8'))).toMatchObject({ ok: true, error: '' })

  await damage(place, backup)
  await first.runTest()
  await first.shows('Works, but cannot be restored')
  await first.shows(dialect === 'sqlite' ? 'audit: ' : 'is cut or altered')
  await until(async () => (await titlesIn(place)).length === 2)
  expect(await titlesIn(place)).toEqual(['备份已恢复，完整无误', '备份无法恢复'])
  await server.stop()

  const second = await startAt(place, { env })
  await (await diagnosticsAt(second)).shows('Works, but cannot be restored')
  await second.stop()
  // The failed test is of this week: the start has made no other.
  expect(await titlesIn(place)).toHaveLength(2)
})

test('a backup that has stopped for ten minutes is a red light and one message a day', async () => {
  const place = await newInstallation()
  const file = join(newFolder(), 'backup')
  writeFileSync(file, 'in the way')
  const env = { ...place.env, BACKUP_URL: file }
  const command = [process.execPath, '--preload', './tests/support/app/later.ts', 'src/main.ts']
  const server = await startAt(place, { env, command })
  await setUpAt(server)
  const page = await diagnosticsAt(server)
  await page.shows('Stopped: ')
  expect(await titlesIn(place)).toEqual([])
  for (const _ of [1, 2]) {
    server.process.kill('SIGUSR2')
    await until(async () => (await titlesIn(place)).length > 0)
  }
  await Bun.sleep(2000)
  expect(await titlesIn(place)).toEqual(['备份已停止'])
  rmSync(file)
  await page.shows(dialect === 'sqlite' ? 'Works' : 'Stopped: ')
  expect(existsSync(join(file, 'tollgate.json'))).toBe(dialect === 'sqlite')
})

if (dialect === 'postgres')
  test('a backup of SQLite is refused on PostgreSQL in one line that names the way', async () => {
    const place = await newInstallation()
    const backup = newFolder()
    const lite = { BACKUP_URL: backup, DATABASE_URL: `file:${join(place.folder, 'tollgate.db')}` }
    const server = await startAt(place, { env: lite })
    await until(() => readdirSync(backup, { recursive: true, encoding: 'utf8' }).some(name => name.endsWith('/end')))
    await server.stop()
    const target = { ...place, env: { ...place.env, BACKUP_URL: backup } }
    expect(await startupErrorOf(['restore'], target)).toContain('then tollgate move goes to PostgreSQL')
  })
