/** `tollgate rotate-key`: another secret key for the whole database, all or nothing. */
import { beforeAll, expect, test } from 'bun:test'
import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sealedColumns } from '../../src/commands/sealed-columns.ts'
import { opensWith } from '../../src/crypto/sealing.ts'
import { dialect } from '../../src/db/dialect.ts'
import {
  type Installation,
  newInstallation,
  setUpAt,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { program, run, type Server } from '../support/app/server.ts'

const KILLS = 3
/** A run takes longer on a busy machine; some kills come after its end. */
const KILL_STEP_MS = 250

let place: Installation
const fileAt = (name: string) => join(place.folder, name)
const secretOf = async (name: string) => Buffer.from((await Bun.file(fileAt(name)).text()).trim())

async function callAt(server: Server, headers: Record<string, string>, path: string, body?: object) {
  const response = await fetch(server.url + path, {
    headers,
    method: body ? 'POST' : 'GET',
    body: JSON.stringify(body),
  })
  return (await response.json()) as { success: boolean; data: any }
}

/** An installation with secrets in most columns. */
beforeAll(async () => {
  place = await newInstallation()
  const server = await startAt(place)
  await setUpAt(server)
  const { headers } = await signInAt(server)
  const channel = {
    name: 'one',
    type: 1,
    key: 'sk-up',
    models: 'gpt-4o',
    group: 'default',
    base_url: 'https://up.example',
  }
  await callAt(server, headers, '/api/channel/', { ...channel, setting: '{"proxy":"http://me:secret@proxy.example"}' })
  await callAt(server, headers, '/api/token/', { name: 'mine', unlimited_quota: true })
  await callAt(server, headers, '/api/redemption/', { name: 'gift', quota: 5, count: 3 })
  const option = { method: 'PUT', headers, body: '{"key":"EpayKey","value":"of-the-merchant"}' }
  expect((await fetch(`${server.url}/api/option/`, option)).status).toBe(200)
  await server.stop()
})

const isSealed = (text: unknown): text is string => typeof text === 'string' && text.startsWith('v1:')

async function sealedTexts(): Promise<string[]> {
  const found: unknown[] = []
  for (const { table, columns } of sealedColumns) {
    for (const row of await place.read(`select ${columns.map(name => `"${name}"`).join()} from "${table}"`))
      found.push(...Object.values(row as object))
  }
  return found.filter(isSealed)
}

const rotate = (env: Record<string, string> = {}) => run(['rotate-key'], { ...place, env: { ...place.env, ...env } })

test('rotate-key knows every sealed column', async () => {
  const known = sealedColumns.flatMap(({ table, columns }) => columns.map(column => `${table}.${column}`))
  const found: string[] = ['options.value']
  for (const path of new Bun.Glob('src/{domain,cluster}/**/table.ts').scanSync()) {
    let table = ''
    for (const line of (await Bun.file(path).text()).split('\n')) {
      table = /^\s*'(\w+)',$|c\.table\('(\w+)'/.exec(line)?.slice(1).find(Boolean) ?? table
      const column = /^\s*(\w+): c\.sealed\(|^\s*(\w+_sealed): c\.text\(/.exec(line)?.slice(1).find(Boolean)
      if (column) found.push(`${table}.${column}`)
    }
  }
  expect(found.sort()).toEqual(known.sort())
})

test('everything is sealed under the new key, works after it, and all users have to sign in again', async () => {
  const before = await sealedTexts()
  const former = await secretOf('secret.key')
  const [row] = (await place.read('select key_hash from tokens')) as { key_hash: string }[]
  const { code, out, err } = await rotate()
  expect([code, err]).toEqual([0, ''])
  expect(out).toStartWith(`sealed ${before.length} secrets under the new key`)

  const secret = await secretOf('secret.key')
  const after = await sealedTexts()
  expect(after.length).toBe(before.length)
  expect(after.every(opensWith(secret))).toBe(true)
  expect(after.some(opensWith(former))).toBe(false)
  expect(await secretOf('secret.key.old')).toEqual(former)
  expect(existsSync(fileAt('secret.key.next'))).toBe(false)
  expect(statSync(fileAt('secret.key')).mode & 0o777).toBe(0o600)

  expect(await place.read('select id from sessions')).toEqual([])
  const server = await startAt(place)
  const { headers } = await signInAt(server)
  const { data } = await callAt(server, headers, '/api/token/?p=0&size=10')
  expect(Bun.SHA256.hash(data[0].key, 'hex')).toBe(row!.key_hash)
  const entries = await callAt(server, headers, '/api/audit/?action=secret_key.rotate')
  expect(entries.data.items).toMatchObject([{ actor_name: 'system', after: { sealed: before.length } }])
  expect(await startupErrorOf(['rotate-key'], place)).toStartWith(
    dialect === 'sqlite'
      ? 'tollgate: another Tollgate is already running on the data folder'
      : 'tollgate: stop every server first: 1 use this database',
  )
  await server.stop()
})

test('a rotation that stops before the database changes has changed nothing', async () => {
  const former = await secretOf('secret.key')
  await Bun.write(fileAt('secret.key.next'), 'a-secret-that-sealed-nothing\n')
  await (await startAt(place)).stop()
  expect(await secretOf('secret.key')).toEqual(former)
  expect(existsSync(fileAt('secret.key.next'))).toBe(false)
})

test('a rotation that stops before the key file follows is completed by the next start', async () => {
  expect((await rotate()).code).toBe(0)
  const secret = await secretOf('secret.key')
  renameSync(fileAt('secret.key'), fileAt('secret.key.next'))
  renameSync(fileAt('secret.key.old'), fileAt('secret.key'))
  const server = await startAt(place)
  expect((await signInAt(server)).success).toBe(true)
  await server.stop()
  expect(await secretOf('secret.key')).toEqual(secret)
})

test('a rotation killed at any moment leaves a database that starts with its key', async () => {
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = Bun.spawn([...program, 'rotate-key'], {
      env: { PATH: process.env.PATH!, DATA_DIR: place.folder, ...place.env },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await Bun.sleep(kill * KILL_STEP_MS)
    child.kill('SIGKILL')
    await child.exited
    const server = await startAt(place)
    expect((await signInAt(server)).success).toBe(true)
    await server.stop()
    expect((await sealedTexts()).every(opensWith(await secretOf('secret.key')))).toBe(true)
  }
}, 240_000)

test('the key of the environment follows NEW_SECRET_KEY; a wrong or a missing one is refused', async () => {
  const SECRET_KEY = (await secretOf('secret.key')).toString()
  const NEW_SECRET_KEY = 'another-secret-of-the-environment'
  const refused = async (env: Record<string, string>) =>
    startupErrorOf(['rotate-key'], { ...place, env: { ...place.env, ...env } })
  expect(await refused({ SECRET_KEY })).toBe('tollgate: set NEW_SECRET_KEY to the key that follows SECRET_KEY')
  expect(await refused({ SECRET_KEY: 'not-the-secret-of-this', NEW_SECRET_KEY })).toBe(
    'tollgate: this database was encrypted with another secret key; set SECRET_KEY, or restore secret.key',
  )
  const { code, out } = await rotate({ SECRET_KEY, NEW_SECRET_KEY })
  expect([code, out]).toEqual([0, expect.stringContaining('set SECRET_KEY to the new key before the next start')])
  expect((await sealedTexts()).every(opensWith(Buffer.from(NEW_SECRET_KEY)))).toBe(true)
  expect((await secretOf('secret.key')).toString()).toBe(SECRET_KEY)
  const server = await startAt(place, { env: { ...place.env, SECRET_KEY: NEW_SECRET_KEY } })
  expect((await signInAt(server)).success).toBe(true)
})
