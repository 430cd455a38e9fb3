/**
 * `bun run bench:pages [--folder=/tmp/x] [--only=rows=]`: the pages of docs/screens.md on a server with a thousand
 * channels, ten thousand users and a million log entries, for root. A folder is kept and measured again without filling
 * it. Only the addresses that contain `only` are measured.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN_CALLS_PATH } from '../../src/contracts/call-record.ts'
import { USAGE_BY } from '../../src/contracts/dashboard.ts'
import { dashboardAt, splitsFor } from '../../views/dashboard/view.ts'
import { screens } from '../shots/screens.ts'
import { makeSite } from './logs/site.ts'
import { processorSeconds, startUpstream, stopTargets } from './targets.ts'

const { values } = parseArgs({ options: { folder: { type: 'string' }, only: { type: 'string', default: '' } } })
const ROWS = 1_000_000
const DAYS = 30
const REQUESTS = 100
/** A page is compiled by its first requests. */
const WARM_UP_REQUESTS = 50
const PAGE_MAX_MS = 30
const SEARCH_MAX_MS = 50

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'tollgate-pages-'))
const isFilled = existsSync(join(folder, 'data'))
const upstream = await startUpstream()
const site = await makeSite(folder, { engine: 'sqlite', isNew: !isFilled, upstream: upstream.url })

const searches = [
  '/api/channel/?page_size=20',
  '/api/channel/?page_size=20&tag_mode=true',
  '/api/channel/search?keyword=upstream-7',
  '/api/channel/search?keyword=upstream-7&tag_mode=true',
  '/api/channel/search?model=chat-model-7&group=vip',
  '/admin/channels?keyword=upstream-77',
]

try {
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}\n`)
  await site.start()
  if (!isFilled) {
    await site.stop()
    await child('tests/bench/logs/generate.ts', [String(ROWS), String(DAYS)])
    await child('tests/bench/pages/fill.ts', [])
    await site.start()
  }
  const [call] = (await (await site.fetch('/api/log/?type=2&page_size=1')).json()).data.items
  const pages = screens.filter(({ status }) => !status).map(({ path }) => path)
  const slow = [
    ...(await timed([`${ADMIN_CALLS_PATH}/${call.request_id}`, ...pages, ...explorer()], PAGE_MAX_MS)),
    ...(await timed(searches, SEARCH_MAX_MS)),
  ]
  process.stdout.write(slow.length ? `\nslower than the mark: ${slow.join(', ')}\n` : '\nevery mark is met\n')
  process.exitCode = slow.length ? 1 : 0
} finally {
  await site.end(values.folder !== undefined)
  await stopTargets()
}

/** The usage explorer of everyone, by every pair of columns. */
function explorer(): string[] {
  const view = { range: '30d', by: 'day', of: 'all', as: 'table' } as const
  return [...USAGE_BY, 'day' as const].flatMap(rows => [
    dashboardAt({ ...view, rows }),
    ...splitsFor({ rows, of: view.of }, USAGE_BY).map(split => dashboardAt({ ...view, rows, split })),
  ])
}

/** @returns the paths whose 95th percentile is above the mark */
async function timed(paths: string[], most_ms: number): Promise<string[]> {
  const slow: string[] = []
  for (const path of new Set(paths)) {
    if (!path.includes(values.only)) continue
    const { p95_ms, processor_ms, bytes } = await time(path)
    if (p95_ms > most_ms) slow.push(path)
    process.stdout.write(
      `${p95_ms > most_ms ? 'MISS' : 'ok  '} ${path.padEnd(56)} p95 ${p95_ms.toFixed(1)} ms, processor ${processor_ms.toFixed(1)} ms, ${(bytes / 1024).toFixed(0)} KB\n`,
    )
  }
  return slow
}

async function time(path: string) {
  const times: number[] = []
  let bytes = 0
  let before = 0
  for (let request = -WARM_UP_REQUESTS; request < REQUESTS; request++) {
    if (request === 0) before = processorSeconds(site.pid())
    const start = performance.now()
    const response = await site.fetch(path)
    bytes = (await response.arrayBuffer()).byteLength
    if (response.status >= 400) throw new Error(`${path}: ${response.status}`)
    if (request >= 0) times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  const processor_ms = ((processorSeconds(site.pid()) - before) * 1000) / REQUESTS
  return { p95_ms: times[Math.floor(REQUESTS * 0.95) - 1]!, processor_ms, bytes }
}

async function child(file: string, args: string[]) {
  const run = Bun.spawn([process.execPath, file, ...args], {
    env: { ...process.env, ...site.env },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await run.exited) !== 0) throw new Error(`${file} failed`)
}
