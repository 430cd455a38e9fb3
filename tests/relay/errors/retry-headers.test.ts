/** What tells clients whether and when to repeat a call: `x-should-retry`, `retry-after`, `retry-after-ms`, Google's details. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { formats } from '../../../src/formats/index.ts'
import { holdClock, now, now_ms, shiftClock } from '../../../src/process/clock.ts'
import { apiRoutes } from '../../../src/relay/endpoints/table.ts'
import { isOfThisSite } from '../../../src/relay/request/api-language.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client } from '../../support/people/client.ts'
import { chat, refuses } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { errorBody } from '../../support/upstream/openai.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

let ann: Client

beforeEach(async () => {
  holdClock(true)
  shiftClock(10)
  await setOption('RetryTimes', 3)
  await deleteChannels()
  ann = await client()
})
afterEach(() => holdClock(false))

const shouldRetry = (response: Response) => response.headers.get('x-should-retry')
const hintsOf = ({ headers }: Response) => [headers.get('retry-after'), headers.get('retry-after-ms')]

describe('x-should-retry', () => {
  test('is false on every path for a wrong key, and shown to pages of other sites', async () => {
    const paths = apiRoutes.filter(route => route.handle && !isOfThisSite(route))
    for (const { method, path } of paths) {
      const url =
        ann.url +
        path
          .replace('*', 'gpt-4o')
          .replace(/:(?!\w+$)\w+/g, 'x')
          .replace(/\/:\w+/g, '/x')
      const init = { method, headers: { authorization: 'Bearer sk-wrong', 'content-type': 'application/json' } }
      const response = await fetch(url, method === 'GET' || method === 'DELETE' ? init : { ...init, body: '{}' })
      if (response.ok) continue
      expect([path, shouldRetry(response)]).toEqual([path, 'false'])
      expect(response.headers.get('access-control-expose-headers')).toContain(
        'retry-after, retry-after-ms, x-should-retry',
      )
    }
    expect(paths.length).toBeGreaterThan(20)
  })

  test.each(formats)('is false for clients of %s without quota, without the model or with a bad body', async format => {
    await channelFor(format)
    const poor = await client({}, 1)
    expect(shouldRetry(await callIn(format, poor))).toBe('false')
    expect(shouldRetry(await ann.chat({ model: 'no-such-model' }))).toBe('false')
    serverOf(format).scripts(answer => answer.json({ error: { message: 'temperature is too high' } }, 400))
    expect(shouldRetry(await callIn(format, ann))).toBe('false')
  })

  test.each([401, 402, 403])('is false when every channel refuses with %s', async status => {
    for (let channel = 0; channel < 2; channel++)
      await served(answers(status, errorBody('no', 'other')), { auto_ban: 0 })
    const response = await ann.chat()
    expect([response.status, shouldRetry(response)]).toEqual([502, 'false'])
  })

  test('is absent while another channel may serve', async () => {
    await served(refuses(401), { priority: 9, auto_ban: 0 })
    await served(refuses(500), { auto_ban: 0 })
    expect(shouldRetry(await ann.chat())).toBeNull()
    await deleteChannels()
    await setOption('RetryTimes', 0)
    await served(refuses(401), { priority: 9, auto_ban: 0 })
    await served(chat())
    const response = await ann.chat()
    expect([response.status, shouldRetry(response)]).toEqual([502, null])
  })

  test.each([500, 503, 429])('is absent after %s of the upstream', async status => {
    await served(refuses(status))
    expect(shouldRetry(await ann.chat())).toBeNull()
  })

  test('stops the official SDKs after one call', async () => {
    const { calls } = await served(refuses(401), { auto_ban: 0 })
    const settings = { apiKey: `sk-${ann.key}`, maxRetries: 5 }
    const openai = new OpenAI({ ...settings, baseURL: `${ann.url}/v1` })
    const anthropic = new Anthropic({ ...settings, baseURL: ann.url })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const failed = await openai.chat.completions.create({ model: 'gpt-4o', messages }).catch((error: Error) => error)
    expect(String(failed)).toContain('credentials')
    expect(calls()).toBe(1)
    const other = await anthropic.messages
      .create({ model: 'gpt-4o', max_tokens: 9, messages })
      .catch((error: Error) => error)
    expect(String(other)).toContain('credentials')
    expect(calls()).toBe(2)
  })
})

const rateLimit = (message = 'Rate limit reached', headers: Record<string, string> = {}) =>
  answers(429, errorBody(message, 'requests', 'rate_limit_exceeded'), headers)

/** Name, words, headers, and what becomes of them; of a date, the fraction of the second is not known here. */
const hints: [string, string, () => Record<string, string>, string, string][] = [
  ['Retry-After', '', () => ({ 'retry-after': '7' }), '7', '7000'],
  ['a date', '', () => ({ 'retry-after': new Date(Math.floor(now_ms() / 1000) * 1000 + 7000).toUTCString() }), '7', ''],
  ['milliseconds', '', () => ({ 'retry-after-ms': '1234', 'retry-after': '7' }), '2', '1234'],
  ["OpenAI's words", 'Limit 30000, Used 29000. Please try again in 1.2s. Visit', () => ({}), '2', '1200'],
  ["OpenAI's words of minutes", 'Please try again in 6m0s.', () => ({}), '360', '360000'],
  ["OpenAI's words of moments", 'Please try again in 120ms.', () => ({}), '1', '120'],
  ["Gemini's words", 'Please retry in 34.074824224s.', () => ({}), '35', '34075'],
  ["Azure's words", 'Please retry after 6 seconds. Please go here', () => ({}), '6', '6000'],
  [
    "OpenAI's headers",
    '',
    () => ({
      'x-ratelimit-remaining-requests': '99',
      'x-ratelimit-reset-requests': '1h',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m1.5s',
    }),
    '362',
    '361500',
  ],
  [
    "Anthropic's headers",
    '',
    () => ({
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': new Date((now() + 12) * 1000).toISOString(),
    }),
    '12',
    '',
  ],
  [
    "OpenRouter's headers",
    '',
    () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((now() + 12) * 1000) }),
    '12',
    '',
  ],
  [
    'unix seconds',
    '',
    () => ({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': String(now() + 12) }),
    '12',
    '',
  ],
]

describe('hints', () => {
  test.each(hints)('%s becomes retry-after and retry-after-ms', async (_, message, headers, seconds, ms) => {
    await served(rateLimit(message || undefined, headers()))
    const response = await ann.chat()
    const [after = '', after_ms = ''] = hintsOf(response) as string[]
    expect(after).toBe(seconds)
    expect(after_ms).toContain(ms)
    expect(Math.ceil(Number(after_ms) / 1000)).toBe(Number(seconds))
  })

  test.each([
    ['a limit that is not used up', { 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6m' }],
    ['a hint of nothing', { 'retry-after': '0' }],
    ['a hint without sense', { 'retry-after': 'soon', 'retry-after-ms': '-5' }],
    ['a hint of years', { 'retry-after': '99999999999' }],
  ])('%s is none', async (_, headers) => {
    await served(rateLimit(undefined, headers as Record<string, string>))
    expect(hintsOf(await ann.chat())).toEqual([null, null])
  })

  test('a hint in words rests the model for as long', async () => {
    const { calls, scripts } = await served(rateLimit('Please try again in 20s.'))
    await ann.chat()
    expect(hintsOf(await ann.chat())).toEqual(['20', '20000'])
    scripts(chat())
    shiftClock(20)
    expect((await ann.chat()).status).toBe(200)
    expect(calls()).toBe(2)
  })

  test("the gateway's own limits have both headers", async () => {
    await setOption('UserConcurrencyLimit', 1)
    const gate = Promise.withResolvers<void>()
    await served(async (call, answer) => {
      await gate.promise
      return chat()(call, answer)
    })
    const calls = [ann.chat(), ann.chat()]
    const first = await Promise.race(calls)
    expect([first.status, ...hintsOf(first)]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+000$/),
    ])
    gate.resolve()
    await Promise.all(calls)
    await setOption('UserConcurrencyLimit', 0)
  })
})

const RPC = 'type.googleapis.com/google.rpc.'
const limitOfGoogle = (quotaId: string) => ({
  error: {
    code: 429,
    // Models of Vertex say the delay in no words.
    message: 'You exceeded your current quota of projects/1234567.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': `${RPC}Help`, links: [{ url: 'https://console.cloud.google.com/project/1234567' }] },
      {
        '@type': `${RPC}QuotaFailure`,
        violations: [
          { subject: 'project:1234567', quotaMetric: 'metrics/1234567', quotaId, quotaDimensions: { model: 'm' } },
        ],
      },
      {
        '@type': `${RPC}ErrorInfo`,
        reason: 'RATE_LIMIT_EXCEEDED',
        domain: 'googleapis.com',
        metadata: { consumer: 'projects/1234567', quota_limit: 'PerMinute', quota_location: 'global/1234567' },
      },
      { '@type': `${RPC}RetryInfo`, retryDelay: '34.07s' },
    ],
  },
})

