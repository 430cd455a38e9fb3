/** Limits of channels, set by operators and reported by makers: a full target is passed over. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { callQueue } from '../../../src/domain/routing/limits/call-queue.ts'
import { holdClock, shiftClock } from '../../../src/process/clock.ts'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, gate } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'

const limited = (setting: object, fields: object = {}) => ({ setting: JSON.stringify(setting), ...fields })
/** The window of limits is a second longer than a minute. */
const WINDOW_SECONDS = 61

beforeEach(async () => {
  holdClock(true)
  shiftClock(100)
  await setOption('QueueTimeout', 10)
  await deleteChannels()
})
afterEach(() => holdClock(false))
afterAll(() => setOption('QueueTimeout', 10))

const statusesOf = async (calls: Promise<Response>[]) => {
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  return { ok: statuses.filter(status => status === 200).length, limited: statuses.filter(one => one === 429).length }
}

describe('a full target', () => {
  test('a call for several choices takes the output of all of them', async () => {
    const first = await served(chat(), limited({ tpm: 1000 }, { priority: 10 }))
    const second = await served(chat())
    const ann = await client()
    for (const n of [2, 3]) expect((await ann.chat({ n, max_tokens: 400 })).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([1, 1])
  })

  test.each([
    ['rpm', { rpm: 2 }],
    ['key_rpm', { key_rpm: 2 }],
    ['model_limits', { model_limits: { 'gpt-4o': { rpm: 2 } } }],
  ])('a channel limit of %s sends the third call of a minute to the next channel', async (_name, setting) => {
    const first = await served(chat(), limited(setting, { priority: 10 }))
    const second = await served(chat())
    const ann = await client()
    for (let turn = 0; turn < 5; turn++) expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([2, 3])
    shiftClock(WINDOW_SECONDS)
    expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([3, 3])
  })

  test.each([
    ['each key', { key_rpm: 2 }],
    ['a model', { model_limits: { 'gpt-4o': { rpm: 2 } } }],
  ])('a limit of %s is filled at one key after the other', async (_scope, setting) => {
    const keys = ['sk-number-one', 'sk-number-two']
    const { upstream } = await served(chat(), limited(setting, { key: keys.join('\n') }))
    for (const key of keys) upstream.keys.add(key)
    await setOption('QueueTimeout', 0)
    const ann = await client()
    const { ok } = await statusesOf(Array.from({ length: 6 }, () => ann.chat()))
    expect(ok).toBe(4)
    for (const key of keys) expect(upstream.journal.filter(call => call.key === key)).toHaveLength(2)
  })

  test('a limit of tokens counts prompt and requested output, and is corrected by what was used', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    const { calls } = await served(chat({ usage }), limited({ tpm: 1000 }))
    await setOption('QueueTimeout', 0)
    const ann = await client()
    // 20 of 900 are used each time.
    for (let turn = 0; turn < 5; turn++) expect((await ann.chat({ max_tokens: 900 })).status).toBe(200)
    expect((await ann.chat({ max_tokens: 950 })).status).toBe(429)
    expect((await ann.chat({ max_tokens: 800 })).status).toBe(200)
    expect(calls()).toBe(6)
  })

  test('one call with more tokens than the limit is served when nothing else is in the window', async () => {
    await served(chat(), limited({ tpm: 100 }))
    const ann = await client()
    expect((await ann.chat({ max_tokens: 900 })).status).toBe(200)
  })

  test('a call that finds every channel full for longer than the queue waits is refused with the time', async () => {
    await served(chat(), limited({ rpm: 1 }))
    const ann = await client()
    expect((await ann.chat()).status).toBe(200)
    shiftClock(20)
    const refused = await ann.chat()
    expect(refused.headers.get('retry-after')).toBe(String(WINDOW_SECONDS - 20))
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'channels_full' })
  })
})

