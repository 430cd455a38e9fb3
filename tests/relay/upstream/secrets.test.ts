/** Keys, addresses and headers reach no third party. */
import { beforeEach, expect, test } from 'bun:test'
import { listen } from '../../support/app/app.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf, MODEL, RICH } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { play } from '../../support/people/playground.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat, redirects } from '../../support/upstream/chat-scripts.ts'
import { channelTo, deleteChannels, served } from '../../support/upstream/served-channel.ts'

const CLAUDE = 14
const AZURE = 3
let ann: Client

beforeEach(async () => {
  await setOption('RetryTimes', 0)
  await deleteChannels()
  ann = await client()
})

/** Nobody should ever come here. */
function canary() {
  const visits: Record<string, string>[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      visits.push(Object.fromEntries(request.headers))
      return new Response('caught')
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, visits, stop: () => server.stop(true) }
}

test.each([
  ['a bearer', 1],
  ['x-api-key', CLAUDE],
  ['api-key', AZURE],
])('a redirect is not followed with %s', async (_, type) => {
  const trap = canary()
  const upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(null, { status: 302, headers: { location: `${trap.url}/elsewhere` } }),
  })
  await channelTo(`http://127.0.0.1:${upstream.port}`, { type, key: 'sk-secret-0123456789' })
  for (const stream of [false, true]) {
    const answer = await errorOf(await ann.chat({ stream }))
    expect(answer.status).toBe(502)
    expect(answer.message).not.toMatch(/127\.0|elsewhere|secret/)
  }
  await upstream.stop(true)
  await trap.stop()
  expect(trap.visits).toEqual([])
  expect(await ann.balance()).toBe(RICH)
})

test.each(['file:///etc/passwd', 'data:application/json,{}'])('the URL %s is no upstream', async base_url => {
  const { id } = await served(chat())
  expect(await (await setUp()).put('/api/channel/', { id, base_url })).toMatchObject({ status: 400, field: 'base_url' })
})

test('a channel that leads back to the gateway loops once', async () => {
  const inner = await clientOf(await visitor(1, RICH))
  await channelTo(listen(), { key: inner.key })
  expect((await errorOf(await ann.chat())).status).toBe(502)
  expect(await ann.balance()).toBe(RICH)
  expect(await inner.balance()).toBe(RICH)
})

test('no client header, cookie or query reaches the upstream', async () => {
  const { upstream } = await served(chat())
  const headers = {
    connection: 'authorization, keep-alive',
    'proxy-authorization': 'Basic abc',
    cookie: 'session=1',
    te: 'trailers',
    'x-forwarded-for': '9.9.9.9',
    'x-real-ip': '9.9.9.9',
    forwarded: 'for=9.9.9.9',
    'x-openai-host': 'evil.test',
    'x-api-host': 'evil.test',
    'x-stainless-os': 'Linux',
    'user-agent': 'my-client/1.0',
    'openai-beta': 'assistants=v2',
  }
  await ann.chat({}, { headers })
  const seen = upstream.journal[0]!.headers
  expect(Object.keys(seen).sort()).toEqual([
    'accept',
    'accept-encoding',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
    'openai-beta',
    'user-agent',
    'x-tollgate-hop',
  ])
  expect(JSON.stringify(seen)).not.toMatch(/9\.9\.9|evil|my-client|session=1/)
  expect(seen.authorization).toBe('Bearer sk-upstream')
})

test.each([MODEL, 'text-embedding-3-small'])('no field of a body redirects the key: %s', async model => {
  const trap = canary()
  const { upstream } = await served(chat(), { models: model }, model)
  const hosts = { api_base: trap.url, base_url: trap.url, api_key: 'mine', custom_host: trap.url, endpoint: trap.url }
  const body = { model, input: ['a'], messages: [{ role: 'user', content: 'a' }], ...hosts }
  for (const path of ['/v1/chat/completions', '/v1/embeddings', '/v1/responses', '/v1/messages', '/v1/completions'])
    await (
      await fetch(ann.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${ann.key}`, 'x-custom-host': trap.url, 'x-base-url': trap.url },
        body: JSON.stringify({ ...body, max_tokens: 10, prompt: 'a' }),
      })
    ).text()
  await (await play(ann.person, { model, ...hosts }, { 'x-custom-host': trap.url, 'x-base-url': trap.url })).text()
  await trap.stop()
  expect(trap.visits).toEqual([])
  for (const { headers } of upstream.journal) expect(headers.authorization).toBe('Bearer sk-upstream')
  expect(upstream.journal.length).toBeGreaterThan(0)
})

test('a redirect by the upstream fails over', async () => {
  await setOption('RetryTimes', 1)
  await served(redirects('http://127.0.0.1:1/elsewhere', 307), { priority: 9 })
  await served(chat())
  expect((await ann.chat()).status).toBe(200)
})
