// @engine sqlite
// @waits
/**
 * kill -9 under 300 calls a second, and the folder with it: what comes back from the backup has lost at most 10 s of calls.
 * `TIME_MACHINE_KILLS=2` for a look. `TIME_MACHINE_REPORT=1` prints the losses and the load.
 */
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { newInstallation, startAt } from '../support/app/installation.ts'
import { newFolder, run } from '../support/app/server.ts'
import { NumberedCalls } from '../support/cluster/numbered-calls.ts'
import { seededRandom } from '../support/random.ts'
import { until } from '../support/until.ts'

const KILLS = Number(process.env.TIME_MACHINE_KILLS ?? 50)
const CALLS_PER_SECOND = 300
const LOST_SECONDS_MAX = 10
const WORK_MS = { least: 2000, more: 4000 }
const TICK_MS = 20
/** Each group has as long as any test. */
const AT_A_TIME = 5
const random = seededRandom(Number(process.env.TIME_MACHINE_SEED ?? 1))

const figures: object[] = []
afterAll(() => process.env.TIME_MACHINE_REPORT && process.stderr.write(`${JSON.stringify(figures)}\n`))

const METRICS_TOKEN = 'metrics-of-backups'
const key = join(newFolder(), 'secret.key')
const place = await newInstallation()
const env = { BACKUP_URL: newFolder(), BACKUP_PASSPHRASE: 'correct horse battery', METRICS_TOKEN }
let server = await startAt({ ...place, env })
const calls = await NumberedCalls.at(place, server.url)
copyFileSync(join(place.folder, 'secret.key'), key)

/** Times of the calls whose callers had all of the answer, in milliseconds. */
const answered = new Map<number, number>()

async function callsUntilKill() {
  const open: Promise<unknown>[] = []
  const begin = performance.now()
  const end_ms = WORK_MS.least + random(WORK_MS.more)
  for (let made = 0; performance.now() - begin < end_ms; ) {
    const due = ((performance.now() - begin) / 1000) * CALLS_PER_SECOND
    for (; made < due; made++) open.push(calls.call(server.url).then(noteAnswers))
    await Bun.sleep(TICK_MS)
  }
  const rate = open.length / ((performance.now() - begin) / 1000)
  await server.stop('SIGKILL')
  const killed_ms = performance.now()
  rmSync(place.folder, { recursive: true })
  await Promise.all(open)
  return { killed_ms, rate }
}

function noteAnswers() {
  for (const id of calls.whole) if (!answered.has(id)) answered.set(id, performance.now())
}

async function hasShipped() {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
  return /^tollgate_backup_age_seconds /m.test(text)
}

const firsts = Array.from({ length: Math.ceil(KILLS / AT_A_TIME) }, (_, group) => group * AT_A_TIME)

test.each(firsts)('kill %i of a machine under calls and those after it lose at most 10 s of calls', async first => {
  for (let kill = first; kill < Math.min(KILLS, first + AT_A_TIME); kill++) {
    await until(hasShipped)
    const { killed_ms, rate } = await callsUntilKill()
    mkdirSync(place.folder)
    copyFileSync(key, join(place.folder, 'secret.key'))
    const { code, out, err } = await run(['restore'], { ...place, env })
    expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('audit: clean') })
    const rows = (await place.read('select prompt_tokens as id from logs where type = 2')) as { id: number }[]
    const billed = new Set(rows.map(({ id }) => id))
    const lost = [...answered].filter(([id]) => !billed.has(id))
    const lost_seconds = Math.max(0, ...lost.map(([, at]) => (killed_ms - at) / 1000))
    expect(lost_seconds).toBeLessThanOrEqual(LOST_SECONDS_MAX)
    figures.push({ kill, rate: Math.round(rate), lost: lost.length, lost_seconds, load: loadavg()[0] })
    for (const [id] of lost) {
      answered.delete(id)
      calls.whole.delete(id)
    }
    server = await startAt({ ...place, env })
  }
})
