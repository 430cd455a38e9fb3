/** "Try it" on the home page: visitors call with the operator's key, within its limits, and choose the prompt alone. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TRY_IT_PATH, tryItRequest } from '../../src/contracts/try-it.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { listen } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { readStream } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const answers = chat({ text: 'The arm rises', usage })
const upstream = await startUpstream(answers)
await channelTo(upstream)
const COST = quotaOf(100, 20)

let host: Client
beforeEach(async () => {
  host = await client({ name: 'visitors' })
  await setOption('TryItKey', `sk-${host.key}`)
  await setOption('TryItModel', MODEL)
  // Every visitor of a test has an address.
  setEnv({ TRUSTED_PROXIES: ['127.0.0.0/8'] })
})
afterEach(async () => {
  await setOption('TryItModel', '')
  await setOption('TryItHourlyCalls', 5)
  await setOption('TryItDailyQuota', 250_000)
  resetStores()
  expect((await auditWallets()).difference).toBeUndefined()
})

const asks = (body: unknown = tryItRequest(MODEL, 'What is a gate?'), headers: Record<string, string> = {}) =>
  fetch(listen() + TRY_IT_PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': 'en',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const from = (address: string) => asks(undefined, { 'x-forwarded-for': address })
const refusalOf = async (response: Response) => {
  const { error } = (await response.json()) as any
  return [response.status, error.message.replace(/ \(request id.*/, '')]
}

test('a visitor is answered in a stream, and the key of the operator pays', async () => {
  const response = await asks()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    ...[200, 'text/event-stream; charset=utf-8'],
  ])
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(await readStream(response)).toMatchObject({ text: 'The arm rises', done: true })
  expect(RICH - (await host.balance())).toBe(COST)
  expect(await logsOf(host.person)).toMatchObject([
    { token_name: 'visitors', model_name: MODEL, quota: COST, request_id: response.headers.get('x-request-id') },
  ])
})

test('without a key or a model there is nothing to try', async () => {
  await setOption('TryItModel', '')
  expect(await refusalOf(await asks())).toEqual([404, 'This site does not let visitors try a model'])
})

test.each<[string, unknown]>([
  ['another model', tryItRequest('o1-pro', 'Hello')],
  ['more output', { ...tryItRequest(MODEL, 'Hello'), max_tokens: 4000 }],
  ['a field more', { ...tryItRequest(MODEL, 'Hello'), n: 50 }],
  [
    'a second message',
    {
      ...tryItRequest(MODEL, 'Hello'),
      messages: [
        { role: 'user', content: 'x' },
        { role: 'user', content: 'y' },
      ],
    },
  ],
  ['a system message', { ...tryItRequest(MODEL, 'Hello'), messages: [{ role: 'system', content: 'x' }] }],
  ['a picture', { ...tryItRequest(MODEL, 'Hello'), messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
  ['no prompt', tryItRequest(MODEL, '  ')],
  ['a prompt of 301 characters', tryItRequest(MODEL, 'x'.repeat(301))],
  ['a list', []],
])('%s is refused, and costs nothing', async (_, body) => {
  const [status] = await refusalOf(await asks(body))
  expect(status).toBe(400)
  expect(await host.balance()).toBe(RICH)
})

test('a body of 100 MB, and one without a length, are refused before they are read', async () => {
  expect((await asks('x'.repeat(9000))).status).toBe(413)
  const endless = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(1024)) })
  const response = await fetch(listen() + TRY_IT_PATH, { method: 'POST', body: endless })
  expect(response.status).toBe(413)
})

test("another site's page is refused", async () => {
  expect((await asks(undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('an address calls so often an hour, whatever the others do', async () => {
  await setOption('TryItHourlyCalls', 2)
  for (let call = 0; call < 2; call++) expect((await from('203.0.113.7')).status).toBe(200)
  const refused = await from('203.0.113.7')
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(3500, 3601)
  expect(await refusalOf(refused)).toEqual([
    429,
    'You have tried it often enough for this hour. Create an account to go on',
  ])
  expect((await from('203.0.113.8')).status).toBe(200)
  for (const address of ['2001:db8:7::1', '2001:db8:7::2']) expect((await from(address)).status).toBe(200)
  expect((await from('2001:db8:7::3')).status).toBe(429)
  shiftClock(3601)
  expect((await from('203.0.113.7')).status).toBe(200)
})

test('the calls of a day cost so much, and the next day begins anew', async () => {
  await setOption('TryItDailyQuota', 2 * COST)
  for (const address of ['203.0.113.1', '203.0.113.2']) await (await from(address)).text()
  const [status, message] = await refusalOf(await from('203.0.113.3'))
  expect([status, message]).toEqual([
    429,
    'Visitors have used up what is free today. Try again tomorrow, or create an account',
  ])
  shiftClock(86_400)
  expect((await from('203.0.113.3')).status).toBe(200)
})

test('eight visitors are answered at once, the ninth later', async () => {
  const gate = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await gate.promise
    await answers(call, answer)
  })
  const before = upstream.journal.length
  const calls = Array.from({ length: 8 }, (_, at) => from(`203.0.113.${at}`))
  await until(async () => upstream.journal.length === before + 8)
  expect((await from('203.0.113.9')).status).toBe(429)
  gate.resolve()
  await Promise.all(calls.map(async call => (await call).text()))
  expect((await from('203.0.113.9')).status).toBe(200)
})

test('visitors are told nothing of what is wrong with the key', async () => {
  for (const key of ['sk-nonsense', 'none', `${'x'.repeat(48)}`]) {
    await setOption('TryItKey', key)
    expect(await refusalOf(await asks())).toEqual([503, 'It cannot be tried right now'])
  }
})
