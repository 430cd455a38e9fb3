// @engine sqlite
// @waits
/** Backups while the server runs, to a folder: what they restore, and what a restore refuses. */
import { expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIAGNOSTICS_PATH } from '../../src/contracts/diagnostics.ts'
import {
  emptyWithKey,
  newBackedUp,
  noteOf,
  notesOf,
  objectsIn,
  segmentsIn,
  shipped,
  utc,
} from '../support/app/backed-up.ts'
import { newInstallation, setUpAt, signInAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { until } from '../support/until.ts'

/** Five commits in different seconds, and what was there at the second of the third. */
async function keptHistory(more: Record<string, string> = {}) {
  const made = await newBackedUp(more)
  const server = await startAt(made.place, { env: made.settings })
  await setUpAt(server)
  await shipped(server)
  let third = 0
  for (let note = 1; note <= 5; note++) {
    await made.place.change(noteOf(note))
    if (note === 3) third = Date.now()
    await Bun.sleep(2100)
  }
  await shipped(server)
  await server.stop('SIGKILL')
  rmSync(join(made.place.folder, 'tollgate.db'))
  return { ...made, third }
}

const history = keptHistory()
/** Without a passphrase, which costs each restore a third of a second of processor. */
const plainHistory = keptHistory({ BACKUP_PASSPHRASE: '' })

test('a killed server and its folder come back to the newest second, with a clean audit', async () => {
  const made = await history
  const target = await emptyWithKey(made)
  const { code, out, err } = await run(['restore'], target)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^restored 20\d\d-\d\d-\d\dT\S+Z \(\d+ bytes, \d+ segments behind the snapshot\)\naudit: clean/)
  expect(await notesOf(target)).toEqual([1, 2, 3, 4, 5])
})

test('restore --at gives the state of that second', async () => {
  const made = await plainHistory
  const target = await emptyWithKey(made)
  expect(await run(['restore', '--at', utc(made.third + 1000)], target)).toMatchObject({ code: 0, err: '' })
  expect(await notesOf(target)).toEqual([1, 2, 3])
})

test('restore takes the address of the backup as its argument', async () => {
  const made = await plainHistory
  const target = await emptyWithKey(made, { BACKUP_URL: '' })
  expect(await run(['restore', made.backup], target)).toMatchObject({ code: 0, err: '' })
})

test('a backup is unreadable without its passphrase', async () => {
  const { backup } = await history
  const files = readdirSync(backup, { recursive: true, encoding: 'utf8' }).filter(name =>
    /(\/end|\/part-\d+|\/segment-.*)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(3)
  for (const file of files)
    expect(() => Bun.zstdDecompressSync(readFileSync(join(backup, file)).subarray(32))).toThrow()
})

const refusals: [string, (backup: string) => void, Record<string, string>, string[], RegExp][] = [
  [
    'a second before the first snapshot',
    () => {},
    {},
    ['--at', '2020-01-01 00:00:00'],
    /has no snapshot before 2020-01-01T00:00:00Z; the first one is of 20/,
  ],
  [
    'a moment that does not exist',
    () => {},
    {},
    ['--at', '2026-13-01 00:00:00'],
    /^tollgate: usage: tollgate restore FILE/,
  ],
  ['no backup', backup => rmSync(join(backup, 'tollgate.json')), {}, [], /there is no backup in/],
  [
    'a newer format',
    backup => writeFileSync(join(backup, 'tollgate.json'), '{"tollgate_backup":2}'),
    {},
    [],
    /is newer than this program/,
  ],
  [
    'a missing segment',
    backup => rmSync(join(backup, segmentsIn(backup).at(-2)!)),
    {},
    [],
    /is damaged: segment \d+ of \S+ is missing/,
  ],
  [
    'a cut segment',
    backup => cut(join(backup, segmentsIn(backup).at(-2)!)),
    {},
    [],
    /is damaged: \S+ is cut or altered/,
  ],
  ['a missing part of the snapshot', backup => rmSync(join(backup, part(backup))), {}, [], /part-000000 is missing/],
]

const cut = (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -1))
function alter(file: string) {
  const bytes = readFileSync(file)
  bytes[20]! ^= 1
  writeFileSync(file, bytes)
}
function exchange(backup: string) {
  const [one, other] = segmentsIn(backup)
    .slice(-2)
    .map(name => join(backup, name)) as [string, string]
  renameSync(one, `${one}.x`)
  renameSync(other, one)
  renameSync(`${one}.x`, other)
}
const part = (backup: string) =>
  readdirSync(backup, { recursive: true, encoding: 'utf8' }).find(name => name.endsWith('part-000000'))!

