/** An upstream account without money: the response tells the client not to repeat the call. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Json } from '../../../src/pure/json.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client } from '../../support/people/client.ts'
import { errorBody } from '../../support/upstream/openai.ts'
import { channelTo, deleteChannels } from '../../support/upstream/served-channel.ts'

const [OPENAI, ALI, MOONSHOT, ZHIPU, MINIMAX] = [1, 17, 25, 26, 35] as const

let calls = 0
let [status, body] = [200, {} as Json]
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    calls++
    return Response.json(body, { status })
  },
})
afterAll(() => upstream.stop(true))

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
  calls = 0
})

/** A channel that is not disabled by the refusal. */
const channel = (type: number) => channelTo(`http://127.0.0.1:${upstream.port}`, { type, auto_ban: 0 })
const shouldRetry = ({ headers }: Response) => headers.get('x-should-retry')
const spent = errorBody('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota')

test.each([
  ['OpenAI', OPENAI, 429, spent],
  ['OpenAI, at the hard limit', OPENAI, 429, errorBody('limit', 'invalid_request_error', 'billing_hard_limit_reached')],
  ['Zhipu', ZHIPU, 429, { error: { code: '1113', message: '余额不足' } }],
  ['Moonshot', MOONSHOT, 429, { error: { type: 'exceeded_current_quota_error', message: 'suspended' } }],
  ['MiniMax', MINIMAX, 200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
  ['any maker, by status', OPENAI, 402, errorBody('Payment required', 'other')],
] as [string, number, number, Json][])(
  'a call to the only account, without money at %s, is not to be repeated',
  async (_, type, refusal, said) => {
    ;[status, body] = [refusal, said]
    await channel(type)
    const response = await ann.chat()
    expect([shouldRetry(response), response.headers.get('retry-after'), calls]).toEqual(['false', null, 1])
    expect(response.status).not.toBe(404)
  },
)

test.each([
  ['Alibaba’s limit of tokens in a minute', ALI, spent],
  ['Google’s limit', OPENAI, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'your current quota' } }],
  ['an account’s requests in a minute', MOONSHOT, errorBody('organization max RPM: 3', 'rate_limit_reached_error')],
] as [string, number, Json][])('a call may be repeated after %s', async (_, type, said) => {
  ;[status, body] = [429, said]
  await channel(type)
  const response = await ann.chat()
  expect([response.status, shouldRetry(response), calls]).toEqual([429, null, 1])
})

test.each([
  ['one without money, then a limited one', 1, ['spent', 'limited'], null],
  ['a limited one, then one without money', 1, ['limited', 'spent'], null],
  ['one of two without money, while calls are not retried', 0, ['spent', 'spent'], null],
  ['one without money beside a limited one, while calls are not retried', 0, ['spent', 'limited'], null],
  ['two without money', 1, ['spent', 'spent'], 'false'],
] as const)('whether a call is to be repeated follows from all accounts: %s', async (_, retries, accounts, hint) => {
  ;[status, body] = [429, spent]
  await setOption('RetryTimes', retries)
  using limited = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json(errorBody('slow down', 'requests'), { status: 429 }),
  })
  const servers = { spent: upstream, limited }
  for (const [at, account] of accounts.entries())
    await channelTo(`http://127.0.0.1:${servers[account].port}`, { auto_ban: 0, priority: -at })
  expect(shouldRetry(await ann.chat())).toBe(hint)
  await setOption('RetryTimes', 0)
})