describe("Google's details", () => {
  test.each(['GenerateRequestsPerDayPerProjectPerModel-FreeTier', 'GenerateRequestsPerMinutePerProjectPerModel'])(
    'clients of Gemini learn of %s and the delay, and not of the project',
    async quotaId => {
      await channelFor('gemini')
      serverOf('gemini').scripts(answer => answer.json(limitOfGoogle(quotaId), 429))
      const response = await callIn('gemini', ann)
      expect(hintsOf(response)).toEqual(['35', '34070'])
      const text = await response.text()
      expect(text).not.toContain('1234567')
      expect((JSON.parse(text) as { error: Json }).error.details).toEqual([
        {
          '@type': `${RPC}ErrorInfo`,
          reason: 'RATE_LIMIT_EXCEEDED',
          domain: 'googleapis.com',
          metadata: { quota_limit: 'PerMinute' },
        },
        { '@type': `${RPC}QuotaFailure`, violations: [{ quotaId }] },
        { '@type': `${RPC}RetryInfo`, retryDelay: '34.07s' },
      ])
    },
  )

  test('other upstreams and the gateway itself give clients of Gemini the delay', async () => {
    await channelFor('openai-chat')
    serverOf('openai-chat').scripts(answer =>
      answer.json(errorBody('slow down', 'requests'), 429, { 'retry-after': '9' }),
    )
    for (let turn = 0; turn < 2; turn++) {
      const { error } = (await (await callIn('gemini', ann)).json()) as { error: Json }
      expect(error.details).toEqual([{ '@type': `${RPC}RetryInfo`, retryDelay: '9s' }])
    }
  })

  test('clients of other formats get headers alone', async () => {
    await channelFor('gemini')
    serverOf('gemini').scripts(answer => answer.json(limitOfGoogle('PerDay'), 429))
    const response = await callIn('anthropic', ann)
    expect(hintsOf(response)).toEqual(['35', '34070'])
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: expect.any(String) },
    })
  })
})

describe('an overloaded upstream', () => {
  test.each(formats.flatMap(format => [503, 529].map(status => [status, format] as const)))(
    'status %s becomes the one that clients of %s know',
    async (status, format) => {
      await channelFor('openai-chat')
      serverOf('openai-chat').scripts(answer => answer.json(errorBody('Overloaded', 'overloaded_error'), status))
      const expected = format === 'anthropic' ? 529 : 503
      for (let turn = 0; turn < 6; turn++) {
        const response = await callIn(format, ann)
        expect(response.status).toBe(expected)
        const { error } = (await response.json()) as { error: Json }
        if (format === 'anthropic') expect(error.type).toBe('overloaded_error')
        if (format === 'gemini') expect(error).toMatchObject({ code: 503, status: 'UNAVAILABLE' })
      }
    },
  )

  test("the operator's own status stays", async () => {
    await channelFor('openai-chat', { status_code_mapping: '{"529":"503"}' })
    serverOf('openai-chat').scripts(answer => answer.json(errorBody('Overloaded', 'overloaded_error'), 529))
    expect((await callIn('anthropic', ann)).status).toBe(503)
  })
})
