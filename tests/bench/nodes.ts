/**
 * `bun run bench:nodes [--seconds=20] [--connections=8]`: what a call costs one and two nodes on PostgreSQL, and what it costs PostgreSQL:
 * processor, commits, rows, bytes of its log, waits for its disk. The size of an installation is computed from it.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { type Server, startServer } from '../support/app/server.ts'
import { bringPackages } from '../support/debian-packages.ts'
import { addMembers, sendWell } from '../support/people/member.ts'
import { startPostgres } from '../support/postgres/server.ts'
import { loaded } from './loaded.ts'
import { setUp, signIn, startUpstream, stopTargets } from './targets.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, connections: { type: 'string', default: '8' } },
})
const seconds = Number(values.seconds)
const connectionsOfUser = Number(values.connections)
/** As many for each node: a second node comes with as many calls again. */
const USERS_OF_NODE = 16
const MAX_NODES = 2
const IDLE_SECONDS = 20
const QUOTA = 1_000_000_000_000
const SECRET_KEY = 'one for all nodes'
/** As an operator has it: nothing that was committed is lost. */
const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=512MB', 'autovacuum=on']

const folder = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'))
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o711)
await bringPackages(['postgres'])
const postgres = await startPostgres(folder, durable)
const servers: Server[] = []
const program = join(folder, 'tollgate')
await postgres.create('bench')
const sql = new SQL(postgres.url('bench'), { max: 1 })

try {
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, ${seconds} s each\n`)
  await Bun.$`${process.execPath} src/build.ts ${program}`.quiet()
  await measureAll()
} finally {
  for (const server of servers) await server.stop('SIGKILL')
  await stopTargets()
  await sql.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measureAll() {
  const upstream = await startUpstream()
  await startNode()
  const { url } = servers[0]!
  await setUp(url, upstream.url)
  const keys = await keysOfUsers(url)
  process.stdout.write(`${(await idle()).join('\n')}\n`)
  const node_us: number[] = []
  const whole_us: number[] = []
  for (let count = 1; count <= MAX_NODES; count++) {
    if (servers.length < count) await startNode()
    const callers = keys.slice(0, USERS_OF_NODE * count)
    for (const stream of [false, true]) {
      await load(callers, stream, 3)
      const { lines, cpu_us, postgres_us } = await measure(callers, stream)
      if (!stream) {
        node_us.push(cpu_us)
        whole_us.push(cpu_us + postgres_us)
      }
      process.stdout.write(
        `${count} node${count > 1 ? 's' : ''}, ${stream ? 'streams of 200 chunks' : '1 KB responses'}: ${lines.join(', ')}\n`,
      )
    }
  }
  const [nodes, whole] = [node_us, whole_us].map(([one, two]) => (two! / one!).toFixed(2))
  process.stdout.write(`CPU per call of two nodes: ${nodes} of one node's (target 1.15), with PostgreSQL's ${whole}\n`)
}

async function startNode() {
  const home = join(folder, `node-${servers.length}`)
  mkdirSync(home)
  const env = { LOG_LEVEL: 'error', DATABASE_URL: postgres.url('bench'), SECRET_KEY }
  servers.push(await startServer({ folder: home, env, command: [program] }))
}

/** Each with quota and a key, so that calls do not all lock one row. */
async function keysOfUsers(url: string): Promise<string[]> {
  const read = async (query: string) => Array.from((await sql.unsafe(query)) as unknown[])
  const place = { read, change: async (statement: string) => void (await sql.unsafe(statement)) }
  const members = await addMembers(place, 'user', USERS_OF_NODE * MAX_NODES)
  const headers = await signIn(url)
  const keys: string[] = []
  for (const member of members) {
    await sendWell(url, { headers }, '/api/user/', { method: 'PUT', body: { id: member.id, quota_delta: QUOTA } })
    const { data } = await sendWell(url, member, '/api/token/', { body: { name: 'bench', unlimited_quota: true } })
    keys.push(`sk-${data.key}`)
  }
  return keys
}

function load(keys: string[], stream: boolean, seconds: number) {
  const loads = keys.map((key, index) =>
    loaded({
      ...{ key, stream, seconds, model: 'bench', connections: connectionsOfUser, requests: 1_000_000 },
      url: servers[index % servers.length]!.url,
    }),
  )
  return Promise.all(loads)
}

async function measure(keys: string[], stream: boolean) {
  const before = await counters()
  const results = await load(keys, stream, seconds)
  // The last bills.
  await Bun.sleep(1500)
  const after = await counters()
  const calls = results.reduce((sum, { requests }) => sum + requests, 0)
  const failed = results.reduce((sum, { failed }) => sum + failed, 0)
  const per = (name: keyof Counters) => (after[name] - before[name]) / calls
  const cpu_us = per('node_cpu') * 1e6
  const postgres_us = per('postgres_cpu') * 1e6
  const p99 = Math.max(...results.map(({ p99_ms }) => p99_ms))
  const lines = [
    `${Math.round(calls / seconds)} calls/s`,
    ...(failed ? [`${failed} FAILED`] : []),
    `p99 ${p99.toFixed(0)} ms`,
    `node ${cpu_us.toFixed(0)} µs`,
    `PostgreSQL ${postgres_us.toFixed(0)} µs`,
    `${(per('commits') * 1000).toFixed(0)} commits per 1,000 calls`,
    `${(per('syncs') * 1000).toFixed(0)} syncs per 1,000 calls`,
    `${per('rows').toFixed(1)} rows written`,
    `${Math.round(per('wal_bytes'))} bytes of log`,
    `${Math.round(per('size_bytes'))} bytes kept`,
  ]
  return { lines, cpu_us, postgres_us }
}

/** What a node costs that does nothing. */
async function idle(): Promise<string[]> {
  const before = await counters()
  await Bun.sleep(IDLE_SECONDS * 1000)
  const after = await counters()
  const per = (name: keyof Counters) => (after[name] - before[name]) / IDLE_SECONDS
  const [node, server] = [per('node_cpu'), per('postgres_cpu')].map(cpu => (cpu * 100).toFixed(1))
  return [`a node without calls: ${node} % of a core, PostgreSQL ${server} %, ${per('commits').toFixed(1)} commits/s`]
}

type Counters = Awaited<ReturnType<typeof counters>>

async function counters() {
  const [of] =
    await sql`select xact_commit, tup_inserted + tup_updated + tup_deleted as rows, pg_database_size(datname) as size
    from pg_stat_database where datname = 'bench'`
  const [wal] = await sql`select wal_bytes, wal_sync from pg_stat_wal`
  return {
    commits: Number(of.xact_commit),
    rows: Number(of.rows),
    size_bytes: Number(of.size),
    wal_bytes: Number(wal.wal_bytes),
    syncs: Number(wal.wal_sync),
    node_cpu: servers.reduce((sum, server) => sum + cpuOf(server.process.pid), 0),
    postgres_cpu: postgresCpu(),
  }
}

function fieldsOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
}

/** Processor seconds of a process and of its children that have ended. */
function cpuOf(pid: number | string): number {
  return (
    fieldsOf(pid)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  )
}

function postgresCpu(): number {
  const postmaster = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]!
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const family = pids.filter(pid => {
    try {
      return pid === postmaster || fieldsOf(pid)[1] === postmaster
    } catch {
      // It has just ended.
      return false
    }
  })
  return family.reduce((sum, pid) => sum + cpuOf(pid), 0)
}
