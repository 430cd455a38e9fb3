/** What passes to the old gateway and back, and what happens when that fails. */
import { afterAll, expect, test } from 'bun:test'
import { setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { run } from '../support/app/server.ts'
import { TEXT } from '../support/shadow/answers.ts'
import { oldGateway } from '../support/shadow/old-gateway.ts'
import { until } from '../support/until.ts'

const KEY = 'K'.repeat(48)
const old = oldGateway([{ id: 5, username: 'eve', group: 'default', key: KEY }])
/** Answers with events as they are released; without any it hangs. */
const released: ((event: string) => void)[] = []
const slow = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: ({ url, signal }) => {
    if (new URL(url).pathname === '/v1/embeddings') return new Promise<Response>(() => {})
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        released.push(event => controller.enqueue(new TextEncoder().encode(event)))
        signal.addEventListener('abort', () => left.resolve())
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})
const left = Promise.withResolvers<void>()
afterAll(() => {
  old.stop()
  slow.stop(true)
})

const place = await setUpInstallation()
const first = await startAt(place)
await first.stop()
const shadowOf = (url: string, more: Record<string, string> = {}) =>
  startAt({ ...place, env: { ...place.env, SHADOW_OF: url, LOG_LEVEL: 'warn', ...more } })
const server = await shadowOf(`${old.url}/`, { MAX_REQUEST_MB: '1' })

const bearer = { authorization: `Bearer sk-${KEY}` }
const rows = async () => (await place.read('select * from shadow_calls order by id')) as Record<string, unknown>[]
const lastRow = async (count: number) => {
  await until(async () => (await rows()).length === count)
  return (await rows()).at(-1)!
}
const chat = (more: object = {}) =>
  JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'case:equal number:3 — 好\u00e9' }],
    ...more,
  })
const question = (url: string, init: RequestInit = {}) =>
  fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: bearer, body: chat(), ...init })

test('the body passes byte for byte, the headers without those of a connection and cookies', async () => {
  const body = `{ "model":"gpt-4o-mini" ,"number": 12345678901234567890, "messages":[{"role":"user","content":"\\u00e9 é"}]}`
  const headers = {
    ...bearer,
    cookie: 'session=ours',
    'x-stainless-os': 'Linux',
    'x-forwarded-for': '203.0.113.9',
    te: 'trailers',
  }
  const response = await question(`${server.url}`, { body, headers })
  const sent = old.journal.at(-1)!
  expect([sent.method, sent.target, sent.body]).toEqual(['POST', '/v1/chat/completions', body])
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    ...bearer,
    'x-stainless-os': 'Linux',
    host: new URL(old.url).host,
  })
  expect([sent.address, sent.headers.get('cookie'), sent.headers.get('te')]).toEqual(['127.0.0.1', null, null])
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
  expect(response.headers.get('x-oneapi-request-id')).toBeTruthy()
  expect(await response.text()).toContain(TEXT)
  const { price, ...row } = await lastRow(1)
  expect(row).toMatchObject({
    token_id: 0,
    user_id: 0,
    group: 'default',
    outcome: 'finished',
    status: 200,
    path: '/v1/chat/completions',
  })
  expect(row.key_hash).toBe(Bun.SHA256.hash(KEY, 'hex'))
  expect([Number(row.prompt_tokens) > 0, Number(row.quota) > 0, String(price).includes('model_ratio')]).toEqual([
    true,
    true,
    true,
  ])
})

test('a compressed body passes as it came, and is read', async () => {
  const body = Bun.gzipSync(Buffer.from(chat()))
  const response = await question(server.url, { body, headers: { ...bearer, 'content-encoding': 'gzip' } })
  expect([response.status, old.journal.at(-1)!.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect(await response.text()).toContain(TEXT)
  expect(await lastRow(2)).toMatchObject({ model: 'gpt-4o-mini', outcome: 'finished', status: 200 })
})

test('lookups and unknown paths of the API pass with any method and are not kept', async () => {
  for (const [method, path] of [
    ...[
      ['GET', '/v1/models'],
      ['GET', '/v1/anything?x=1'],
      ['DELETE', '/v1/files/file-1'],
      ['PUT', '/v1/new/thing'],
    ],
    ...[
      ['GET', '/v1/dashboard/billing/usage'],
      ['GET', '/mj/task/1/fetch'],
      ['GET', '/v1beta/models'],
    ],
  ]) {
    const response = await fetch(server.url + path, { method, headers: bearer })
    expect([path, response.status, response.headers.get('x-of-theirs')]).toEqual([path, 200, 'yes'])
    expect([old.journal.at(-1)!.method, old.journal.at(-1)!.target]).toEqual([method!, path!])
  }
  expect((await rows()).length).toBe(2)
})

test('a key that the old gateway does not know gets its refusal', async () => {
  const response = await question(server.url, { headers: { authorization: 'Bearer sk-nobody' } })
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('no such key')])
  expect(await lastRow(3)).toMatchObject({
    outcome: 'failed',
    status: 401,
    quota: 0,
    key_hash: Bun.SHA256.hash('nobody', 'hex'),
  })
})

