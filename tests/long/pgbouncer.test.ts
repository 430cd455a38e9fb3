// @engine postgres
/** Two nodes behind PgBouncer in transaction mode, by its file of docs/deploy: calls, changes, leases and commands. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Installation,
  newInstallation,
  setUpAt,
  signInAt,
  startAt,
  startupErrorOf,
} from '../support/app/installation.ts'
import { newFolder, run, type Server } from '../support/app/server.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { bringPackages, serverProgram } from '../support/debian-packages.ts'
import { freePort } from '../support/deploy/rolled-nodes.ts'
import { type Member, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const CALLS = 400
const AT_ONCE = 40
const BRING_MS = 300_000
const NOBODY = 65534

const upstream = await fakeUpstream()
upstream.scripts(MODEL, chat())
let direct: Installation
let pooled: Installation
let pooler: Bun.Subprocess
let root: Pick<Member, 'headers'>
const nodes: Server[] = []

/** The file as it is, with this machine's addresses and without a password. */
async function startPooler(database: URL): Promise<number> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const text = readFileSync('docs/deploy/pgbouncer/pgbouncer.ini', 'utf8')
    .replace(
      /^tollgate = .*$/m,
      `${database.pathname.slice(1)} = host=127.0.0.1 port=${database.port} user=${database.username}`,
    )
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('auth_type = scram-sha-256', 'auth_type = any')
    .replace(/^auth_file = .*$/m, '')
    // Fewer than the nodes would open by themselves: transactions change connections.
    .replace('default_pool_size = 20', 'default_pool_size = 4')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, text)
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY)
  chmodSync(folder, 0o755)
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  pooler = Bun.spawn([...as, serverProgram('pgbouncer'), '-q', file], { stdout: 'ignore', stderr: 'ignore' })
  return port
}

beforeAll(async () => {
  await bringPackages(['pgbouncer'])
  direct = await newInstallation()
  const url = new URL(direct.env.DATABASE_URL!)
  const port = await startPooler(url)
  url.port = String(port)
  const env = { DATABASE_URL: url.href, DB_PREPARE: 'false', SECRET_KEY: 'the key of one installation' }
  pooled = { ...direct, env }
  await until(async () => (await run(['migrate'], pooled)).code === 0, 'a migration through PgBouncer')
  for (let count = 0; count < 2; count++) nodes.push(await startAt({ ...pooled, folder: newFolder() }))
  await setUpAt(nodes[0]!)
  root = await signInAt(nodes[0]!)
  const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
  await sendWell(nodes[0]!.url, root, '/api/channel/', { body: channel })
}, BRING_MS)

afterAll(() => {
  upstream.stop()
  pooler?.kill()
})

test('calls at two nodes through PgBouncer are all served and billed once', async () => {
  const { data } = await sendWell(nodes[0]!.url, root, '/api/token/', { body: { name: 'key', unlimited_quota: true } })
  const statuses = new Map<number, number>()
  let begun = 0
  const caller = async () => {
    while (begun < CALLS) {
      const { url } = nodes[begun++ % 2]!
      const response = await fetch(`${url}/v1/chat/completions`, {
        ...{ method: 'POST', headers: { authorization: `Bearer sk-${data.key}` } },
        body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 }),
      })
      await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
  expect([...statuses.keys()]).toEqual([200])
  const entries = async () => {
    const [row] = (await direct.read('select count(*)::int as calls from logs where type = 2')) as { calls: number }[]
    return row!.calls
  }
  await until(async () => (await entries()) === statuses.get(200), 'all log entries')
  expect(await direct.read('select request_id from reservations')).toEqual([])
  await checkInvariants(direct)
})

test('a change through PgBouncer reaches the other node', async () => {
  const body = { key: 'SystemName', value: 'Pooled' }
  await sendWell(nodes[0]!.url, root, '/api/option/', { method: 'PUT', body })
  await until(async () => {
    const response = await fetch(`${nodes[1]!.url}/api/status`)
    return ((await response.json()) as { data: { system_name: string } }).data.system_name === 'Pooled'
  }, 'the new name')
})

test('commands work through PgBouncer, and rotate-key refuses while nodes run and seals anew when they have stopped', async () => {
  expect(await run(['audit', '--bills'], pooled)).toMatchObject({
    code: 0,
    out: expect.stringContaining('audit: clean'),
  })
  expect(await run(['migrate', '--check'], pooled)).toMatchObject({ code: 0 })
  const rotation = { ...pooled, env: { ...pooled.env, NEW_SECRET_KEY: 'the next key of the installation' } }
  expect(await startupErrorOf(['rotate-key'], rotation)).toContain('a Tollgate is running on this database')
  for (const node of nodes) expect(await node.stop()).toBe(0)
  expect(await run(['rotate-key'], rotation)).toMatchObject({ code: 0 })
  const { NEW_SECRET_KEY } = rotation.env
  const server = await startAt({ ...pooled, env: { ...pooled.env, SECRET_KEY: NEW_SECRET_KEY } })
  expect((await signInAt(server)).success).toBe(true)
})
