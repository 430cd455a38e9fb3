/**
 * `bun run bench:tasks [--tasks=10000] [--channels=20] [--single=0] [--minutes=3] [--age=0] [--engine=postgres]`: looking
 * after unfinished tasks. Measures the longest time between two looks at a task, the processor and the memory that it
 * takes; then the same while one channel never answers; then what the gateway adds to a submit. `single` channels are asked for one task at a time, the others
 * for a hundred; `age` is that of the tasks in minutes.
 */
import { mkdtempSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomUUIDv7, SQL } from 'bun'
import { keyHashOf } from '../../src/domain/stored-objects/index.ts'
import { makeSite } from './logs/site.ts'
import { median } from './median.ts'
import { processorSeconds } from './targets.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    channels: { type: 'string', default: '20' },
    single: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '3' },
    age: { type: 'string', default: '0' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const [tasks, channels, single] = [Number(values.tasks), Number(values.channels), Number(values.single)]
const [minutes, age] = [Number(values.minutes), Number(values.age)]
const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite'

const GAP_MAX_SECONDS = 30
const CORE_MAX = 0.05
const GROWTH_MAX_MB = 32
const WARM_UP_MS = 60_000
const SUBMITS = 500
const ADDED_MAX_MS = 5
const DAY_MS = 86_400_000
/** As in write-states.ts: a task of ten minutes is asked for half as often, one of an hour an eighth as often. */
const PAUSES_SECONDS: [minutes: number, seconds: number][] = [
  [60, 119],
  [10, 29],
  [0, 14],
]
const KEY = 'sk-bench-tasks'

/** When each task was asked for last, and how long that took at most since the last mark. */
const last = new Map<string, number>()
let gap_ms = 0
let looks = 0
let hanging = ''

const upstream = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer })

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const [, channel = ''] = pathname.split('/')
  if (channel === hanging) await new Promise(() => {})
  if (pathname.includes('/suno/submit/')) return Response.json({ code: 'success', message: '', data: randomUUIDv7() })
  if (!pathname.endsWith('/suno/fetch')) {
    const id = pathname.split('/').at(-1)!
    seen(id)
    return Response.json({ id, object: 'video', status: 'in_progress', progress: 35 })
  }
  const { ids } = (await request.json()) as { ids: string[] }
  const data = ids.map(id => {
    seen(id)
    return { task_id: id, action: 'MUSIC', status: 'IN_PROGRESS', progress: '35%', fail_reason: '', data: null }
  })
  return Response.json({ code: 'success', message: '', data })
}

function seen(id: string) {
  const at = performance.now()
  const before = last.get(id)
  if (before !== undefined) gap_ms = Math.max(gap_ms, at - before)
  last.set(id, at)
  looks++
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-tasks-'))
const site = await makeSite(folder, { engine, isNew: true, upstream: upstream.url.origin })
const misses: string[] = []

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end().finally(() => process.exit(130)))

