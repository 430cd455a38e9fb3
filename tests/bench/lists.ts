/**
 * `bun run bench:lists [--tasks=1000000] [--engine=postgres]`: pages and the API of both lists of tasks, by each
 * filter, over all time and over the usual range, also where nothing matches.
 */
import { mkdtempSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { makeSite } from './logs/site.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '1000000' }, engine: { type: 'string', default: 'sqlite' } },
})
const tasks = Number(values.tasks)
const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite'

const PAGE_MAX_MS = 50
const WARM_UP_REQUESTS = 10
const REQUESTS = 60
const DAYS = 60
const USERS = 200
const CHANNELS = 20

const folder = mkdtempSync(join(tmpdir(), 'tollgate-task-lists-'))
const site = await makeSite(folder, { engine, isNew: true, upstream: 'http://127.0.0.1:9' })

try {
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, ${engine}, ${tasks} tasks\n`)
  await site.start()
  await site.stop()
  await fill()
  await site.start()
  let slow = 0
  for (const path of paths()) if ((await time(path)) > PAGE_MAX_MS) slow++
  process.stdout.write(slow ? `\n${slow} slower than ${PAGE_MAX_MS} ms\n` : '\nevery mark is met\n')
  process.exitCode = slow ? 1 : 0
} finally {
  await site.end(false)
}

/** One row of four is a drawing; root has a quarter of all; of 100 tasks one is unfinished and seven have failed. */
async function fill() {
  const now = Date.now()
  const sql = new SQL(site.env.DATABASE_URL!.replace(/^file:/, 'sqlite://'))
  const numbers = (rows: number) =>
    `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${rows})`
  await sql.unsafe(
    `${numbers(USERS)} insert into users (id, username, "group", created_time, setting)
      select 100 + i, 'member-' || i, 'default', 0, '' from n`,
  )
  const step_ms = Math.floor((DAYS * 86_400_000) / tasks)
  await sql.unsafe(
    `${numbers(tasks)} insert into tasks (task_id, platform, action, model, user_id, token_id, "group", request_id, node,
        upstream_id, channel_id, status, progress, submit_ms, input, result, price_basis, charged, deadline_ms)
      select 'task_' || i,
        case i % 4 when 0 then 'midjourney' when 1 then 'suno' when 2 then 'video' else 'image' end,
        case i % 4 when 0 then (case when i % 3 = 0 then 'UPSCALE' else 'IMAGINE' end) when 1 then 'MUSIC'
          when 2 then 'text_to_video' else 'generate' end,
        'a-model', case when i * 7 % 16 < 4 then 1 else 100 + i * 13 % ${USERS} end, 1, 'default', 'r' || i, 'gone',
        'made-' || i, 1 + i * 11 % ${CHANNELS},
        case when i * 37 % 100 = 0 then 'IN_PROGRESS' when i * 37 % 100 < 8 then 'FAILURE' else 'SUCCESS' end,
        100, ${now} - cast(i as bigint) * ${step_ms}, '{"prompt":"A gate in the rain"}', '[]', '{}', 50000,
        ${now + 86_400_000}
      from n`,
  )
  await sql.unsafe(engine === 'sqlite' ? 'analyze' : 'vacuum analyze')
  await sql.close()
}

function paths(): string[] {
  const all = 'range=custom&from=2020-01-01T00%3A00'
  const filters = [
    '',
    ...['state=unfinished', 'state=SUCCESS', 'state=FAILURE', 'action=UPSCALE', 'action=none', 'task=none'],
    ...['username=member-7', 'username=member-7&state=FAILURE', 'username=member-7&action=none', 'username=nobody'],
    ...['channel=3', 'channel=3&state=FAILURE', 'channel=3&state=unfinished', 'channel=3&action=none'],
    'action=none&state=unfinished',
    'action=none&state=FAILURE',
  ]
  const lists = ['drawing', 'tasks'].flatMap(log => [
    `/app/logs/${log}`,
    ...filters.map(filter => `/app/logs/${log}?${all}${filter && '&'}${filter}`),
  ])
  const calls = ['/api/mj/', '/api/mj/self', '/api/task/', '/api/task/self'].flatMap(path => [
    `${path}?p=0&page_size=20`,
    `${path}?p=400&page_size=20`,
    ...['FAILURE', 'SUCCESS', 'IN_PROGRESS', 'QUEUED', 'SAVING'].map(status => `${path}?status=${status}`),
    `${path}?action=none`,
  ])
  return [...lists, ...calls]
}

/** @returns the 95th percentile in milliseconds */
async function time(path: string): Promise<number> {
  const times: number[] = []
  for (let request = -WARM_UP_REQUESTS; request < REQUESTS; request++) {
    const start = performance.now()
    const response = await site.fetch(path)
    await response.arrayBuffer()
    if (response.status >= 400) throw new Error(`${path}: ${response.status}`)
    if (request >= 0) times.push(performance.now() - start)
  }
  const p95_ms = times.sort((one, other) => one - other)[Math.floor(REQUESTS * 0.95) - 1]!
  process.stdout.write(`${p95_ms > PAGE_MAX_MS ? 'MISS' : 'ok  '} ${path.padEnd(96)} p95 ${p95_ms.toFixed(1)} ms\n`)
  return p95_ms
}
