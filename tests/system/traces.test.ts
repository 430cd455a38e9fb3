// @waits
/** Traces of a real process: its variables, the end of the process, and a collector that is dead. */
import { afterAll, expect, test } from 'bun:test'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { otlpReceiver } from '../support/otlp/receiver.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

/** Their spans have 10 MB. */
const CALLS = 3500
const SPANS_OF_CALL = 6
const MODEL = 'gpt-4o-mini'
const upstream = await fakeUpstream()
upstream.scripts(MODEL, chat({ usage: { prompt_tokens: 100, completion_tokens: 20 } }))
const collector = otlpReceiver()
afterAll(() => {
  upstream.stop()
  collector.stop()
})
const place = await newInstallation()
const start = (env: Record<string, string>) => startAt({ ...place, env: { ...place.env, LOG_LEVEL: 'warn', ...env } })

type Server = Awaited<ReturnType<typeof start>>
const call = (server: Server, key: string) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
  })

let key = ''

const silent = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: () => new Promise<Response>(() => {}),
})
afterAll(() => void silent.stop(true))

test.each([
  ['is dead', 'http://127.0.0.1:1'],
  ['hangs', silent.url.origin],
])('a collector that %s costs a warning, and no call', async (_, endpoint) => {
  const server = await start({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '500', OTEL_BSP_SCHEDULE_DELAY: '1' },
  })
  await setUpAt(server)
  const root = await signInAt(server)
  const made = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
  await sendWell(server.url, root, '/api/channel/', { body: made })
  await sendWell(server.url, root, '/api/topup', { body: { user_id: 1, quota: 500_000, remark: '' } })
  const { data } = await sendWell(server.url, root, '/api/token/', { body: { name: 'k', unlimited_quota: true } })
  key = data.key
  const isWarned = () => server.output().includes('traces not sent')
  for (let turn = 0; turn < 5 || !isWarned(); turn++) expect((await call(server, key)).status).toBe(200)
  await until(isWarned)
  for (let turn = 0; turn < 5; turn++) expect((await call(server, key)).status).toBe(200)
  expect(server.output().split('traces not sent')).toHaveLength(2)
  await server.stop()
})

test('a process that ends sends what waits, as its variables say', async () => {
  const server = await start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key,tenant=7',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=shop',
    OTEL_SERVICE_NAME: 'gate-7',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  for (let turn = 0; turn < 3; turn++) expect((await call(server, key)).status).toBe(200)
  expect(collector.spans).toEqual([])
  await server.stop()
  expect(collector.spans.filter(({ kind }) => kind === 2)).toHaveLength(3)
  const { headers, resource } = collector.requests[0]!
  expect([headers.get('api-key'), headers.get('tenant')]).toEqual(['a key', '7'])
  expect(resource).toMatchObject({
    'service.name': 'gate-7',
    'deployment.environment.name': 'shop',
    'service.version': expect.any(String),
  })
  expect(collector.flaws).toEqual([])
})

test('a full batch does not wait: spans beyond 8 MiB reach a collector that is well, none is lost', async () => {
  const server = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_TRACES_SAMPLER: 'always_on',
  })
  const from = collector.spans.length
  let left = CALLS
  const client = async () => {
    while (left-- > 0) expect((await call(server, key)).status).toBe(200)
  }
  await Promise.all(Array.from({ length: 32 }, client))
  await server.stop()
  expect(server.output()).not.toContain('traces not sent')
  const spans = collector.spans.slice(from)
  expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(CALLS)
  expect(spans).toHaveLength(CALLS * SPANS_OF_CALL)
  expect(collector.flaws).toEqual([])
}, 60_000)
