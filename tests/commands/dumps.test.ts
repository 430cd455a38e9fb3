// @engine both
/** `tollgate backup` and `tollgate restore` with dumps, and the dumps that a restore refuses. */
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is, Table } from 'drizzle-orm'
import { dialect } from '../../src/db/dialect.ts'
import { migratePlace } from '../../src/db/dump/schema.ts'
import { sqlitePlace } from '../../src/db/dump/sqlite-place.ts'
import { writeDump } from '../../src/db/dump/write-dump.ts'
import { backedUp, dumpOf, fileOf, linesIn, manifestIn, rowsIn, withByteChanged } from '../support/app/dumps.ts'
import {
  type Installation,
  newInstallation,
  setUpInstallation,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { newFolder, program, run } from '../support/app/server.ts'

const CLEAN = 'audit: clean (1 users, 0 tokens, 0 channels, 1 ledger entries, 0 credits with their cause)\n'

/** An installation with an administrator, and a dump that was written while it ran. */
const furnished = (async () => {
  const place = await setUpInstallation()
  const server = await startAt(place)
  const file = await backedUp(place)
  await server.stop()
  return { place, file }
})()

/** An empty place with the same key. */
async function emptyPlace(): Promise<Installation> {
  const empty = await newInstallation()
  copyFileSync(join((await furnished).place.folder, 'secret.key'), join(empty.folder, 'secret.key'))
  return empty
}

async function isEmpty(place: Installation): Promise<boolean> {
  if (dialect === 'sqlite') return readdirSync(place.folder).every(name => /^(secret\.key|tollgate\.lock)$/.test(name))
  const tables = await place.read(
    "select table_name from information_schema.tables where table_schema = 'public' and table_name <> 'foreign_one'",
  )
  return tables.length === 0
}

test('a dump has every table of the schema, but those of running processes', async () => {
  const declared: string[] = []
  for await (const path of new Bun.Glob('src/{domain,cluster}/**/table.ts').scan()) {
    const exported = Object.values(await import(join(process.cwd(), path)))
    declared.push(...exported.filter(value => is(value, Table)).map(table => getTableName(table as Table)))
  }
  const { tables } = await manifestIn((await furnished).file)
  expect(tables.map(({ name }) => name).sort()).toEqual(
    declared.filter(name => name !== 'nodes' && name !== 'changes').sort(),
  )
})

test('a dump of a running server is private, never overwrites, and restores with its key', async () => {
  const { place, file } = await furnished
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await startupErrorOf(['backup', file], place)).toBe(
    `tollgate: ${file} exists already; a backup never overwrites`,
  )
  const target = await emptyPlace()
  if (dialect === 'postgres') await target.change('create table foreign_one (id int)')
  const { code, out } = await run(['restore', file], target)
  expect([code, out]).toEqual([
    0,
    `restored ${(await manifestIn(file)).tables.reduce((sum, { rows }) => sum + rows, 0)} rows (balances 100000000, ledger 100000000, usage 0)\n${CLEAN}`,
  ])
  expect(await rowsIn(await backedUp(target))).toEqual(await rowsIn(file))
  if (dialect === 'postgres') expect(await target.read('select id from foreign_one')).toEqual([])
  expect(await startupErrorOf(['restore', file], target)).toContain(
    'has users already; a dump is restored into an empty',
  )

  await target.change("insert into log_filters (user_id, name, query, created_time) values (1, 'f', '', 1)")
  const server = await startAt(target)
  expect((await signInAt(server)).success).toBe(true)
})

test('ids of deleted rows are not given again after a restore', async () => {
  const { place } = await furnished
  const entry =
    "insert into audit_log (created_time, actor_id, actor_name, action, target_kind) values (1, 1, 'a', 'a', 'a')"
  for (let count = 0; count < 5; count++) await place.change(entry)
  const [before] = (await place.read('select max(id) as id from audit_log')) as { id: number | string }[]
  await place.change('delete from audit_log')
  const target = await emptyPlace()
  expect((await run(['restore', await backedUp(place)], target)).code).toBe(0)
  await target.change(entry)
  const [after] = (await target.read('select id from audit_log')) as { id: number | string }[]
  expect(Number(after!.id)).toBe(Number(before!.id) + 1)
})

test('a started server without users is no obstacle to a restore, a running one is', async () => {
  const { file } = await furnished
  const target = await emptyPlace()
  const server = await startAt(target)
  expect(await startupErrorOf(['restore', file], target)).toContain(
    'already running on the data folder|stop it first'.split('|')[dialect === 'sqlite' ? 0 : 1]!,
  )
  await server.stop()
  expect(await run(['restore', file], target)).toMatchObject({ code: 0, out: expect.stringContaining(CLEAN) })
})

