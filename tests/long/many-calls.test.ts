// @engine sqlite
/** Calls of all kinds for a long while: memory, open files and bills after them. `MANY_CALLS=10000000` is a day's work. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run as load } from '../bench/load.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { run, type Server, startServer } from '../support/app/server.ts'
import { addChannel, makeSite, setOption } from '../support/app/site.ts'

const CALLS = Number(process.env.MANY_CALLS ?? 100_000)
const PARTS = 10
/** Between the second part and the last, when no call runs; what a short run compiles and keeps is not yet all there. */
const GROWTH_MB = CALLS >= 1_000_000 ? 5 : 48
/** Connections of the database and of the upstream come and go. */
const SPARE_FILES = 16
const QUIET_SECONDS = 12
const ENDLESS_SECONDS = 100_000
const LEAVING_AFTER_BYTES = 400

/** What runs side by side: a share of the calls in per cent, the connections, and what is sent. */
type Kind = {
  share: number
  connections: number
  billed: boolean
  model: string
  stream?: boolean
  path?: string
  fields?: object
}
const models = ['bench', 'brief', 'full', 'left', 'limited', 'refused']
const turns = [{ role: 'user', content: 'Count to three, please.' }]
const kinds: Record<string, Kind> = {
  whole: { share: 50, connections: 12, billed: true, model: 'bench' },
  streams: { share: 20, connections: 8, billed: true, model: 'brief', stream: true },
  'long streams': { share: 2, connections: 2, billed: true, model: 'full', stream: true },
  'from Anthropic’s format': {
    ...{ share: 10, connections: 4, billed: true, model: 'bench', path: '/v1/messages' },
    fields: { max_tokens: 100, messages: turns },
  },
  'from Gemini’s format': {
    ...{ share: 8, connections: 2, billed: true, model: 'bench', path: '/v1beta/models/bench:generateContent' },
    fields: { model: undefined, messages: undefined, contents: [{ role: 'user', parts: [{ text: 'Count.' }] }] },
  },
  'of a limited upstream': { share: 2, connections: 2, billed: false, model: 'limited' },
  'refused by the upstream': { share: 2, connections: 2, billed: false, model: 'refused' },
  'of an unknown model': { share: 4, connections: 2, billed: false, model: 'unknown' },
}
const LEFT_SHARE = 2
const START_MS = 60_000

let server: Server
let upstream: Bun.Subprocess<'ignore', 'pipe'>
let key: string
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'error' } })
  upstream = Bun.spawn([process.execPath, 'tests/bench/mock.ts'], { stdout: 'pipe' })
  const { value } = await upstream.stdout.getReader().read()
  const url = new TextDecoder().decode(value).trim()
  key = await makeSite(server.url, { url }, 'bench,brief,full,left')
  await addChannel(server.url, { url }, 'limited', { auto_ban: 0 })
  await addChannel(server.url, { url }, 'refused', { auto_ban: 0 })
  // Those of the limited upstream would each wait until its limit is over.
  await setOption(server.url, 'QueueTimeout', '0')
  for (const option of ['ModelRatio', 'CompletionRatio'])
    await setOption(server.url, option, JSON.stringify(Object.fromEntries(models.map(model => [model, 0.01]))))
}, START_MS)
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.kill()
})

test(
  'calls of all kinds: memory and open files stay as they were, each is billed once',
  async () => {
    const parts = []
    for (let part = 0; part < PARTS; part++) {
      const clock = performance.now()
      await runPart(CALLS / PARTS)
      const seconds = (performance.now() - clock) / 1000
      parts.push({ seconds, ...(await quiet()) })
      process.stderr.write(`${JSON.stringify(parts.at(-1))}\n`)
    }
    const [second, last] = [parts[1]!, parts.at(-1)!]
    expect(last.memory_mb - second.memory_mb).toBeLessThan(GROWTH_MB)
    expect(last.files).toBeLessThanOrEqual(second.files + SPARE_FILES)
    expect(billed()).toBe(
      PARTS *
        sum(
          Object.values(kinds)
            .filter(kind => kind.billed)
            .map(callsOf(CALLS / PARTS)),
        ),
    )
    expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  },
  ENDLESS_SECONDS * 1000,
)

const callsOf = (calls: number) => (kind: { share: number }) => Math.round((calls * kind.share) / 100)
const sum = (counts: number[]) => counts.reduce((left, right) => left + right, 0)

async function runPart(calls: number) {
  const runs = Object.entries(kinds).map(async ([name, { share, billed, ...kind }]) => {
    const requests = callsOf(calls)({ share })
    const { failed, failure } = await load({ ...base(), stream: false, ...kind, requests })
    expect({ name, failed, failure: billed && failure }).toEqual({
      name,
      failed: billed ? 0 : requests,
      failure: billed && undefined,
    })
  })
  await Promise.all([...runs, leave(callsOf(calls)({ share: LEFT_SHARE }))])
}

const base = () => ({ url: server.url, key: `sk-${key}`, seconds: ENDLESS_SECONDS })

/** Streams whose clients leave in the middle. */
async function leave(calls: number) {
  const body = JSON.stringify({ model: 'left', stream: true, messages: turns })
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  for (let call = 0; call < calls; call++) {
    const abort = new AbortController()
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
      signal: abort.signal,
    })
    expect(response.status).toBe(200)
    let read = 0
    for await (const piece of response.body!) {
      read += piece.length
      if (read > LEAVING_AFTER_BYTES) break
    }
    abort.abort()
  }
}

/** The least memory and open files of seconds without a call. */
async function quiet() {
  const { pid } = server.process
  const memories: number[] = []
  for (let second = 0; second < QUIET_SECONDS; second++) {
    await Bun.sleep(1000)
    memories.push(residentMb(pid))
  }
  return { memory_mb: Math.round(Math.min(...memories)), files: readdirSync(`/proc/${pid}/fd`).length }
}

/** Entries of calls that were answered; those of clients that left are beside them. */
function billed(): number {
  const database = new Database(join(server.folder, 'tollgate.db'), { readonly: true })
  try {
    return database
      .query<{ n: number }, []>(`SELECT count(*) AS n FROM logs WHERE type = 2 AND model_name <> 'left'`)
      .get()!.n
  } finally {
    database.close()
  }
}
