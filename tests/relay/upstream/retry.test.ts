/** Which failures are retried, and which disable a channel. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, client, quotaOf, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { channelNow } from '../../support/upstream/channel.ts'
import { chat, closesAfter, hangs, hangsAfter, streams } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { channelOf, upstreamOf } from '../../support/upstream/format-upstreams.ts'
import { errorBody, type Script } from '../../support/upstream/openai.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 3)
  await setOption('SettleAfterLeave', 1)
  await setOption('AutomaticDisableChannelEnabled', true)
  await deleteChannels()
  ann = await client()
})
afterAll(() => setOption('AutomaticDisableChannelEnabled', false))

const usage = { prompt_tokens: 10, completion_tokens: 4 }
const good = chat({ usage })
const failing = (status: number, body: unknown = errorBody('It failed', 'server_error')) => answers(status, body)

describe('retries on another channel', () => {
  test.each([401, 402, 403, 404, 429, 500, 502, 503, 529])('status %d is retried', async status => {
    const first = await served(failing(status), { priority: 9 })
    const second = await served(good)
    expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([1, 1])
    const [entry] = await logsOf(ann.person)
    expect(entry.other.admin_info.use_channel).toEqual([first.id, second.id].map(String))
    expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
  })

  test.each([400, 408, 504, 524])('status %d is not retried', async status => {
    await served(failing(status), { priority: 9 })
    const second = await served(good)
    expect((await ann.chat()).status).not.toBe(200)
    expect(second.calls()).toBe(0)
    expect(await ann.balance()).toBe(RICH)
  })

  test('status 400 is retried from Anthropic only', async () => {
    const error = { type: 'invalid_request_error', message: 'messages: at least one is required' }
    const moody = await upstreamOf('anthropic')
    moody.scripts(answer => answer.json({ type: 'error', error }, 400))
    const first = await channelOf('anthropic', moody, { priority: 9 })
    for (const status_code_mapping of ['', '{"400":"500"}']) {
      await (await setUp()).put('/api/channel/', { id: first.id, status_code_mapping })
      const second = await served(good, { priority: 5 })
      for (const stream of [false, true]) expect((await ann.chat({ stream })).status).toBe(200)
      expect(second.calls()).toBe(2)
      await (await setUp()).delete(`/api/channel/${second.id}/`)
    }
    expect(moody.asked).toHaveLength(4)
    expect((await channelNow(first.id)).status).toBe(1)

    await (await setUp()).put('/api/channel/', { id: first.id, status_code_mapping: '' })
    expect(await errorOf(await ann.chat())).toMatchObject({
      status: 400,
      message: expect.stringContaining(error.message),
    })
    expect(moody.violations).toEqual([])
  })

  test.each([401, 429, 500])('status %d inside a 200 is retried, whole and as the first event', async status => {
    const body = errorBody('It failed', 'server_error', String(status))
    const inside: Script = (call, answer) =>
      call.body.stream ? streams([`data: ${JSON.stringify(body)}\n\n`])(call, answer) : answer.json(body)
    await setOption('AutomaticDisableChannelEnabled', false)
    const first = await served(inside, { priority: 9 })
    const second = await served(good)
    for (const stream of [false, true]) {
      const response = await ann.chat({ stream })
      expect(response.status).toBe(200)
      expect(await response.text()).not.toContain('It failed')
    }
    expect([first.calls(), second.calls()]).toEqual([2, 2])
  })

  test('a stream that is silent or ends before its first event is retried', async () => {
    const restore = setEnv({ STREAM_IDLE_TIMEOUT: 0.2 })
    const silent = await served(hangsAfter(0), { priority: 9 })
    const ended = await served(closesAfter(0), { priority: 5 })
    await served(good)
    const stream = await readStream(await ann.stream())
    restore()
    expect(stream).toMatchObject({ text: 'Hello there', done: true })
    expect([silent.calls(), ended.calls()]).toEqual([1, 1])
    expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
  })
})

test('nothing is retried after the client disconnected', async () => {
  // A whole response would be awaited, for its bill, for a minute.
  await setOption('SettleAfterLeave', 0)
  const first = await served(hangs(), { priority: 9 })
  const second = await served(good)
  const stay = new AbortController()
  const call = ann.chat({}, { signal: stay.signal }).catch(() => undefined)
  await until(() => first.calls())
  stay.abort()
  await call
  await until(async () => (await first.upstream.journal[0]!.ended) === 'aborted')
  expect(second.calls()).toBe(0)
})

const fatal: [string, number, unknown, Record<string, unknown>?][] = [
  ['401', 401, errorBody('No', 'x')],
  ['a wrong key', 400, errorBody('No', 'x', 'invalid_api_key')],
  ['a closed account', 403, errorBody('No', 'x', 'account_deactivated')],
  ['an unpaid one', 429, errorBody('No', 'x', 'billing_not_active')],
  ['no quota', 429, errorBody('No', 'insufficient_quota')],
  ['no quota at another gateway', 403, errorBody('No', 'insufficient_user_quota')],
  ['no authentication', 500, errorBody('No', 'authentication_error')],
  ['no permission', 403, errorBody('No', 'permission_error')],
  ['a ban', 403, errorBody('No', 'forbidden')],
  ['no account of Midjourney', 500, errorBody('No', 'no_account')],
  ['a phrase of the operator’s', 500, errorBody('Sorry: THIS ORGANIZATION HAS BEEN DISABLED.', 'x')],
  [
    'such a phrase where the request is blamed',
    400,
    errorBody('Your credit balance is too low to go on', 'invalid_request_error'),
  ],
  ['it inside a 200', 200, errorBody('You exceeded your current quota', 'x')],
  ['it, told as something harmless', 401, errorBody('No', 'x'), { status_code_mapping: '{"401":"400"}' }],
]

describe('disabling on fatal errors', () => {
  test.each(fatal)('%s disables the channel once, with the reason', async (_, status, body, fields = {}) => {
    const lost = await served(failing(status, body), { priority: 9, ...fields })
    const other = await served(good)
    await Promise.all([ann.chat(), ann.chat(), ann.chat()])
    const { status: now, other_info } = await channelNow(lost.id)
    expect(now).toBe(3)
    expect(JSON.parse(other_info)).toEqual({ status_reason: expect.any(String), status_time: expect.any(Number) })
    expect((await channelNow(other.id)).status).toBe(1)
    const notes = (await logsOf(await setUp(), 4)).filter((note: any) => note.channel === lost.id)
    expect(notes).toHaveLength(1)
    expect(notes[0].content).toContain(lost.name)
    const before = lost.calls()
    await ann.chat()
    expect(lost.calls()).toBe(before)
  })

  test.each([
    ['an outage', 500, errorBody('It is broken', 'server_error')],
    ['a limit', 429, errorBody('Rate limit reached', 'requests', 'rate_limit_exceeded')],
    ['a refusal of the region', 403, errorBody('Country not supported', 'request_forbidden')],
    ['a request that it does not like', 400, errorBody('Bad: you exceeded your current quota of words', 'x')],
  ])('%s disables nothing', async (_, status, body) => {
    const { id } = await served(failing(status, body))
    await ann.chat()
    expect((await channelNow(id)).status).toBe(1)
  })

  test('channels without auto_ban and disabled options keep the channel enabled', async () => {
    const kept = await served(failing(401), { auto_ban: 0 })
    await ann.chat()
    expect((await channelNow(kept.id)).status).toBe(1)
    await setOption('AutomaticDisableChannelEnabled', false)
    const other = await served(failing(401), { priority: 9 })
    await ann.chat()
    expect((await channelNow(other.id)).status).toBe(1)
  })
})

const phrase = 'You exceeded your current quota'
const disguises: [string, string][] = [
  ['as it is', phrase],
  ['in capitals', phrase.toUpperCase()],
  ['with room between', 'You  exceeded\n your\tcurrent quota'],
  ['in full width', 'Ｙｏｕ ｅｘｃｅｅｄｅｄ ｙｏｕｒ ｃｕｒｒｅｎｔ ｑｕｏｔａ'],
  ['in the wrong order', 'current quota: exceeded by you and your'],
  ['with marks in it', 'You-exceeded-your-current-quota'],
]

describe('error texts quoted from a client', () => {
  test.each(disguises)('the text %s disables nothing', async (_, content) => {
    for (const status of [400, 403, 422, 429, 500]) {
      const { id } = await served(failing(status, errorBody(`${phrase}, you wrote`, 'server_error')))
      await ann.chat({ messages: [{ role: 'user', content }] })
      expect((await channelNow(id)).status).toBe(1)
      await deleteChannels()
    }
  })
})

test('after several failures the last status is returned and each attempt is logged', async () => {
  await setOption('LogErrorEnabled', true)
  const ids = []
  for (const [index, status] of [500, 503, 429].entries()) {
    ids.push((await served(failing(status), { priority: 9 - index })).id)
  }
  expect((await ann.chat()).status).toBe(429)
  await setOption('LogErrorEnabled', false)
  const entries = await logsOf(ann.person, 6)
  expect(entries.map((entry: any) => entry.other.status_code)).toEqual([429, 503, 500])
  expect(entries.map((entry: any) => entry.channel)).toEqual(ids.reverse())
  expect(await ann.balance()).toBe(RICH)
})
