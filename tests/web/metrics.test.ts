/** Who may read /metrics, and its format. */
import { afterAll, expect, test } from 'bun:test'
import { counter } from '../../src/process/metrics/counter.ts'
import { VERSION } from '../../src/pure/version.ts'
import { watchingDocument } from '../docs/watching.ts'
import { app } from '../support/app/app.ts'
import { METRICS_TOKEN, metricsText, parseMetrics, readMetrics } from '../support/app/metrics.ts'
import { setEnv } from '../support/env.ts'
import { visitor } from '../support/people/person.ts'

const read = (headers: Record<string, string> = {}) =>
  app.handle(new Request('http://localhost/metrics', { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } }))

const withToken = (token: string) => read({ authorization: `Bearer ${token}` })

test('without a token and a list of addresses there are no metrics', async () => {
  expect((await withToken(METRICS_TOKEN)).status).toBe(404)
})

test('the token opens the metrics, and nothing else does', async () => {
  setEnv({ METRICS_TOKEN })
  const opened = await withToken(METRICS_TOKEN)
  expect(opened.status).toBe(200)
  expect(opened.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const attempts = [
    read(),
    withToken(''),
    withToken(METRICS_TOKEN.slice(1)),
    withToken(`${METRICS_TOKEN}x`),
    withToken(METRICS_TOKEN.toUpperCase()),
    read({ authorization: `Basic ${btoa(`x:${METRICS_TOKEN}`)}` }),
    read({ authorization: METRICS_TOKEN }),
  ]
  for (const refused of await Promise.all(attempts)) {
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await refused.text()).not.toContain('tollgate_')
  }
})

test('a listed address opens the metrics, by the hops of trusted proxies alone', async () => {
  setEnv({ METRICS_ALLOW: ['10.1.0.0/16', '2001:db8::/32'] })
  const from = async (hops: string) => (await read({ 'x-forwarded-for': hops })).status
  expect(await from('10.1.2.3')).toBe(200)
  expect(await from('2001:db8::7')).toBe(200)
  expect(await from('10.2.0.1')).toBe(403)
  expect(await from('10.1.2.3, 203.0.113.9')).toBe(403)
})

test('the token or a listed address is enough where both are set', async () => {
  setEnv({ METRICS_TOKEN, METRICS_ALLOW: ['10.1.0.0/16'] })
  expect((await withToken(METRICS_TOKEN)).status).toBe(200)
  expect((await read({ 'x-forwarded-for': '10.1.2.3' })).status).toBe(200)
  expect((await read()).status).toBe(401)
})

test('an administrator of the console reads nothing there by the session', async () => {
  setEnv({ METRICS_TOKEN })
  const ann = await visitor(100)
  expect((await ann.fetch('/metrics')).status).toBe(401)
})

const odd = counter('test_odd_total', 'Odd labels.', ['odd'])
afterAll(() => expect(odd).toBeDefined())

test('labels with quotes, backslashes and line ends are escaped', async () => {
  odd.of('a "quote", a \\ and\na line').add(3)
  const text = await metricsText()
  expect(text).toContain('\ntest_odd_total{odd="a \\"quote\\", a \\\\ and\\na line"} 3\n')
  expect(() => parseMetrics(text)).not.toThrow()
})

test('a metric has at most 10,000 series, and one more for the rest', async () => {
  const many = counter('test_many_total', 'Many series.', ['one', 'two'])
  for (let at = 0; at < 20_000; at++) many.of(String(at), 'x').add()
  const series = [...(await readMetrics())].filter(([key]) => key.startsWith('test_many_total'))
  expect(series).toHaveLength(10_001)
  expect(series.at(-1)).toEqual(['test_many_total{one="other",two="other"}', 10_000])
})

test('the process says its version, memory, CPU time and files', async () => {
  const series = await readMetrics()
  expect(series.get(`tollgate_build_info{version="${VERSION}",bun="${Bun.version}"}`)).toBe(1)
  expect(series.get('tollgate_process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(series.get('tollgate_process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(series.get('tollgate_process_start_time_seconds')).toBeLessThan(Date.now() / 1000)
  expect(series.get('tollgate_process_open_fds')).toBeGreaterThan(2)
  expect(series.get('tollgate_loop_lag_seconds')).toBeGreaterThanOrEqual(0)
  expect(series.get('tollgate_settle_queue')).toBe(0)
})

test('docs/watching.md has every metric, and the dashboard and the alerts ask for no other', async () => {
  const written = await Bun.file('docs/watching.md').text()
  expect(written).toBe(watchingDocument(written))
  for (const file of ['docs/deploy/grafana.json', 'docs/deploy/alerts.yaml']) {
    const asked = (await Bun.file(file).text()).match(/\b(?:tollgate|gen_ai)_\w+/g)!
    const names = asked.map(name => name.replace(/_(?:bucket|sum|count)$/, ''))
    expect(names.filter(name => !written.includes(`| \`${name}\` |`))).toEqual([])
  }
})
