/** The access log and the metrics of a real process: a line for each call, without keys and content. */
import { afterAll, expect, test } from 'bun:test'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { METRICS_TOKEN, parseMetrics } from '../support/app/metrics.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat, hangsAfter, refuses } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
const text = 'an answer that is logged nowhere'
const usage = { prompt_tokens: 100, completion_tokens: 20 }
upstream.scripts(MODEL, chat({ text, usage }))
const place = await newInstallation()
const env = { ...place.env, ACCESS_LOG: '1', LOG_LEVEL: 'warn', METRICS_TOKEN }
const server = await startAt({ ...place, env })
await setUpAt(server)
const root = await signInAt(server)
const made = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
const { data: channel } = await sendWell(server.url, root, '/api/channel/', { body: made })
await sendWell(server.url, root, '/api/topup', { body: { user_id: 1, quota: 500_000, remark: '' } })
const { data: token } = await sendWell(server.url, root, '/api/token/', { body: { name: 'k', unlimited_quota: true } })

const question = 'a question that is logged nowhere'
const call = (fields: object = {}, init: RequestInit = {}) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}` },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: question }], ...fields }),
    ...init,
  })

const lines = (): Record<string, unknown>[] =>
  server
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))

/** The line of a call, once it is there. */
async function lineOf(response: Response) {
  const id = response.headers.get('x-request-id')
  const found = () => lines().filter(({ request_id }) => request_id === id)
  await until(() => found().length)
  return found()[0]!
}

const number = expect.any(Number)
const common = {
  ...{ time: expect.stringMatching(/^\d{4}-.*Z$/), message: 'call', node: expect.stringMatching(/^\w{16}$/) },
  ...{ address: '127.0.0.1', user: 1, token: token.id, operation: 'chat', model: MODEL, channel: channel.id },
  ...{ request_id: expect.stringMatching(/^req_/), attempts: 1, upstream_ms: number, total_ms: number },
}

test('a whole response has its tokens, quota, times and bytes', async () => {
  const response = await call()
  const bytes = (await response.arrayBuffer()).byteLength
  const line = await lineOf(response)
  const tokens = { prompt_tokens: 100, completion_tokens: 20, quota: number }
  expect(line).toEqual({ ...common, ...tokens, first_ms: number, bytes, end: 'finished' } as never)
  expect(line.quota).toBeGreaterThan(0)
})

test('a stream has the bytes that were sent, its last event included', async () => {
  const response = await call({ stream: true })
  const bytes = (await response.arrayBuffer()).byteLength
  expect(await lineOf(response)).toMatchObject({ ...common, bytes, end: 'finished' } as never)
})

test('a call whose client leaves ends as abandoned', async () => {
  upstream.scripts(MODEL, hangsAfter(2))
  const abort = new AbortController()
  const response = await call({ stream: true }, { signal: abort.signal })
  await response.body!.getReader().read()
  abort.abort()
  expect(await lineOf(response)).toMatchObject({ ...common, end: 'abandoned' } as never)
})

test('a call that no upstream answers has the reason', async () => {
  upstream.scripts(MODEL, refuses(400))
  const line = await lineOf(await call())
  upstream.scripts(MODEL, chat({ text, usage }))
  expect(line).toMatchObject({ ...common, end: 'failed', status: 400, reason: expect.any(String) } as never)
})

test('a refused call has no user, and one line', async () => {
  const response = await call({}, { headers: { authorization: 'Bearer sk-unknown' } })
  const line = await lineOf(response)
  expect(line).toMatchObject({ end: 'refused', status: 401, address: '127.0.0.1', operation: 'chat' })
  expect(line).not.toHaveProperty('user')
  expect(lines().filter(({ request_id }) => request_id === line.request_id)).toHaveLength(1)
})

test('neither keys nor content are logged', () => {
  const written = server.output()
  for (const secret of [question, text, token.key, 'sk-upstream', 'sk-unknown']) expect(written).not.toContain(secret)
})

const metrics = async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const response = await fetch(`${server.url}/metrics`, { headers })
  return parseMetrics(await response.text())
}

test('the metrics of a process have its jobs and its lag', async () => {
  const job = 'tollgate_job_last_success_timestamp{job="flush-buffers"}'
  await until(async () => (await metrics()).has(job))
  const series = await metrics()
  expect(Math.abs(series.get(job)! - Date.now() / 1000)).toBeLessThan(60)
  expect(series.get('tollgate_loop_lag_seconds')).toBeLessThan(60)
  expect(series.has('tollgate_redis_up')).toBe(false)
})

test('calls that end just before SIGTERM have their lines, once each', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => call()))
  await Promise.all(answers.map(response => response.arrayBuffer()))
  await server.stop()
  const written = lines().map(({ request_id }) => request_id)
  const ids = answers.map(response => response.headers.get('x-request-id'))
  expect(ids.filter(id => written.filter(each => each === id).length !== 1)).toEqual([])
})
