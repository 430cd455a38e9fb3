/**
 * `bun run bench:logs [--rows=10000000] [--days=90] [--engine=postgres] [--folder=/tmp/x] [--keep] [--only=calls]`: the
 * usage log with ten million entries. Measures what an entry costs to write, the start, the lists and totals alone and while calls run,
 * pages of calls, a clearing, and the CSV of a million entries. A folder that was kept is measured again without filling it.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN_CALLS_PATH } from '../../src/contracts/call-record.ts'
import { now } from '../../src/process/clock.ts'
import { requestIdOf } from '../support/people/many-calls.ts'
import { type Case, casesAt } from './logs/cases.ts'
import { makeSite } from './logs/site.ts'
import { cores, processorSeconds, startUpstream, stopTargets } from './targets.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '90' },
    engine: { type: 'string', default: 'sqlite' },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite'
const rows = Number(values.rows)
const days = Number(values.days)
const DAY_SECONDS = 86_400
const REQUESTS = 40
/** Connections of calls at full speed. */
const CONNECTIONS = 32
const LINE_FEED = 10
/** Lines of the CSV from which on memory has to be flat. */
const EARLY_LINES = 100_000
/** Between one call and the next while the log is cleared. */
const CALL_PAUSE_MS = 5
const DELAY_MAX_MS = 50
const CALL_PAGES = 1000
/** Less than records are kept. */
const CALL_DAYS = 13
const GROWTH_MAX_MB = 64
const INSERT_RATIO_MAX = 1.3
const INSERT_TURNS = 3
const START_MAX_SECONDS = 2

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'tollgate-logs-'))
const isFilled = existsSync(join(folder, 'data'))
const upstream = await startUpstream()
const site = await makeSite(folder, { engine, isNew: !isFilled, upstream: upstream.url })
const misses: string[] = []

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end().finally(() => process.exit(130)))

try {
  print(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, ${engine}, ${rows} entries of ${days} days\n`)
  await site.start()
  await site.stop()
  if (!isFilled) await child('tests/bench/logs/generate.ts', [String(rows), String(days)])
  if (values.only !== 'calls') await inserts()
  const seconds = await site.start()
  mark('start', `${seconds.toFixed(2)} s`, seconds <= START_MAX_SECONDS)
  await callPages()
  if (values.only !== 'calls') {
    await lists()
    await exportMillion()
    await clearMillion()
  }
  print(misses.length ? `\nmissed: ${misses.join(', ')}\n` : '\nevery mark is met\n')
  process.exitCode = misses.length ? 1 : 0
} finally {
  await end()
}

async function end() {
  await site.end(values.keep)
  await stopTargets()
}

function print(text: string) {
  process.stdout.write(text)
}

function mark(name: string, value: string, met: boolean) {
  if (!met) misses.push(name)
  print(`${met ? 'ok  ' : 'MISS'} ${name.padEnd(40)} ${value}\n`)
}

async function child(file: string, args: string[], env = site.env): Promise<string> {
  const run = Bun.spawn([process.execPath, file, ...args], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(run.stdout).text()
  if ((await run.exited) !== 0) throw new Error(`${file} failed`)
  return text
}

/** In turns with an empty log: the machine is shared. */
async function inserts() {
  const empty = await site.emptyLog()
  await child('tests/bench/logs/generate.ts', ['0', '1'], empty)
  const least = { empty: { one_ms: Infinity, many_ms: Infinity }, full: { one_ms: Infinity, many_ms: Infinity } }
  for (let turn = 0; turn < INSERT_TURNS; turn++) {
    for (const [log, env] of [
      ['empty', empty],
      ['full', site.env],
    ] as const) {
      const { one_ms, many_ms } = JSON.parse(await child('tests/bench/logs/insert.ts', [], env))
      least[log] = { one_ms: Math.min(least[log].one_ms, one_ms), many_ms: Math.min(least[log].many_ms, many_ms) }
    }
  }
  for (const [name, key] of [
    ['write one entry', 'one_ms'],
    ['write 64 entries', 'many_ms'],
  ] as const) {
    const ratio = least.full[key] / least.empty[key]
    mark(name, `${least.full[key].toFixed(2)} ms, ${ratio.toFixed(2)} × empty`, ratio <= INSERT_RATIO_MAX)
  }
}

/** Each request alone, and while calls run at full speed. */
async function lists() {
  const cases = casesAt(now())
  const alone = await measure(cases)
  const load = loadOf(CONNECTIONS, 600)
  await Bun.sleep(1000)
  const loaded = await measure(cases)
  load.kill()
  await load.exited
  cases.forEach(({ name, limit_ms }, index) => {
    const [quiet, busy] = [alone[index]!, loaded[index]!]
    mark(
      name,
      `p95 ${quiet.p95_ms.toFixed(1)} ms alone (processor ${quiet.processor_ms.toFixed(1)}), ${busy.p95_ms.toFixed(1)} ms while calls run (≤ ${limit_ms})`,
      quiet.p95_ms <= limit_ms,
    )
  })
}

/** Pages of calls of the last days, each opened once: nothing of it has been read before. */
async function callPages() {
  const times: number[] = []
  const step = Math.max(1, Math.floor((rows / days) * (CALL_DAYS / CALL_PAGES)))
  const used = processorSeconds(site.pid())
  for (let page = 0; page < CALL_PAGES; page++) {
    const request_id = requestIdOf(rows - 1 - page * step)
    const start = performance.now()
    const response = await site.fetch(`${ADMIN_CALLS_PATH}/${request_id}`)
    const html = await response.text()
    // Every eighth entry or so is no call.
    if (response.status === 404) continue
    if (!html.includes(request_id)) throw new Error(`${request_id}: ${response.status}`)
    times.push(performance.now() - start)
  }
  const processor_ms = ((processorSeconds(site.pid()) - used) * 1000) / CALL_PAGES
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const text = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (processor ${processor_ms.toFixed(1)}), ${times.length} calls`
  mark('page of a call', text, p99 <= DELAY_MAX_MS)
}

interface Measured {
  p95_ms: number
  /** Of the server, on average: neighbours on the machine do not change it. */
  processor_ms: number
}

async function measure(cases: Case[]): Promise<Measured[]> {
  const found: Measured[] = []
  for (const { path } of cases) found.push(await timed(path))
  return found
}

async function timed(path: string): Promise<Measured> {
  const times: number[] = []
  const used = processorSeconds(site.pid())
  for (let request = 0; request < REQUESTS; request++) {
    const start = performance.now()
    const response = await site.fetch(path)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    times.push(performance.now() - start)
  }
  const processor_ms = ((processorSeconds(site.pid()) - used) * 1000) / REQUESTS
  return { p95_ms: percentile(times, 0.95), processor_ms }
}

function percentile(times: number[], share: number): number {
  return times.sort((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))]!
}

