// @engine both
// @tier long
/** Responses in the background of real processes: a thousand at once, a crash and an orderly stop. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { residentMb } from '../support/app/resident-memory.ts'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { OVERDUE } from '../support/cluster/overdue.ts'
import { until } from '../support/until.ts'
import { keepingUpstream } from '../support/upstream/keeping-upstream.ts'

const model = 'gpt-4o-mini'
const AT_ONCE = 1000
const BATCH = 100
/** Characters of each answer, in so many events of about 200 bytes. */
const ANSWER = 2000
const PIECES = 200
const HALF_BYTES = 15_000
/** 128 are read at once and take half a megabyte each; the others wait. */
const GROWTH_MB = 200

const url = process.env.DATABASE_URL!
const onPostgres = url.startsWith('postgres')
const folder = newFolder()
const env = {
  SECRET_KEY: 'a'.repeat(64),
  DATABASE_URL: onPostgres ? url : `file:${join(folder, 'tollgate.db')}`,
}
const upstream = keepingUpstream()

let server: Server
let key: string
beforeAll(async () => {
  server = await startServer({ folder, env })
  key = await makeSite(server.url, upstream, model)
})
afterAll(() => server.stop('SIGKILL'))

const call = (path: string, body?: object, at = server) =>
  fetch(at.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer sk-${key}` },
    body: body && JSON.stringify(body),
  })

async function begin(fields: object = {}): Promise<string> {
  const response = await call('/v1/responses', { model, input: 'Go', background: true, ...fields })
  if (response.status === 503) return Bun.sleep(100).then(() => begin(fields))
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let id: string | undefined; ; id = /"id": ?"(resp_\w+)"/.exec(text)?.[1]) {
    if (id) {
      // The client leaves.
      await reader.cancel().catch(() => {})
      return id
    }
    text += decoder.decode((await reader.read()).value)
  }
}

interface Found {
  status: string
  output: any[]
  error: any
}

const fetched = async (id: string, at = server) =>
  (await (await call(`/v1/responses/${id}`, undefined, at)).json()) as Found

/** A server under load answers 503, and is asked again. */
const ended = (id: string) =>
  until(async () => {
    const response = await call(`/v1/responses/${id}`)
    const found = (await response.json()) as Found
    if (response.status === 200 && !['queued', 'in_progress'].includes(found.status)) return found
    await Bun.sleep(100)
  })

test('a thousand at once do not keep their answers in memory', async () => {
  Object.assign(upstream.size, { answer: ANSWER, pieces: PIECES })
  const idle_mb = residentMb(server.process.pid)
  const release = upstream.holdStreams()
  const ids: string[] = []
  for (let from = 0; from < AT_ONCE; from += BATCH)
    ids.push(...(await Promise.all(Array.from({ length: BATCH }, () => begin({ stream: true })))))
  // Half of each answer that is read has come.
  await until(async () => (await eventsBehind(ids[0]!)) > HALF_BYTES)
  expect(await fetched(ids[0]!)).toMatchObject({ status: 'in_progress' })
  expect(await fetched(ids.at(-1)!)).toMatchObject({ status: 'queued' })
  expect(residentMb(server.process.pid) - idle_mb).toBeLessThan(GROWTH_MB)
  release()
  for (const id of ids) expect((await ended(id)).output[0].content[0].text).toHaveLength(ANSWER)
  expect(await run(['audit'], { folder, env })).toMatchObject({ code: 0 })
  Object.assign(upstream.size, { answer: 10, pieces: 2 })
})

/** Bytes of the events that are there now. */
async function eventsBehind(id: string): Promise<number> {
  const abort = new AbortController()
  const answer = await fetch(`${server.url}/v1/responses/${id}?stream=true`, {
    headers: { authorization: `Bearer sk-${key}` },
    signal: abort.signal,
  })
  const reader = answer.body!.getReader()
  let bytes = 0
  for (;;) {
    const read = await Promise.race([reader.read(), Bun.sleep(500)])
    if (!read?.value) break
    bytes += read.value.length
  }
  abort.abort()
  return bytes
}

test('a response whose process is killed has failed, and nothing stays reserved', async () => {
  upstream.holdStreams()
  const id = await begin()
  await until(() => upstream.calls.at(-1)?.body.stream)
  await server.stop('SIGKILL')
  if (onPostgres) await forgetHeartbeats()
  server = await startServer({ folder, env })
  expect(await fetched(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
  expect(await run(['audit'], { folder, env })).toMatchObject({ code: 0 })
  upstream.holdStreams()()
  expect((await ended(await begin())).status).toBe('completed')
})

test('a response that runs when the process stops is finished first', async () => {
  const release = upstream.holdStreams()
  const id = await begin()
  await until(() => upstream.calls.at(-1)?.body.stream)
  const stopped = server.stop('SIGTERM')
  await until(() => server.output().includes('stopping'))
  release()
  expect(await stopped).toBe(0)
  server = await startServer({ folder, env })
  expect((await fetched(id)).status).toBe('completed')
})

/** As long enough after the crash. */
async function forgetHeartbeats() {
  const sql = new SQL(url)
  await sql.unsafe(OVERDUE)
  await sql.end()
}
