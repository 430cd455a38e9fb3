/**
 * `bun run bench:budgets [--rounds=6] [--seconds=4] [--against=FILE]`: what calls cost on PostgreSQL whose user, key and
 * channel have a budget each, beside calls without any, in turn and in one run, each process with a database of its own.
 * With the executable of an earlier build, what it costs there too. The least of the rounds is compared.
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
import { cores, setUp, signIn, startUpstream, stopTargets } from './targets.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    against: { type: 'string' },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const USERS = 16
const QUOTA = 1_000_000_000_000
const TICKS_PER_SECOND = 100
const parts = [
  { name: 'about 300 calls/s', connections: 1, pause_ms: 50 },
  { name: 'as many as go, 64 connections', connections: 4, pause_ms: undefined },
]

const folder = mkdtempSync(join(tmpdir(), 'tollgate-budgets-'))
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o711)
await bringPackages(['postgres'])
const postgres = await startPostgres(folder, ['fsync=on', 'synchronous_commit=on', 'shared_buffers=512MB'])
const now = join(folder, 'tollgate')

interface Site {
  name: string
  server: Server
  keys: string[]
  database: string
  sql: SQL
}

interface Round {
  site: string
  part: string
  node_us: number
  postgres_us: number
  commits: number
  p50_ms: number
  rate: number
}

const sites: Site[] = []

try {
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, ${rounds} rounds of ${seconds} s\n`)
  await Bun.$`${process.execPath} src/build.ts ${now}`.quiet()
  const upstream = await startUpstream()
  const programs = values.against ? { before: values.against, now } : { now }
  for (const [name, program] of Object.entries(programs))
    for (const budgets of [false, true]) sites.push(await siteOf(name, program, budgets, upstream.url))
  process.stdout.write(`${(await compare()).join('\n')}\n`)
} finally {
  for (const { server, sql } of sites) {
    await sql.close()
    await server.stop('SIGKILL')
  }
  await stopTargets()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(): Promise<string[]> {
  for (const site of sites) await measure(site, parts[1]!, 2)
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++)
    for (const part of parts)
      for (const site of round % 2 ? sites.toReversed() : sites) measured.push(await measure(site, part, seconds))
  const least = (site: Site, part: string, figure: Exclude<keyof Round, 'site' | 'part'>) =>
    Math.min(...measured.filter(one => one.site === site.name && one.part === part).map(one => one[figure]))
  return parts.flatMap(({ name }) => [
    `${name}: least of the rounds, CPU of the node and of PostgreSQL, µs a call; commits per 1,000 calls; p50, ms`,
    ...sites.map(site => {
      const [node, database] = [least(site, name, 'node_us'), least(site, name, 'postgres_us')]
      const rest = [least(site, name, 'commits').toFixed(0), least(site, name, 'p50_ms').toFixed(1)]
      return `  ${site.name}: ${node.toFixed(0)}, ${database.toFixed(0)}; ${rest.join('; ')}`
    }),
  ])
}

/** Users with a key each. */
async function siteOf(name: string, program: string, budgets: boolean, upstream: string): Promise<Site> {
  const database = `${name}_${budgets ? 'budgets' : 'plain'}`
  await postgres.create(database)
  const home = join(folder, database)
  mkdirSync(home)
  const env = { LOG_LEVEL: 'error', DATABASE_URL: postgres.url(database), SECRET_KEY: 'one for the bench' }
  const server = await startServer({ folder: home, env, command: [...cores.measured, program] })
  const sql = new SQL(postgres.url(database), { max: 1 })
  await setUp(server.url, upstream)
  const read = async (query: string) => Array.from((await sql.unsafe(query)) as unknown[])
  const place = { read, change: async (statement: string) => void (await sql.unsafe(statement)) }
  const root = { headers: await signIn(server.url) }
  const budget = (owner: string, owner_id: number) =>
    sendWell(server.url, root, '/api/budget/', {
      body: { owner, owner_id, name: owner, unit: 'quota', amount: QUOTA, window: 'month', zone: 'UTC' },
    })
  const keys: string[] = []
  for (const member of await addMembers(place, 'user', USERS)) {
    await sendWell(server.url, root, '/api/user/', { method: 'PUT', body: { id: member.id, quota_delta: QUOTA } })
    const { data } = await sendWell(server.url, member, '/api/token/', { body: { name: 'one', unlimited_quota: true } })
    keys.push(`sk-${data.key}`)
    if (budgets) await budget('user', member.id)
  }
  if (budgets) {
    for (const { id } of (await read('select id from tokens')) as { id: string }[]) await budget('token', Number(id))
    for (const { id } of (await read('select id from channels')) as { id: string }[])
      await budget('channel', Number(id))
  }
  return { name: `${name}${budgets ? ', three budgets' : ''}`, server, keys, database, sql }
}

async function measure(site: Site, { name, ...part }: (typeof parts)[number], seconds: number): Promise<Round> {
  const before = await figures(site)
  const load = { url: site.server.url, model: 'bench', stream: false, requests: 1_000_000, seconds, ...part }
  const results = await Promise.all(site.keys.map(key => loaded({ ...load, key })))
  const after = await figures(site)
  const calls = results.reduce((sum, { requests }) => sum + requests, 0)
  const failed = results.reduce((sum, { failed }) => sum + failed, 0)
  if (failed) throw new Error(`${failed} calls of ${site.name} failed: ${results.find(one => one.failure)?.failure}`)
  const per = (figure: keyof typeof before) => (after[figure] - before[figure]) / calls
  return {
    ...{ site: site.name, part: name, rate: calls / seconds },
    ...{ node_us: per('node') * 1e6, postgres_us: per('postgres') * 1e6, commits: per('commits') * 1000 },
    p50_ms: results.reduce((sum, { p50_ms }) => sum + p50_ms / results.length, 0),
  }
}

async function figures({ server, database, sql }: Site) {
  // What a session has committed is counted when it is idle for a while.
  await Bun.sleep(1200)
  const [row] = await sql.unsafe(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  )
  return { commits: Number(row.commits), node: cpuOf(server.process.pid), postgres: sessionsCpu(database) }
}

/** Processor seconds. */
function cpuOf(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function sessionsCpu(database: string): number {
  let sum = 0
  for (const pid of readdirSync('/proc')) {
    try {
      const title = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : ''
      if (title.startsWith(`postgres: tollgate ${database} `)) sum += cpuOf(pid)
    } catch {
      // It has just ended.
    }
  }
  return sum
}
