// @engine both
/** The mark beside the secret key, as real processes meet it: an installation that was set up is never set up anew. */
import { expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dialect } from '../../src/db/dialect.ts'
import {
  type Installation,
  newInstallation,
  setUpAt,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'

const markOf = ({ folder }: Installation) => join(folder, 'set-up.done')

const isSetUp = async ({ url }: Server) =>
  ((await (await fetch(`${url}/api/setup`)).json()) as { data: { status: boolean } }).data.status

/** Takes the database away: its files, or its tables. */
async function loseDatabase(place: Installation) {
  if (dialect === 'postgres') return place.change('drop schema public cascade; create schema public')
  for (const end of ['', '-wal', '-shm']) rmSync(join(place.folder, `tollgate.db${end}`), { force: true })
}

const empty = (place: Installation) =>
  dialect === 'postgres'
    ? place.change('truncate users, setups cascade')
    : place.change('delete from users').then(() => place.change('delete from setups'))

const refusal = (place: Installation, problem: string) =>
  `tollgate: the set-up was done, but ${problem}; restore a backup or correct DATABASE_URL, or delete ${markOf(place)} to begin anew`

test('a set-up leaves a mark, and a lost database is refused until it is restored or the mark is removed', async () => {
  const place = await newInstallation()
  const first = await startAt(place)
  expect([await isSetUp(first), existsSync(markOf(place))]).toEqual([false, false])
  await setUpAt(first)
  expect([await isSetUp(first), existsSync(markOf(place))]).toEqual([true, true])
  await first.stop()

  await loseDatabase(place)
  const path = join(place.folder, 'tollgate.db')
  const problem = dialect === 'sqlite' ? `there is no database ${path}` : 'the database has no users'
  expect(await startupErrorOf(['serve'], place)).toBe(refusal(place, problem))
  // Nothing lies in the way of a backup.
  if (dialect === 'sqlite') expect(existsSync(path)).toBe(false)
  else
    expect(await place.read("select table_name from information_schema.tables where table_schema = 'public'")).toEqual(
      [],
    )

  rmSync(markOf(place))
  const anew = await startAt(place)
  expect(await isSetUp(anew)).toBe(false)
  await setUpAt(anew)
  expect((await signInAt(anew)).success).toBe(true)
})

test('an emptied database keeps the set-up closed in the running process and refuses the next start', async () => {
  const place = await newInstallation()
  const server = await startAt(place)
  await setUpAt(server)
  await empty(place)
  expect(await isSetUp(server)).toBe(true)
  await setUpAt(server)
  expect(await place.read('select id from users')).toEqual([])
  await server.stop()
  expect(await startupErrorOf(['serve'], place)).toBe(refusal(place, 'the database has no users'))
})

test('an installation of an older version gets its mark at the start, and a mark alone closes the set-up', async () => {
  const place = await newInstallation()
  const server = await startAt(place)
  await setUpAt(server)
  await server.stop()
  rmSync(markOf(place))
  const newer = await startAt(place)
  expect([await isSetUp(newer), existsSync(markOf(place))]).toEqual([true, true])
  await newer.stop()
  // A database that was imported or restored from elsewhere: users, but no record of the set-up.
  await place.change('delete from setups')
  const restored = await startAt(place)
  expect([await isSetUp(restored), (await signInAt(restored)).success]).toEqual([true, true])
})