function loadOf(connections: number, seconds: number) {
  const load = { url: site.url(), key: site.key(), model: 'bench', stream: false, connections, seconds, requests: 1e9 }
  return Bun.spawn([...cores.rest, process.execPath, 'tests/bench/load.ts', JSON.stringify(load)], { stdout: 'ignore' })
}

/** The newest million entries as CSV, read as fast as they come. */
async function exportMillion() {
  const days = (Number(values.days) * Math.min(rows, 1_000_000)) / rows
  const stamp = (at: number) => new Date(at * 1000).toISOString().slice(0, 16)
  const range = `range=custom&from=${stamp(now() - days * DAY_SECONDS)}&to=${stamp(now() + 3600)}`
  let lines = 0
  let [early, late] = [0, 0]
  const start = performance.now()
  const response = await site.fetch(`/app/logs/api-usage/export.csv?${range}`)
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (const byte of piece) if (byte === LINE_FEED) lines++
    if (lines < EARLY_LINES) early = Math.max(early, site.resident_mb())
    else late = Math.max(late, site.resident_mb())
  }
  const seconds = (performance.now() - start) / 1000
  const text = `${lines} lines in ${seconds.toFixed(1)} s, at most ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB later`
  mark('CSV', text, late - early <= GROWTH_MAX_MB)
}

/** One call after another while the oldest million entries are deleted. */
async function clearMillion() {
  const usual = await callTimes(() => false, 10_000)
  const share = Math.min(rows, 1_000_000) / rows
  const before = Math.floor(now() - days * DAY_SECONDS * (1 - share))
  const start = performance.now()
  const cleared = site.fetch(`/api/log/?target_timestamp=${before}`, { method: 'DELETE' })
  let isDone = false
  const poll = (async () => {
    await cleared
    while ((await (await site.fetch('/app/logs/api-usage')).text()).includes('every 2s')) await Bun.sleep(2000)
    isDone = true
  })()
  const during = await callTimes(() => isDone, 3_600_000)
  await poll
  const { data } = (await (await cleared).json()) as { data: number }
  const [normal, worst] = [percentile(usual, 0.5), Math.max(...during)]
  const text = `${data} entries in ${((performance.now() - start) / 1000).toFixed(0)} s; calls: p50 ${percentile(during, 0.5).toFixed(1)} ms, p99 ${percentile(during, 0.99).toFixed(1)} ms, worst ${worst.toFixed(1)} ms; before: p50 ${normal.toFixed(1)} ms, worst ${Math.max(...usual).toFixed(1)} ms`
  mark('clearing a million', text, worst - Math.max(...usual) <= DELAY_MAX_MS)
}

/** ms of each call, until it is over or the time is up. */
async function callTimes(isOver: () => boolean, most_ms: number): Promise<number[]> {
  const times: number[] = []
  const begin = performance.now()
  while (!isOver() && performance.now() - begin < most_ms) {
    const start = performance.now()
    const response = await fetch(`${site.url()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.key()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.arrayBuffer()
    times.push(performance.now() - start)
    await Bun.sleep(CALL_PAUSE_MS)
  }
  return times
}