/** Of an encrypted backup. */
const encryptedRefusals: typeof refusals = [
  ['a missing passphrase', () => {}, { BACKUP_PASSPHRASE: '' }, [], /is encrypted; set BACKUP_PASSPHRASE/],
  [
    'a wrong passphrase',
    () => {},
    { BACKUP_PASSPHRASE: 'another passphrase' },
    [],
    /BACKUP_PASSPHRASE is not the one of the backup/,
  ],
  [
    'an altered segment that is encrypted',
    backup => alter(join(backup, segmentsIn(backup).at(-2)!)),
    {},
    [],
    /is damaged: \S+ is cut or altered/,
  ],
  ['exchanged segments', exchange, {}, [], /is damaged: \S+ is cut or altered/],
]

test.each([
  ...refusals.map(refusal => [...refusal, plainHistory] as const),
  ...encryptedRefusals.map(refusal => [...refusal, history] as const),
])('restore refuses %s in one line and leaves no file', async (_, damage, env, args, expected, from) => {
  const made = await from
  const backup = newFolder()
  cpSync(made.backup, backup, { recursive: true })
  damage(backup)
  const target = await emptyWithKey(made, { BACKUP_URL: backup, ...env })
  expect(await startupErrorOf(['restore', ...args], target)).toMatch(expected)
  expect(readdirSync(target.folder).filter(name => name.startsWith('tollgate.db'))).toEqual([])
})

test('restore refuses a database in use and a wrong secret key', async () => {
  const made = await plainHistory
  const target = await emptyWithKey(made)
  await run(['restore'], target)
  expect(await startupErrorOf(['restore'], target)).toContain('has users already')
  const other = await newInstallation()
  writeFileSync(join(other.folder, 'secret.key'), 'another key of another place\n')
  expect(
    await startupErrorOf(['restore'], { ...other, env: { ...made.settings, SECRET_KEY: 'another-secret-key' } }),
  ).toContain('made under another secret key')
})

test('restore refuses a backup of a newer Tollgate in one line', async () => {
  const made = await newBackedUp({ BACKUP_PASSPHRASE: '' })
  const server = await startAt(made.place, { env: made.settings })
  await shipped(server)
  await server.stop()
  const name = objectsIn(made.backup, 'snapshot').find(object => object.endsWith('/end'))!
  const end = JSON.parse(
    new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(join(made.backup, name)).subarray(32))),
  )
  const packed = Bun.zstdCompressSync(JSON.stringify({ ...end, version: '99.0.0', migration: '9999_later' }))
  const sum = new Bun.CryptoHasher('sha256').update(`${name}\0`).update(packed).digest()
  writeFileSync(join(made.backup, name), Buffer.concat([sum, packed]))
  const target = await emptyWithKey(made)
  expect(await startupErrorOf(['restore'], target)).toContain(
    'is newer than this program (Tollgate 99.0.0, 9999_later)',
  )
  expect(readdirSync(target.folder).filter(file => file.startsWith('tollgate.db'))).toEqual([])
})

test('a clean stop ships the last commits, and the next start begins a new snapshot', async () => {
  const made = await newBackedUp({ BACKUP_PASSPHRASE: '' })
  const first = await startAt(made.place, { env: made.settings })
  await setUpAt(first)
  await shipped(first)
  await made.place.change(noteOf(7))
  expect(await first.stop()).toBe(0)
  const target = await emptyWithKey(made)
  expect(await run(['restore'], target)).toMatchObject({ code: 0, err: '' })
  expect(await notesOf(target)).toEqual([7])
  const second = await startAt(made.place, { env: made.settings })
  await shipped(second)
  await second.stop()
  expect(new Set(segmentsOrSnapshots(made.backup)).size).toBe(2)
})

const segmentsOrSnapshots = (backup: string) => readdirSync(backup).filter(name => /^\d{14}-/.test(name))

test('a folder that cannot be written stops no call, is a red light, warns once, and the backup catches up', async () => {
  const folder = newFolder()
  const backup = join(folder, 'backup')
  writeFileSync(backup, 'in the way')
  const made = await newBackedUp({ BACKUP_URL: backup })
  const server = await startAt(made.place, { env: made.settings })
  await setUpAt(server)
  await until(() => /the backup has stopped; calls go on/.test(server.output()))
  const { headers } = await signInAt(server)
  const page = await fetch(server.url + DIAGNOSTICS_PATH, { headers: { ...headers, 'accept-language': 'en' } })
  expect(await page.text()).toContain('Stopped: EEXIST')
  rmSync(backup)
  await shipped(server)
  expect(server.output().match(/the backup has stopped/g)).toHaveLength(1)
  expect(existsSync(join(backup, 'tollgate.json'))).toBe(true)
})
