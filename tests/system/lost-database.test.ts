// @engine postgres
/** An initialised site whose PostgreSQL database is missing, empty, read-only or damaged: the set-up never opens again. */
import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  copyOf,
  type Installation,
  setUpAt,
  setUpInstallation,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'

let initialised: Installation

beforeAll(async () => {
  initialised = await setUpInstallation()
})

const nameOf = (place: Installation) => new URL(place.env.DATABASE_URL!).pathname.slice(1)

const damages: [what: string, line: string | RegExp, damage: (place: Installation) => Promise<unknown>][] = [
  [
    'is missing',
    /^tollgate: cannot reach PostgreSQL: database ".+" does not exist$/,
    async place => {
      place.env = { ...place.env, DATABASE_URL: `${place.env.DATABASE_URL}_gone` }
    },
  ],
  ['is empty', /the database has no users/, place => place.change('drop schema public cascade; create schema public')],
  [
    'is read-only',
    /^tollgate: cannot use this PostgreSQL: it cannot be written$/,
    place => place.change(`alter database "${nameOf(place)}" set default_transaction_read_only = on`),
  ],
  ['has lost its users', /the database has no users/, place => place.change('truncate users, setups cascade')],
  [
    'has lost the table of users',
    /^tollgate: the database is damaged: relation "users" does not exist; restore a backup$/,
    place => place.change('drop table users cascade'),
  ],
  ['has lost its migrations', /the database has no users/, place => place.change('drop table migrations')],
]

test.each(damages)('a start is refused with one line when the database %s', async (_, line, damage) => {
  const place = await copyOf(initialised)
  await damage(place)
  expect(await startupErrorOf(['serve'], place)).toMatch(line)
})

test('a running site whose tables are emptied or whose database is read-only refuses the set-up', async () => {
  const place = await copyOf(initialised)
  const server = await startAt(place)
  const tries = async () => {
    const body = JSON.stringify({ username: 'thief', password: 'opensesame', confirmPassword: 'opensesame' })
    const response = await fetch(`${server.url}/api/setup`, { method: 'POST', body })
    return ((await response.json()) as { success: boolean }).success
  }
  await place.change('truncate users, setups cascade')
  expect(await tries()).toBe(false)
  await place.change(`alter database "${nameOf(place)}" set default_transaction_read_only = on`)
  expect(await tries()).toBe(false)
  expect(await place.read('select id from users')).toEqual([])
})

test('a site that knows of its set-up by its database alone refuses the set-up at a node with a new folder', async () => {
  const place = await copyOf(initialised)
  const elsewhere = {
    ...place,
    folder: join(place.folder, 'new'),
    env: { ...place.env, SECRET_KEY: await keyOf(place) },
  }
  const server = await startAt(elsewhere)
  const status = await (await fetch(`${server.url}/api/setup`)).json()
  expect(status).toMatchObject({ data: { status: true } })
  await setUpAt(server)
  expect(await place.read('select id from users')).toHaveLength(1)
})

const keyOf = async ({ folder }: Installation) => (await Bun.file(join(folder, 'secret.key')).text()).trim()
