// @engine postgres
/** `tollgate move` and dumps from one engine to the other and back, with a busy demo and hostile rows. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { backedUp, manifestIn, rowsIn } from '../support/app/dumps.ts'
import {
  type Installation,
  newInstallation,
  outputMatching,
  setUpAt,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { newFolder, program, run } from '../support/app/server.ts'
import { until } from '../support/until.ts'

type Place = Pick<Installation, 'folder' | 'env'>

/** The same data folder on its SQLite file. */
const onSqlite = ({ folder }: Place): Place => ({ folder, env: { LOG_LEVEL: 'warn' } })
const inFile = <Row>({ folder }: Place, statement: string): Row[] => {
  const database = new Database(join(folder, 'tollgate.db'))
  database.run('PRAGMA busy_timeout = 5000')
  const rows = database.query<Row, []>(statement).all()
  database.close()
  return rows
}

/** Random people, calls, tasks and codes: a demo with its traffic, dumped while it runs. */
async function busyDump() {
  const place = await newInstallation()
  const env = { TMPDIR: place.folder, DATABASE_URL: '' }
  const server = await startAt({ ...place, env }, { args: ['demo'], env })
  const [, username = '', password = ''] = await outputMatching(server, /Sign in as (\S+) \/ (\S+)/)
  const name = readdirSync(place.folder).find(entry => existsSync(join(place.folder, entry, 'tollgate.db')))!
  const demo = { folder: join(place.folder, name), env: {} }
  const { headers } = await signInAt(server, { username, password })
  const answer = await fetch(`${server.url}/api/token/`, { headers })
  const { data } = (await answer.json()) as { data: { key: string; status: number }[] }
  const file = await backedUp(demo)
  const keep = newFolder()
  copyFileSync(join(demo.folder, 'secret.key'), join(keep, 'secret.key'))
  await server.stop()
  return { file, secret: join(keep, 'secret.key'), username, password, keys: data.map(({ key }) => key) }
}

async function placeWith(secret: string): Promise<Installation> {
  const place = await newInstallation()
  copyFileSync(secret, join(place.folder, 'secret.key'))
  return place
}

test('a busy installation goes from SQLite to PostgreSQL and back: rows, audit, sign-in and keys are the same', async () => {
  const { file, secret, username, password, keys } = await busyDump()
  const other = await placeWith(secret)
  const onPostgres = await run(['restore', file], other)
  expect(onPostgres).toMatchObject({ code: 0, out: expect.stringContaining('\naudit: clean (') })
  const second = await backedUp(other)
  expect(await rowsIn(second)).toEqual(await rowsIn(file))

  const back = onSqlite(await placeWith(secret))
  expect(await run(['restore', second], back)).toEqual(onPostgres)
  const [first, third] = [await manifestIn(file), await manifestIn(await backedUp(back))]
  expect(third).toEqual({ ...first, created_time: third.created_time })

  const server = await startAt(other)
  expect((await signInAt(server, { username, password })).success).toBe(true)
  const works = await Promise.all(
    keys.map(async key => {
      const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'no-such-model', messages: [{ role: 'user', content: 'x' }] })
      const call = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
      return ((await call.json()) as { error: { code: string } }).error.code
    }),
  )
  expect(works).toContain('model_not_found')
})

const LOGS = 30_000

/** An empty database of PostgreSQL, and a folder whose SQLite file is set up. */
async function setUpPlace() {
  const place = await newInstallation()
  const source = onSqlite(place)
  const server = await startAt(source)
  await setUpAt(server)
  await server.stop()
  return { place, source }
}

