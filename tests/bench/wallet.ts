/**
 * `bun run bench:wallet [--calls=5000] [--running=200] [--users=50]`: reservations and bills alone, on PostgreSQL:
 * commits, round trips and processor of a call.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bringPackages } from '../support/debian-packages.ts'
import { startPostgres } from '../support/postgres/server.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '5000' },
    running: { type: 'string', default: '200' },
    users: { type: 'string', default: '50' },
  },
})
const [calls, running, users] = [Number(values.calls), Number(values.running), Number(values.users)]
/** Of an answer, without that of the database: half of it to one and a half. */
const ANSWER_MS = 50
const HELD = 5000
const COST = 700
const TICKS_PER_SECOND = 100

const folder = mkdtempSync(join(tmpdir(), 'tollgate-wallet-'))
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o711)
await bringPackages(['postgres'])
const postgres = await startPostgres(folder, ['synchronous_commit=on'])
await postgres.create('wallet')
Object.assign(process.env, {
  LOG_LEVEL: 'error',
  DATA_DIR: folder,
  DATABASE_URL: postgres.url('wallet'),
  SECRET_KEY: 'one for the bench',
})

const database = await import('../../src/db/database.ts')
await database.openDatabase()
const { migrate } = await import('../../src/db/migrate.ts')
await migrate()
const { reserve, settle, startWallet } = await import('../../src/domain/wallet/index.ts')
const { usageOf } = await import('../../src/billing/usage.ts')
const sql = database.postgres!
await startWallet()
await sql.unsafe(`insert into users (username, quota, created_time, setting)
  select 'user-' || n, 1000000000000, 0, '' from generate_series(1, ${users}) n`)
await sql.unsafe(`insert into channels (name, key_sealed, setting, created_time) values ('one', '', '', 0)`)

try {
  await run(500)
  for (const at of [1, running]) await measure(at)
} finally {
  await database.closeDatabase()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(at_once: number) {
  const count = at_once === 1 ? Math.min(300, calls) : calls
  const before = await figures()
  const start = performance.now()
  const waits = await run(count, at_once)
  const seconds = (performance.now() - start) / 1000
  const after = await figures()
  const per = (figure: keyof typeof before) => (after[figure] - before[figure]) / count
  waits.sort((one, other) => one - other)
  const quantile = (part: number) => waits[Math.floor((waits.length - 1) * part)]!.toFixed(1)
  process.stdout.write(
    `${at_once} at once: ${(count / seconds).toFixed(0)} calls/s, ${(per('commits') * 1000).toFixed(0)} commits per 1,000 calls, ` +
      `processor ${(per('own') * 1e6).toFixed(0)} us here and ${(per('server') * 1e6).toFixed(0)} us at PostgreSQL a call, ` +
      `reserve p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms\n`,
  )
}

/** @returns milliseconds of each reservation */
async function run(count: number, at_once = running): Promise<number[]> {
  const waits: number[] = []
  let left = count
  const caller = async () => {
    while (left-- > 0) {
      const start = performance.now()
      const user_id = 1 + Math.floor(Math.random() * users)
      const asked = {
        request_id: crypto.randomUUID(),
        user_id,
        token_id: 0,
        unlimited: true,
        model: 'gpt-4o',
        quota: HELD,
      }
      const reservation = await reserve(asked)
      waits.push(performance.now() - start)
      if (at_once > 1) await Bun.sleep(ANSWER_MS * (0.5 + Math.random()))
      const usage = usageOf({ input: 100, output: 50 })
      await settle(reservation, {
        ...{ quota: COST, usage, model: 'gpt-4o', group: 'default', channel_id: 1, log: undefined },
      })
    }
  }
  await Promise.all(Array.from({ length: at_once }, caller))
  return waits
}

async function figures() {
  // What a session has committed is counted when it is idle for a while.
  await Bun.sleep(1200)
  const [row] = await sql.unsafe(
    `select xact_commit::int as commits from pg_stat_database where datname = current_database()`,
  )
  const { user, system } = process.cpuUsage()
  return { commits: row.commits as number, own: (user + system) / 1e6, server: serverSeconds() }
}

/** Of the sessions of this process. */
function serverSeconds(): number {
  const processes = Array.from(new Bun.Glob('[0-9]*/cmdline').scanSync('/proc'))
  return processes.reduce((sum, path) => {
    try {
      if (!readFileSync(`/proc/${path}`, 'latin1').startsWith('postgres: tollgate wallet')) return sum
      const fields = readFileSync(`/proc/${path.replace('cmdline', 'stat')}`, 'latin1')
        .split(') ')[1]!
        .split(' ')
      return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    } catch {
      return sum
    }
  }, 0)
}
process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}\n`)