test('WebSockets are refused with 501, too large bodies with 413, a path that leads out with 404', async () => {
  const socket = { ...bearer, upgrade: 'websocket', connection: 'upgrade' }
  const seen = old.journal.length
  const realtime = await fetch(`${server.url}/v1/realtime?model=gpt-realtime`, { headers: socket })
  expect([realtime.status, await realtime.text()]).toEqual([501, expect.stringContaining('WebSocket')])
  const large = await question(server.url, { body: chat({ user: 'x'.repeat(1_200_000) }) })
  expect([large.status, (await large.json()).error.code]).toEqual([413, 'too_large'])
  expect(old.journal.length).toBe(seen)
})

test('the console stays, and its pages are not those of the old gateway', async () => {
  const seen = old.journal.length
  expect((await signInAt(server)).success).toBe(true)
  expect((await fetch(`${server.url}/login`)).status).toBe(200)
  expect(old.journal.length).toBe(seen)
})

test('a call that comes back is a loop', async () => {
  const hop = old.journal.findLast(({ method }) => method === 'POST')!.headers.get('x-tollgate-hop')!
  const response = await question(server.url, { headers: { ...bearer, 'x-tollgate-hop': hop } })
  expect([response.status, (await response.json()).error.code]).toEqual([508, 'loop'])
})

test('an old gateway that is down is 502 in the format of the client', async () => {
  await server.stop()
  const down = await shadowOf('http://127.0.0.1:1')
  const openAi = await question(down.url)
  expect([openAi.status, (await openAi.json()).error.code]).toEqual([502, 'shadow_unreachable'])
  const headers = { 'x-api-key': `sk-${KEY}`, 'anthropic-version': '2023-06-01' }
  const messages = { method: 'POST', headers, body: chat({ model: 'claude-3-5-haiku-20241022', max_tokens: 9 }) }
  const anthropic = await fetch(`${down.url}/v1/messages`, messages)
  expect([anthropic.status, await anthropic.json()]).toEqual([502, expect.objectContaining({ type: 'error' })])
  const contents = { method: 'POST', headers: bearer, body: JSON.stringify({ contents: [{ parts: [{ text: 'x' }] }] }) }
  const gemini = await fetch(`${down.url}/v1beta/models/gemini-2.0-flash:generateContent`, contents)
  expect([gemini.status, (await gemini.json()).error.code]).toEqual([502, 502])
  await until(async () => (await rows()).length === 6)
  for (const row of (await rows()).slice(3)) expect(row).toMatchObject({ outcome: 'failed', status: 502, quota: 0 })
  await down.stop()
})

test('events pass as they come; one that hangs is 504; a client that leaves is left there too', async () => {
  const hanging = await shadowOf(`http://127.0.0.1:${slow.port}`, { UPSTREAM_TIMEOUT: '1' })
  const body = JSON.stringify({ model: 'text-embedding-3-small', input: 'x' })
  const timeout = await fetch(`${hanging.url}/v1/embeddings`, { method: 'POST', headers: bearer, body })
  expect([timeout.status, (await timeout.json()).error.code]).toEqual([504, 'shadow_timeout'])
  const abort = new AbortController()
  const asked = question(hanging.url, { body: chat({ stream: true }), signal: abort.signal })
  await until(() => released.length === 1)
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini' }
  const event = (content: string) =>
    `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
  released[0]!(event('one two three'))
  const reader = (await asked).body!.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await read()).toBe(event('one two three'))
  released[0]!(event('four'))
  expect(await read()).toBe(event('four'))
  abort.abort()
  await left.promise
  const row = await lastRow(8)
  expect(row).toMatchObject({ outcome: 'abandoned', status: 200, model: 'gpt-4o-mini' })
  expect([Number(row.completion_tokens) > 0, Number(row.quota) > 0]).toEqual([true, true])
  await hanging.stop()
})

test('SHADOW_OF that is no address, or is this Tollgate itself, is refused at the start in one line', async () => {
  const refused = async (SHADOW_OF: string, PORT = '0') => {
    const { code, err } = await run(['serve'], { ...place, env: { ...place.env, SHADOW_OF, PORT } })
    expect([SHADOW_OF, code > 0, err.trim().split('\n').length]).toEqual([SHADOW_OF, true, 1])
    return err
  }
  for (const bad of ['old-gateway', 'ftp://old', 'http://u:p@old', 'http://old/?a=1'])
    expect(await refused(bad)).toContain('bad setting SHADOW_OF')
  for (const own of ['http://localhost:49151', 'http://127.0.0.1:49151/v1', 'http://[::1]:49151'])
    expect(await refused(own, '49151')).toContain('SHADOW_OF leads to this Tollgate itself')
})