try {
  print(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, ${engine}\n`)
  print(`${tasks} tasks, ${age} minutes old, of ${channels} channels, ${single} of them asked for one at a time\n`)
  await site.start()
  const ids = await addChannels()
  await addTasks(ids)
  await Bun.sleep(WARM_UP_MS)
  await measure('all channels answer')
  hanging = 'c1'
  await measure('one channel never answers')
  hanging = ''
  if (channels > single) await measureSubmits()
  print(misses.length ? `\nmissed: ${misses.join(', ')}\n` : '\nevery mark is met\n')
  process.exitCode = misses.length ? 1 : 0
} finally {
  await end()
}

async function end() {
  await site.end(false)
  upstream.stop(true)
}

async function addChannels(): Promise<number[]> {
  for (let at = 0; at < channels; at++) {
    const kind = at < channels - single ? { type: 36, models: 'suno_music' } : { type: 55, models: 'sora-2' }
    const fields = {
      ...kind,
      key: KEY,
      base_url: `${upstream.url.origin}/c${at}`,
      name: `tasks-${at}`,
      group: 'default',
    }
    await site.fetch('/api/channel/', { method: 'POST', body: JSON.stringify(fields) })
  }
  const found: any = await (await site.fetch('/api/channel/search?keyword=tasks-&page_size=1000')).json()
  return [found.data]
    .flat()
    .map(({ id }: { id: number }) => id)
    .sort((one: number, other: number) => one - other)
}

async function addTasks(ids: number[]) {
  const sql = new SQL(site.env.DATABASE_URL!.replace(/^file:/, 'sqlite://'))
  const now = Date.now()
  const price_basis = {
    price: { unit: 'call', price: 0.1 },
    choice: { units: 1 },
    group_ratio: 1,
    quota_per_unit: 500_000,
  }
  const rows = Array.from({ length: tasks }, (_, at) => {
    const of = at % ids.length
    const isSingle = of >= channels - single
    return {
      ...{ task_id: `task_${at}`, platform: isSingle ? 'video' : 'suno', action: isSingle ? 'video' : 'MUSIC' },
      ...{ model: isSingle ? 'sora-2' : 'suno_music', user_id: 1, token_id: 1, group: 'default', request_id: `r${at}` },
      ...{
        node: 'gone',
        upstream_id: `made-${at}`,
        channel_id: ids[of],
        key_hash: keyHashOf(KEY),
        status: 'IN_PROGRESS',
      },
      ...{ progress: 35, submit_ms: now - age * 60_000, deadline_ms: now + DAY_MS, next_look_ms: now },
      ...{ input: JSON.stringify({ prompt: 'A gate' }), price_basis: JSON.stringify(price_basis) },
    }
  })
  for (let from = 0; from < rows.length; from += 500) await sql`insert into tasks ${sql(rows.slice(from, from + 500))}`
  await sql.close()
}

async function measure(name: string) {
  gap_ms = looks = 0
  for (const id of last.keys()) if (hanging && Number(id.slice('made-'.length)) % channels === 1) last.delete(id)
  const [core, memory, begin] = [processorSeconds(site.pid()), site.resident_mb(), performance.now()]
  await Bun.sleep(minutes * 60_000)
  const seconds = (performance.now() - begin) / 1000
  const share = (processorSeconds(site.pid()) - core) / seconds
  const growth = site.resident_mb() - memory
  const pause = PAUSES_SECONDS.find(([from]) => age >= from)![1]
  print(`\n${name}: ${(looks / seconds).toFixed(0)} looks a second\n`)
  mark('tasks looked at', String(last.size), last.size >= tasks - (hanging ? Math.ceil(tasks / channels) : 0))
  mark(
    'longest time between two looks',
    `${(gap_ms / 1000).toFixed(1)} s`,
    gap_ms / 1000 <= GAP_MAX_SECONDS - 14 + pause,
  )
  mark('processor', `${(share * 100).toFixed(1)} % of a core`, share <= CORE_MAX)
  mark('memory', `${growth >= 0 ? '+' : ''}${growth.toFixed(0)} MB`, growth <= GROWTH_MAX_MB)
}

/** One caller submits songs in turn: at the upstream, and through the gateway. */
async function measureSubmits() {
  const direct: number[] = []
  const through: number[] = []
  for (let at = 0; at < SUBMITS; at++) {
    direct.push(await submitTime(`${upstream.url.origin}/c0`))
    through.push(await submitTime(site.url()))
  }
  const added_ms = median(through) - median(direct)
  print(`\n${SUBMITS} submits of one caller\n`)
  mark('median of a submit over its upstream', `${added_ms.toFixed(1)} ms`, added_ms <= ADDED_MAX_MS)
}

async function submitTime(address: string): Promise<number> {
  const begin = performance.now()
  const response = await fetch(`${address}/suno/submit/music`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key()}` },
    body: JSON.stringify({ prompt: 'A gate' }),
  })
  const answer = (await response.json()) as { code: string }
  if (answer.code !== 'success') throw new Error(`a submit was refused: ${JSON.stringify(answer)}`)
  return performance.now() - begin
}

function print(text: string) {
  process.stdout.write(text)
}

function mark(name: string, value: string, met: boolean) {
  if (!met) misses.push(name)
  print(`${met ? 'ok  ' : 'MISS'} ${name.padEnd(34)} ${value}\n`)
}