describe('tokens and running calls', () => {
  test.each([
    ['key_tpm', { key_tpm: 1000 }],
    ['model_limits', { model_limits: { 'gpt-4o': { tpm: 1000 } } }],
  ])('tokens of %s send the third call of a minute to the next channel', async (_name, setting) => {
    const usage = { prompt_tokens: 10, completion_tokens: 390, total_tokens: 400 }
    const first = await served(chat({ usage }), limited(setting, { priority: 10 }))
    const second = await served(chat({ usage }))
    const ann = await client()
    for (let turn = 0; turn < 5; turn++) expect((await ann.chat({ max_tokens: 390 })).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([2, 3])
    shiftClock(WINDOW_SECONDS)
    expect((await ann.chat({ max_tokens: 390 })).status).toBe(200)
    expect(first.calls()).toBe(3)
  })

  test.each([
    ['concurrency', { concurrency: 2 }],
    ['key_concurrency', { key_concurrency: 2 }],
    ['model_limits', { model_limits: { 'gpt-4o': { concurrency: 2 } } }],
  ])('running calls of %s send the third one to the next channel until one ends', async (_name, setting) => {
    const { script, open } = gate()
    const first = await served(script, limited(setting, { priority: 10 }))
    const second = await served(chat())
    const ann = await client()
    const running = await Promise.all([ann.stream(), ann.stream()])
    for (let turn = 0; turn < 2; turn++) expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([2, 2])
    open()
    for (const stream of running) await stream.text()
    await (await ann.stream()).text()
    expect([first.calls(), second.calls()]).toEqual([3, 2])
  })
})

describe('headers of makers', () => {
  const spent = (reset: string, remaining = '0') => ({
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': remaining,
    'x-ratelimit-reset-requests': reset,
  })
  const saying = (headers: Record<string, string>) => answers(200, { ...hello, model: 'gpt-4o' }, headers)
  const hello = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
  }

  test('a target of which the maker says that nothing remains is passed over until its reset', async () => {
    const first = await served(saying(spent('30s')), { priority: 10 })
    const second = await served(chat())
    const ann = await client()
    for (let turn = 0; turn < 3; turn++) expect((await ann.chat()).status).toBe(200)
    expect([first.calls(), second.calls()]).toEqual([1, 2])
    shiftClock(31)
    expect((await ann.chat()).status).toBe(200)
    expect(first.calls()).toBe(2)
  })

  test('a call waits for a reset within the time of the queue', async () => {
    const { calls } = await served(saying(spent('2s')))
    const ann = await client()
    expect((await ann.chat()).status).toBe(200)
    const waiting = ann.chat()
    await until(() => callQueue.size === 1, 'a call in the queue')
    shiftClock(3)
    expect((await waiting).status).toBe(200)
    expect(calls()).toBe(2)
  })

  test('a reset hours ahead is believed for ten minutes', async () => {
    const { calls } = await served(saying(spent('9h')))
    const ann = await client()
    expect((await ann.chat()).status).toBe(200)
    expect((await ann.chat()).headers.get('retry-after')).toBe('600')
    shiftClock(601)
    expect((await ann.chat()).status).toBe(200)
    expect(calls()).toBe(2)
  })

  test.each([
    ['a reset in the year 2100', spent('2100-01-01T00:00:00Z')],
    ['a reset in the past', spent('2020-01-01T00:00:00Z')],
    ['a huge reset', spent('999999999999999999999')],
    ['a reset that is no time', spent('soon')],
    ['a negative reset', spent('-5s')],
    ['less than nothing that remains', spent('30s', '-1')],
    ['a rest that is no number', spent('30s', 'NaN')],
    ['an endless rest', spent('30s', 'Infinity')],
    ['no reset', { 'x-ratelimit-remaining-requests': '0' }],
  ])('%s is not believed', async (_lie, headers) => {
    const { calls } = await served(saying(headers))
    const ann = await client()
    for (let turn = 0; turn < 2; turn++) expect((await ann.chat()).status).toBe(200)
    expect(calls()).toBe(2)
  })
})
