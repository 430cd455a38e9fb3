// @engine both
/** Commands other than `serve`, on both engines and on databases of every state: each refusal is one line. */

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dialect } from '../../src/db/dialect.ts'
import { SCHEMA } from '../../src/db/migrate.ts'
import { beforeJoining, sinceJoining } from '../support/app/before-joining.ts'
import { type Installation, newInstallation, startupErrorOf } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'

const onPostgres = dialect === 'postgres'

async function migrated(): Promise<Installation> {
  const place = await newInstallation()
  expect(await run(['migrate'], place)).toMatchObject({ code: 0, err: '' })
  return place
}

const all = [['serve'], ['migrate'], ['audit'], ['reset-password', 'root'], ['rotate-key']]
const writing = all.filter(([name]) => name !== 'audit')

test('migrate reports its migrations, then that the database is up to date', async () => {
  const place = await newInstallation()
  expect(await run(['migrate'], place)).toEqual({ code: 0, out: expect.stringMatching(/^migrated: 0000_\w+/), err: '' })
  expect(await run(['migrate'], place)).toEqual({ code: 0, out: 'the database is up to date\n', err: '' })
})

test('concurrent migrations of an empty database: one runs, on PostgreSQL the others wait', async () => {
  const place = await newInstallation()
  const ends = await Promise.all([1, 2, 3].map(() => run(['migrate'], place)))
  const failed = ends.filter(({ code }) => code !== 0)
  expect(ends.filter(({ out }) => out.startsWith('migrated'))).toHaveLength(1)
  if (onPostgres) expect(failed).toEqual([])
  for (const { err } of failed) expect(err).toMatch(/^tollgate: .+\n$/)
  expect((await run(['audit', '--bills'], place)).out).toMatch(/^audit: clean \(.*, 0 bills\)\n$/)
  expect(await startupErrorOf(['audit', '--bill'], place)).toBe('tollgate: usage: tollgate audit [--bills]')
})

test('migrate --check names what a start would run, changes nothing, and exits with 1 until nothing is left', async () => {
  const place = await migrated()
  const upToDate = { code: 0, out: 'the database is up to date\n', err: '' }
  expect(await run(['migrate', '--check'], place)).toEqual(upToDate)
  await place.change(`delete from migrations where name = '${SCHEMA}'`)
  const { code, out } = await run(['migrate', '--check'], place)
  const lines = [`to run: ${SCHEMA}`, ...(onPostgres ? ['nodes that know 0015_changes go on meanwhile'] : [])]
  expect([code, out.trimEnd().split('\n')]).toEqual([1, lines])
  expect(await place.read(`select name from migrations where name = '${SCHEMA}'`)).toEqual([])
  expect(await startupErrorOf(['migrate', '--chek'], place)).toBe('tollgate: usage: tollgate migrate [--check]')
})

test('a database from before compatibility was stored gets the column with its next migration', async () => {
  const place = await migrated()
  // As such a program has left it: the tables of later migrations are not there.
  await place.change('alter table migrations drop column compatible_since')
  for (const change of beforeJoining) await place.change(change)
  expect(await run(['migrate'], place)).toMatchObject({
    code: 0,
    out: `migrated: ${sinceJoining.join(', ')}\n`,
  })
  const [row] = await place.read(`select compatible_since from migrations where name = '${SCHEMA}'`)
  expect(row).toEqual({ compatible_since: '0015_changes' })
})

test('every command refuses a database of a newer version', async () => {
  const place = await migrated()
  await place.change("insert into migrations (name, applied_at) values ('9999_from_the_future', 1)")
  for (const command of all) {
    expect(await startupErrorOf(command, place)).toBe(
      'tollgate: the database is newer than this program (it has 9999_from_the_future); use a newer Tollgate',
    )
  }
})

test('an older database is migrated first; a failed migration changes nothing', async () => {
  const place = await migrated()
  await place.change('delete from migrations')
  for (const command of [['audit'], ['reset-password', 'root']]) {
    expect(await startupErrorOf(command, place)).toBe(
      'tollgate: the database is older than this program; run tollgate migrate',
    )
  }
  for (const command of [['migrate'], ['serve']]) {
    expect(await startupErrorOf(command, place)).toMatch(
      /^tollgate: cannot bring the database up to date: .*already exists/,
    )
  }
})

if (onPostgres)
  test('writing commands refuse a read-only PostgreSQL', async () => {
    const place = await migrated()
    const name = new URL(place.env.DATABASE_URL!).pathname.slice(1)
    await place.change(`alter database "${name}" set default_transaction_read_only = on`)
    for (const command of writing) {
      expect(await startupErrorOf(command, place)).toBe('tollgate: cannot use this PostgreSQL: it cannot be written')
    }
    expect((await run(['audit'], place)).out).toStartWith('audit: clean')
  })

test('commands that need a database create none', async () => {
  if (onPostgres) {
    const place = { ...(await newInstallation()), env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } }
    for (const command of all) expect(await startupErrorOf(command, place)).toContain('cannot reach PostgreSQL')
    return
  }
  const place = await newInstallation()
  for (const command of [['audit'], ['reset-password', 'root']]) {
    expect(await startupErrorOf(command, place)).toContain('there is no such file')
  }
  expect(await startupErrorOf(['backup', join(place.folder, 'copy.db')], place)).toContain('there is no database')
  expect(readdirSync(place.folder)).toEqual([])
})