test('a dump that is cut, altered, newer, foreign or under another key is refused before the first write', async () => {
  const { place, file } = await furnished
  const bytes = readFileSync(file)
  const lines = await linesIn(file)
  const at = lines.findIndex(line => line.startsWith('[') && line.includes('root'))
  const changed = (index: number, from: string | RegExp, to: string) =>
    dumpOf(lines.map((line, row) => (row === index ? line.replace(from, to) : line)))
  const target = await emptyPlace()
  const refusals: [string, string][] = [
    [fileOf(bytes.subarray(0, bytes.length - 40)), 'is cut: its end is missing'],
    [fileOf(bytes.subarray(0, 4)), 'is cut: its end is missing'],
    [dumpOf(lines.slice(0, at + 1)), 'is cut: its end is missing'],
    [dumpOf(lines.slice(0, -1)), 'is cut: its end is missing'],
    [dumpOf([...lines, '[1]']), 'is damaged: its checksum is another one'],
    [dumpOf(lines.filter((_, index) => index !== at)), 'is damaged: the rows of users are not those'],
    [changed(at, 'root', 'toor'), 'is damaged: the rows of users are not those'],
    [changed(0, '"sequences":{', '"sequences":{"mails":7,'), 'is damaged: its checksum is another one'],
    [changed(0, /"migration":"\w+"/, '"migration":"9999_later"'), 'is newer than this program (Tollgate '],
    [changed(0, '"tollgate_dump":1', '"tollgate_dump":2'), 'was written by a newer Tollgate'],
    [withByteChanged(file, bytes.length - 200), 'is damaged: '],
    [fileOf('{"tollgate_dump":1}'), 'is not a dump of Tollgate'],
    [fileOf('SQLite format 3\0'), 'is a SQLite database, not a dump'],
    [fileOf(''), 'is not a dump of Tollgate'],
    [join(newFolder(), 'missing'), 'there is no file'],
  ]
  for (const [refused, reason] of refusals) expect(await startupErrorOf(['restore', refused], target)).toContain(reason)
  const other = { ...target, env: { ...target.env, SECRET_KEY: 'the key of another place' } }
  const wrongKey =
    'tollgate: this backup was made under another secret key; set SECRET_KEY, or put its secret.key in DATA_DIR'
  expect(await startupErrorOf(['restore', file], other)).toBe(wrongKey)
  const blank = await newInstallation()
  expect(await startupErrorOf(['restore', file], blank)).toBe(wrongKey)
  expect(existsSync(join(blank.folder, 'secret.key'))).toBe(false)
  expect([await isEmpty(target), await isEmpty(blank)]).toEqual([true, true])
  expect(await startupErrorOf(['restore', file, '--replace'], place)).toStartWith(
    'tollgate: usage: tollgate restore FILE, or',
  )
})

test('a restore that fails after its first rows leaves nothing', async () => {
  const { file } = await furnished
  const lines = await linesIn(file)
  // All checksums are right, but a ledger entry refers to a user who is missing.
  const at = lines.findIndex(line => line.startsWith('{"table":"ledger"'))
  const row = lines[at - 1]!.replace(/^\[(\d+), ?1,/, '[$1,77,')
  const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const end = JSON.stringify({ ...JSON.parse(lines[at]!), sha256: sha256(`${row}\n`) })
  const whole = [...lines.slice(0, at - 1), row, end, ...lines.slice(at + 1, -1)]
  const target = await emptyPlace()
  const altered = dumpOf([...whole, JSON.stringify({ end: true, sha256: sha256(`${whole.join('\n')}\n`) })])
  expect(await startupErrorOf(['restore', altered], target)).toStartWith('tollgate: cannot restore: ')
  expect(await isEmpty(target)).toBe(true)
})

test('a backup that cannot be written leaves no file and one line', async () => {
  const { place } = await furnished
  const inShell = (command: string) => run(['-c', command], { ...place, command: ['sh'] })
  const full = await inShell(`${program.join(' ')} backup - > /dev/full`)
  expect([full.code, full.err]).toEqual([1, expect.stringMatching(/^tollgate: cannot back up to -: .*ENOSPC.*\n$/)])
  const closed = await inShell(`(sleep 1; ${program.join(' ')} backup -; echo $? >&2) | true`)
  expect(closed.err).toMatch(/^tollgate: cannot back up to -: .*EPIPE.*\n1\n$/)
  expect(await startupErrorOf(['backup', join(place.folder, 'missing', 'x')], place)).toContain('cannot back up to')
  const piped = await inShell(`${program.join(' ')} backup - 2>/dev/null | head -c 4 | od -An -tx1`)
  expect(piped.out.trim()).toBe('28 b5 2f fd')
})

test('a dump of an older version is brought up to date', async () => {
  const old = sqlitePlace(join(newFolder(), 'old.db'), 'write')
  await migratePlace(old, '0006_stored_items')
  await old.query("insert into users (username, role, created_time) values ('Old', 100, 1)")
  const chunks: Uint8Array[] = []
  await writeDump(old, bytes => void chunks.push(bytes))
  await old.close()
  const { env } = await import('../../src/env.ts')
  const target = await newInstallation()
  if (env.SECRET_KEY) target.env.SECRET_KEY = env.SECRET_KEY
  const { code, out } = await run(['restore', fileOf(Buffer.concat(chunks))], target)
  expect([code, out]).toEqual([0, expect.stringContaining('audit: clean (1 users')])
  expect(await target.read('select username, username_folded from users')).toEqual([
    { username: 'Old', username_folded: null },
  ])
})