/** An administrator, many log entries, and rows that are hard to carry. */
async function hardPlace() {
  const { place, source } = await setUpPlace()
  inFile(
    source,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LOGS})
    insert into logs (user_id, created_at, type, content, request_id, is_stream)
    select 1, 1700000000 + i, 4, 'entry ' || i, hex(randomblob(12)), i % 2 from n`,
  )
  inFile(
    source,
    `insert into stored_items values (9007199254740993, 'a', -9223372036854775807), (-1, 'a' || char(0) || '\\' || char(0), 2)`,
  )
  inFile(
    source,
    `insert into channels (name, key_sealed, balance, created_time)
    values ('"\\u0000'' ' || char(10) || '\u{1f600}', '', 0.1 + 0.2, 1), (x'41' || cast(x'ff42' as text), '', 1e-7, 1)`,
  )
  return { place, source }
}

test('a move that was killed goes on, ends with equal sums, and comes back; nothing uses it before its end', async () => {
  const { place, source } = await hardPlace()
  const address = place.env.DATABASE_URL!
  const command = ['move', '--to', address]
  const child = Bun.spawn([...program, ...command], {
    env: { PATH: process.env.PATH, DATA_DIR: place.folder },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const copied = async () => Number(((await place.read('select count(*) as n from logs')) as { n: string }[])[0]!.n)
  await until(async () => (await copied().catch(() => 0)) > 0)
  child.kill('SIGKILL')
  await child.exited
  expect(await new Response(child.stdout).text()).not.toContain('moved')
  const unfinished = 'a move into this database has not ended; run tollgate move once more'
  for (const refused of [['serve'], ['audit'], ['migrate']])
    expect(await startupErrorOf(refused, place)).toBe(`tollgate: ${unfinished}`)
  const [already] = [await copied()]

  const { code, out, err } = await run(command, source)
  expect([code, err]).toEqual([0, ''])
  expect(out).not.toContain('users: ')
  expect(out).toContain(`logs: ${LOGS - already} rows\n`)
  expect(out).toContain('2 NUL characters, which PostgreSQL cannot store, became \ufffd\n')
  expect(out).toContain(
    'counts and sums are equal: balances 100000000, ledger 100000000, usage 0\naudit: clean (1 users',
  )
  expect(out.trimEnd().split('\n').at(-1)).toContain(`The old database ${place.folder}/tollgate.db is unchanged`)
  expect(
    await place.read('select id_hash::text, response_hash, tokens::text from stored_items order by id_hash'),
  ).toEqual([
    { id_hash: '-1', response_hash: 'a\ufffd\\\ufffd', tokens: '2' },
    { id_hash: '9007199254740993', response_hash: 'a', tokens: '-9223372036854775807' },
  ])
  expect(
    await place.read(
      "select to_regclass('postponed_indexes')::text as t, count(*)::int as n from pg_indexes where tablename = 'logs'",
    ),
  ).toEqual([
    {
      t: null,
      n: inFile(source, "select name from sqlite_schema where type = 'index' and tbl_name = 'logs'").length + 1,
    },
  ])

  const target = `file:${join(newFolder(), 'new', 'tollgate.db')}`
  const back = await run(['move', '--to', target], place)
  expect(back).toMatchObject({ code: 0, err: '', out: expect.stringContaining('audit: clean (1 users') })
  const returned = { folder: place.folder, env: { DATABASE_URL: target } }
  const [here, there] = [await rowsIn(await backedUp(source)), await rowsIn(await backedUp(returned))]
  expect({ ...there, stored_items: [] }).toEqual({ ...here, stored_items: [] })
  expect((await signInAt(await startAt(returned))).success).toBe(true)
})

test('a move begins anew when its source was used after the first run', async () => {
  const { place, source } = await setUpPlace()
  const command = ['move', '--to', place.env.DATABASE_URL!]
  expect((await run(command, source)).code).toBe(0)
  await place.change("insert into migrations (name, applied_at) values ('unfinished move of others', 1)")
  await place.change("insert into options (key, value) values ('Stale', '1')")
  expect((await run(command, source)).code).toBe(0)
  expect(await place.read("select key from options where key = 'Stale'")).toEqual([])
})

test('a move is refused with one line: target in use, unreachable or the same, source empty or served', async () => {
  const place = await newInstallation()
  const source = onSqlite(place)
  const address = place.env.DATABASE_URL!
  const refusal = (args: string[], of: Place = source) => startupErrorOf(['move', ...args], of)
  expect(await refusal(['--to', address])).toContain('there is no database')
  const server = await startAt(source)
  await setUpAt(server)
  expect(await refusal(['--to', address])).toContain('another Tollgate is already running on the data folder')
  await server.stop()
  expect(await refusal([])).toStartWith('tollgate: usage: tollgate move --to ')
  expect(await refusal(['--to', 'postgres://a b:c'])).toStartWith('tollgate: usage: tollgate move --to ')
  expect(await refusal(['--to', 'mysql://x'])).toStartWith('tollgate: usage: tollgate move --to ')
  expect(await refusal(['--to', `file:${place.folder}/tollgate.db`])).toContain('in use already')
  copyFileSync(join(place.folder, 'tollgate.db'), join(place.folder, 'copy.db'))
  expect(await refusal(['--to', `file:${place.folder}/secret.key`])).toContain('file is not a database')
  expect(await refusal(['--to', `file:${place.folder}/copy.db`])).toContain('exists already; a move makes a new file')
  const unreachable = await refusal(['--to', 'postgres://me:hidden@127.0.0.1:1/none'])
  expect(unreachable).toStartWith('tollgate: cannot reach postgres://127.0.0.1:1/none: ')
  const node = await startAt({ folder: newFolder(), env: place.env })
  expect(await refusal(['--to', address])).toContain('stop it first')
  await setUpAt(node)
  expect(await refusal(['--to', `file:${newFolder()}/x.db`], place)).toContain('stop it first')
  await node.stop()
  expect(await refusal(['--to', address])).toContain('has users already; a move needs an empty database')
})
