/** `bun run bench:changes [--rounds=200]`: from the answer to a change at one process until another one serves it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Server, startServer } from '../support/app/server.ts'
import { bringPackages } from '../support/debian-packages.ts'
import { startPostgres } from '../support/postgres/server.ts'
import { startRedis } from '../support/redis/server.ts'
import { setUp, signIn } from './targets.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })
const rounds = Number(values.rounds)
/** Of p50 and p99. */
const MARKS_MS = { with: [50, 250], without: [1200, 1200] } as const
const LOOK_MS = 2
const SECRET_KEY = 'one for both processes'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-changes-'))
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o711)
await bringPackages(['postgres', 'redis'])
const postgres = await startPostgres(folder)
const redis = await startRedis()
const servers: Server[] = []

try {
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, ${rounds} changes\n`)
  const met = [await measure('with', { REDIS_URL: redis.url }), await measure('without', {})]
  process.exitCode = met.every(Boolean) ? 0 : 1
} finally {
  for (const server of servers) await server.stop('SIGKILL')
  await redis.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** @returns whether the marks are met */
async function measure(redis: keyof typeof MARKS_MS, more: Record<string, string>): Promise<boolean> {
  await postgres.create(redis)
  const start = async (name: string) => {
    const home = join(folder, redis, name)
    mkdirSync(home, { recursive: true })
    const env = { LOG_LEVEL: 'error', DATA_DIR: home, DATABASE_URL: postgres.url(redis), SECRET_KEY, ...more }
    const server = await startServer({ folder: home, env })
    servers.push(server)
    return server.url
  }
  const first = await start('first')
  await setUp(first, 'http://127.0.0.1:9')
  const second = await start('second')
  const headers = await signIn(first)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    // At any moment of the second.
    await Bun.sleep(Math.random() * 300)
    const body = JSON.stringify({ key: 'SystemName', value: `Round ${round}` })
    await (await fetch(`${first}/api/option/`, { method: 'PUT', headers, body })).json()
    times.push(await untilNamed(second, `Round ${round}`))
  }
  times.sort((one, other) => one - other)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!
  const [p50, p99] = [at(0.5), at(0.99)]
  process.stdout.write(`${redis} Redis: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`)
  return p50 <= MARKS_MS[redis][0] && p99 <= MARKS_MS[redis][1]
}

async function untilNamed(url: string, name: string): Promise<number> {
  const begin = performance.now()
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/status`)).json()) as { data: { system_name: string } }
    if (data.system_name === name) return performance.now() - begin
    await Bun.sleep(LOOK_MS)
  }
}
