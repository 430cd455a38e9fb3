// @engine postgres
/** Nodes that join a database: those that may not are refused with one line, and those that may go on together. */

import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { SCHEMA } from '../../src/db/migrate.ts'
import { beforeJoining, sinceJoining } from '../support/app/before-joining.ts'
import { type Installation, newInstallation, setUpAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'

const [SECRET_KEY, OTHER_KEY] = ['the key of one installation', 'the key of another one']

/** The place as another machine sees it, with a folder and a key of its own. */
const withKey = (place: Installation, key: string): Installation => ({
  ...place,
  folder: newFolder(),
  env: { ...place.env, SECRET_KEY: key },
})

const wrongKey =
  'tollgate: this database was encrypted with another secret key; set SECRET_KEY (all nodes need the same), or restore secret.key'

test('three nodes that start at once on an empty database migrate it once', async () => {
  const place = await newInstallation()
  const servers = await Promise.all([1, 2, 3].map(() => startAt(withKey(place, SECRET_KEY))))
  const migrated = servers.filter(server => server.output().includes('database migrated'))
  expect(migrated).toHaveLength(1)
  await setUpAt(servers[0]!)
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const rows = await place.read('select version, schema from nodes')
  expect(rows).toEqual([1, 2, 3].map(() => ({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), schema: SCHEMA })))
})

test('a node with another secret key is refused, also while nothing is encrypted yet', async () => {
  const place = await newInstallation()
  await startAt(withKey(place, SECRET_KEY))
  expect(await place.read('select id from tokens')).toEqual([])
  expect(await startupErrorOf(['serve'], withKey(place, OTHER_KEY))).toBe(wrongKey)
  // Without SECRET_KEY a machine makes a key of its own.
  expect(await startupErrorOf(['serve'], { ...place, folder: newFolder() })).toBe(wrongKey)
  await startAt(withKey(place, SECRET_KEY))
})

test('nodes with two secret keys that start at once on an empty database: those of one key run', async () => {
  const place = await newInstallation()
  const starts = [SECRET_KEY, OTHER_KEY, SECRET_KEY, OTHER_KEY].map(async key => {
    try {
      await startAt(withKey(place, key))
      return { key }
    } catch (error) {
      return { key, refusal: (error as Error).message }
    }
  })
  const ended = await Promise.all(starts)
  const running = ended.filter(({ refusal }) => !refusal).map(({ key }) => key)
  expect([running.length, new Set(running).size]).toEqual([2, 1])
  for (const { refusal } of ended.filter(({ refusal }) => refusal)) expect(refusal).toContain(wrongKey)
})

/** As a newer release leaves its schema. @param since from which migration on programs can run on it */
const migrateFurther = (place: Installation, since: string) =>
  place.change(
    `insert into migrations (name, applied_at, compatible_since) values ('9999_from_the_future', 1, '${since}')`,
  )

test('a node runs on a newer schema that is compatible with it, with a warning, and on no other', async () => {
  const place = withKey(await newInstallation(), SECRET_KEY)
  await run(['migrate'], place)
  await migrateFurther(place, SCHEMA)
  const server = await startAt(place)
  expect(server.output()).toContain(
    `the database is of a newer release, on which this one can run has=9999_from_the_future knows=${SCHEMA}`,
  )
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const newer = 'the database is newer (it has 9999_from_the_future), and this program can run on it\n'
  for (const command of [['migrate'], ['migrate', '--check']])
    expect(await run(command, place)).toMatchObject({ code: 0, out: newer })

  const tooNew = 'tollgate: the database is newer than this program (it has 9999_from_the_future); use a newer Tollgate'
  // What does not migrate may miss what is new: it would seal, count or delete less than there is.
  for (const command of [['audit'], ['rotate-key'], ['reset-password', 'root']])
    expect(await startupErrorOf(command, place)).toBe(tooNew)
  await place.change("update migrations set compatible_since = '9998_near_future' where name = '9999_from_the_future'")
  for (const command of [['serve'], ['migrate'], ['migrate', '--check']])
    expect(await startupErrorOf(command, place)).toBe(tooNew)
})

test('a migration that a running node could not survive is refused until that node is gone', async () => {
  const place = withKey(await newInstallation(), SECRET_KEY)
  await run(['migrate'], place)
  await place.change(`delete from migrations where name = '${SCHEMA}'`)
  await place.change(`insert into nodes (id, seen_time, version, schema)
    values ('old', extract(epoch from now())::bigint, '0.0.1', '0014_usage_first_token')`)
  const { code, out } = await run(['migrate', '--check'], place)
  expect([code, out]).toEqual([
    1,
    expect.stringContaining('in the way: a node of Tollgate 0.0.1 (0014_usage_first_token)'),
  ])
  for (const command of [['migrate'], ['serve']])
    expect(await startupErrorOf(command, place)).toStartWith(
      'tollgate: a node of Tollgate 0.0.1 (0014_usage_first_token) is running and cannot go on after the migrations;',
    )
  await place.change("update nodes set schema = '0015_changes'")
  // It gets as far as the migration, whose tables are there.
  expect(await startupErrorOf(['migrate'], place)).toContain('already exists')
})

test('a migration waits for a table that is in use, and lets the statements of others through meanwhile', async () => {
  const place = withKey(await newInstallation(), SECRET_KEY)
  await run(['migrate'], place)
  for (const change of beforeJoining) await place.change(change)
  const backup = new SQL(place.env.DATABASE_URL!, { max: 1 })
  // As pg_dump, which reads for as long as it takes.
  await backup.unsafe('begin; lock table nodes in access share mode')
  const migration = run(['migrate'], place)
  const heartbeats: number[] = []
  const until = performance.now() + 4500
  while (performance.now() < until) {
    const begun = performance.now()
    await place.change('update nodes set seen_time = seen_time')
    heartbeats.push(performance.now() - begun)
  }
  await backup.unsafe('commit')
  await backup.close()
  const { code, out, err } = await migration
  expect([code, out]).toEqual([0, `migrated: ${sinceJoining.join(', ')}\n`])
  expect(err).toContain('the migration waits for a table that is in use')
  // Most come between two attempts; those behind one wait for its end.
  expect(Math.max(...heartbeats)).toBeLessThan(2900)
  expect(heartbeats.length).toBeGreaterThan(20)
})
