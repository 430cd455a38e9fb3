// @engine both
/** A database of an earlier version, which has users whose names differ in case only, as real processes meet it. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dialect } from '../../src/db/dialect.ts'
import { newInstallation, signInAt, startAt, startupErrorOf } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { cheapHash } from '../support/people/person.ts'

const folder = new URL(`../../drizzle/${dialect}/`, import.meta.url)
const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
const earlier = names.sort().slice(
  0,
  names.findIndex(name => name.endsWith('_folded_usernames.sql')),
)

test('a database with twins is brought up to date: both sign in, each by its exact name', async () => {
  const place = await newInstallation()
  await place.change('create table migrations (name text primary key, applied_at bigint not null)')
  for (const name of earlier) {
    const statements = readFileSync(new URL(name, folder), 'utf8').split('--> statement-breakpoint')
    for (const statement of statements) await place.change(statement)
    await place.change(`insert into migrations values ('${name.replace('.sql', '')}', 1)`)
  }
  const password = await cheapHash('opensesame')
  const users = ['viktor', 'Viktor', 'VIKTOR', 'Nora'].map(
    (username, at) => `('${username}', '${password}', ${at ? 1 : 100}, 1)`,
  )
  await place.change(`insert into users (username, password, role, created_time) values ${users.join(', ')}`)
  await place.change("insert into setups values (1, '0.1.0', 1)")

  const server = await startAt(place)
  const idOf = async (username: string) => (await signInAt(server, { username })).headers['tollgate-user']
  const spellings = ['viktor', 'Viktor', 'VIKTOR', 'vIKTOR', 'nora', 'NORA']
  const ids: (string | undefined)[] = []
  for (const spelling of spellings) ids.push(await idOf(spelling))
  expect(ids).toEqual(['1', '2', '3', 'undefined', '4', '4'])
  expect(await place.read('select username_folded, username_twin from users order by id')).toMatchObject([
    { username_folded: 'viktor' },
    ...[2, 3].map(id => ({ username_folded: 'viktor', username_twin: dialect === 'sqlite' ? id : String(id) })),
    { username_folded: 'nora' },
  ])
  const ambiguous = await startupErrorOf(['reset-password', 'vIKTOR'], place)
  expect(ambiguous).toBe('tollgate: several users are named so: viktor, Viktor, VIKTOR')
  for (const [name, username] of [
    ['Viktor', 'Viktor'],
    ['nora', 'Nora'],
  ] as const) {
    const { out } = await run(['reset-password', name], place)
    expect((await signInAt(server, { username, password: out.trim() })).success).toBe(true)
  }
})
