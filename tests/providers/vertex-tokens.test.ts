// @engine sqlite
/** Tokens of Vertex AI: earned once, dead before their time, and refused. */
import { afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { LogType } from '../../src/contracts/log.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { log } from '../../src/process/log.ts'
import { resetStores } from '../../src/process/stores.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, chatBody, client } from '../support/people/client.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { openCall, readToEnd, statusIn } from '../support/people/raw-call.ts'
import { readStream } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'
import { GoogleCloud } from '../support/upstream/google-cloud.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'
import { CLAUDE, GEMINI, priceVertexModels, vertexChannel } from '../support/upstream/vertex-channel.ts'

const cloud = new GoogleCloud()
/** A cloud of its own, with tokens of its own. */
const other = new GoogleCloud()
let root: Person
let ann: Client

beforeAll(async () => {
  root = await setUp()
  await priceVertexModels()
  await setOption('LogErrorEnabled', true)
})

beforeEach(async () => {
  cloud.reset()
  other.reset()
  resetStores('channel tokens', 'circuits')
  await deleteChannels()
  await setOption('RetryTimes', 0)
  await setOption('AutomaticDisableChannelEnabled', true)
  ann = await client()
})

afterEach(() => expect(cloud.violations).toEqual([]))

/** The life of the cloud's tokens. */
const TOKEN_SECONDS = 3599

const ask = (fields: object = {}) => ann.chat({ model: GEMINI, ...fields })

test('a thousand first calls at once make one token request', async () => {
  await vertexChannel(cloud)
  const body = { model: GEMINI, max_tokens: 10 }
  const calls = Array.from({ length: 1000 }, () => readToEnd(openCall(ann.url, ann.key, body)))
  const statuses = (await Promise.all(calls)).map(statusIn)
  expect(statuses.filter(status => status !== 200)).toEqual([])
  expect(cloud.token_requests).toBe(1)
  expect(cloud.calls).toBe(1000)
})

test('a client that leaves while a token is fetched ends its call at once, for free, and the token is kept', async () => {
  await vertexChannel(cloud)
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
  cloud.tokens = () => {
    begun.resolve()
    return released.promise
  }
  const before = await ann.balance()
  const leaving = new AbortController()
  const headers = { authorization: `Bearer sk-${ann.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(chatBody({ model: GEMINI }))
  const url = 'http://localhost/v1/chat/completions'
  const call = app.handle(new Request(url, { method: 'POST', headers, body, signal: leaving.signal }))
  await begun.promise
  leaving.abort()
  expect((await call).status).toBe(499)
  expect([await ann.balance(), cloud.calls]).toEqual([before, 0])
  released.resolve(undefined)
  expect((await ask()).status).toBe(200)
  expect(cloud.token_requests).toBe(1)
})

test('a token that dies while many calls run costs no caller an error', async () => {
  await vertexChannel(cloud)
  cloud.answer = async () => void (await Bun.sleep(5))
  await ask()
  const deaths = 3
  const rounds = Array.from({ length: 40 }, async (_, lane) => {
    const statuses: number[] = []
    for (let call = 0; call < 15; call++) {
      if (lane === 0 && call % 5 === 2) cloud.revoke()
      const response = await ask({ max_tokens: 10 })
      await response.text()
      statuses.push(response.status)
    }
    return statuses
  })
  const statuses = (await Promise.all(rounds)).flat()
  expect(statuses.filter(status => status !== 200)).toEqual([])
  expect(cloud.token_requests).toBe(1 + deaths)
})

test('a token request by another route fails no call', async () => {
  await vertexChannel(cloud, { models: CLAUDE, setting: JSON.stringify({ proxy: 'http://127.0.0.1:1' }) })
  await vertexChannel(cloud, { models: GEMINI })
  const responses = await Promise.all([ask({ model: CLAUDE }), ask(), ask({ model: CLAUDE })])
  expect(responses.map(({ status }) => status === 200)).toEqual([false, true, false])
})

test('a renewal that fails is logged once, and the calls go on with the token that lives', async () => {
  await vertexChannel(cloud)
  expect((await ask()).status).toBe(200)
  using warn = spyOn(log, 'warn')
  cloud.tokens = () => new Response('', { status: 503 })
  shiftClock(TOKEN_SECONDS - 200)
  const responses = await Promise.all(Array.from({ length: 20 }, () => ask()))
  await until(() => warn.mock.calls.length > 0)
  shiftClock(200 - TOKEN_SECONDS)
  expect(responses.filter(({ status }) => status !== 200)).toEqual([])
  expect(warn.mock.calls.map(([message]) => message)).toEqual(['token not renewed'])
  expect(cloud.token_requests).toBe(2)
})

test('a token of a short life is renewed once, in its second half', async () => {
  cloud.token_seconds = 300
  await vertexChannel(cloud)
  for (const seconds of [0, 140]) {
    shiftClock(seconds)
    for (let call = 0; call < 2; call++) expect((await ask()).status).toBe(200)
    expect(cloud.token_requests).toBe(1)
  }
  shiftClock(20)
  expect((await ask()).status).toBe(200)
  await until(() => cloud.token_requests === 2)
  expect((await ask()).status).toBe(200)
  shiftClock(-160)
  expect(cloud.token_requests).toBe(2)
})

test.each([-360, 360])('a clock of Google that differs by %d seconds accepts the assertion', async seconds => {
  await vertexChannel(cloud)
  cloud.clock_seconds = seconds
  expect((await ask()).status).toBe(200)
})

const grant = (error: string, error_description: string, status = 400) =>
  Response.json({ error, error_description }, { status })
/** Each with whether the key is disabled by it. */
const failures: [name: string, script: () => Response, isFatal: boolean][] = [
  ['an account that is unknown', () => grant('invalid_grant', 'Invalid grant: account not found'), true],
  ['a client that is disabled', () => grant('invalid_client', 'The OAuth client was disabled.', 401), true],
  [
    'a clock that is wrong',
    () => grant('invalid_grant', 'Invalid JWT: Token must be a short-lived token and in a reasonable timeframe.'),
    false,
  ],
  ['a page of HTML', () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }), false],
  ['HTML with status 400', () => new Response('<html>Bad</html>', { status: 400 }), false],
  ['nothing', () => new Response(''), false],
  ['a life of 0', () => Response.json({ access_token: 'ya29.c.dead-on-arrival', expires_in: 0 }), false],
  ['a life in words', () => Response.json({ access_token: 'ya29.c.dead-on-arrival', expires_in: 'long' }), false],
  ['no token', () => Response.json({ expires_in: 3599, token_type: 'Bearer' }), false],
  ['a token with a line end', () => Response.json({ access_token: 'ya29.c.a\r\nb', expires_in: 3599 }), false],
  ['status 503', () => new Response('', { status: 503 }), false],
]

test.each(failures)('%s is a failure of the channel, and another one serves the call', async (_, script, isFatal) => {
  await setOption('RetryTimes', 3)
  const { id } = await vertexChannel(cloud, { priority: 10 })
  await vertexChannel(other)
  cloud.tokens = script
  for (const stream of [false, true]) {
    resetStores('circuits')
    const response = await ask({ stream })
    expect(response.status).toBe(200)
    if (stream) expect(await readStream(response)).toMatchObject({ done: true, text: 'Hello' })
  }
  expect(cloud.calls).toBe(0)
  expect((await channelNow(id)).status).toBe(isFatal ? ChannelStatus.autoDisabled : ChannelStatus.enabled)
})

test.each(failures)('%s shows neither key nor token', async (_, script) => {
  await setOption('AutomaticDisableChannelEnabled', false)
  const { id } = await vertexChannel(cloud)
  cloud.tokens = script
  const response = await ask()
  expect(response.status).toBeGreaterThanOrEqual(500)
  const told = [
    await response.text(),
    JSON.stringify(await logsOf(ann.person, LogType.error)),
    JSON.stringify(await root.get(`/api/channel/test/${id}`)),
    JSON.stringify(await channelNow(id)),
  ].join()
  const { private_key, client_email } = JSON.parse(serviceAccount(''))
  for (const secret of ['dead-on-arrival', client_email, private_key.slice(40, 60), 'eyJ'])
    expect(told).not.toContain(secret)
})

test('an upstream that repeats token and key shows neither', async () => {
  await setOption('RetryTimes', 0)
  await vertexChannel(cloud)
  cloud.answer = () =>
    Response.json(
      {
        error: {
          code: 400,
          message: `No ${cloud.alive[0]} for ${serviceAccount(cloud.url)}`,
          status: 'INVALID_ARGUMENT',
        },
      },
      { status: 400 },
    )
  const told = (await (await ask()).text()) + JSON.stringify(await logsOf(ann.person, LogType.error))
  const { private_key } = JSON.parse(serviceAccount(''))
  expect(told).not.toContain(cloud.alive[0]!)
  expect(told).not.toContain(private_key.slice(40, 60))
})

test.each([
  ['a private address', 'http://127.0.0.1:1/token'],
  ['the metadata of a machine', 'http://169.254.169.254/computeMetadata/v1/token'],
  ['a stranger', 'https://oauth2.googleapis.com.evil.example/token'],
  ['a stranger of a longer name', 'https://not-googleapis.com/token'],
  ['another port', 'https://oauth2.googleapis.com:8443/token'],
  ['no URL', 'token'],
])('a token_uri that names %s is not asked', async (_, token_uri) => {
  const uri = token_uri.replace('http://127.0.0.1:1', other.url)
  await vertexChannel(cloud, { key: serviceAccount('', { token_uri: uri }) })
  expect((await ask()).status).toBe(502)
  expect(JSON.stringify(await logsOf(ann.person, LogType.error))).toContain('token_uri of the key is not one of Google')
  expect(other.token_requests + cloud.calls).toBe(0)
})
