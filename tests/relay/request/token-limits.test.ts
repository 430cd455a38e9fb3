/** Tokens per minute of a key and of a user: exact under parallel calls, corrected by what was used. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Token } from '../../../src/contracts/token.ts'
import { holdClock, shiftClock } from '../../../src/process/clock.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf, MODEL } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { play, playError } from '../../support/people/playground.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, hangs, hangsAfter, refuses } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
/** What an answer says to have used. */
const answers = (tokens: number) =>
  upstream.scripts(MODEL, chat({ usage: { prompt_tokens: 10, completion_tokens: tokens - 10, total_tokens: tokens } }))

beforeEach(() => {
  holdClock(true)
  shiftClock(100)
  answers(20)
})
afterEach(async () => {
  holdClock(false)
  for (const name of ['KeyTokensPerMinute', 'UserTokensPerMinute', 'UserConcurrencyLimit']) await setOption(name, 0)
  await setOption('global.rate_limit_exempt_enabled', false)
})

async function statusesOf(who: Client, count: number, fields: Record<string, unknown>) {
  const responses = await Promise.all(Array.from({ length: count }, () => who.chat(fields)))
  for (const response of responses) await response.text()
  return responses.map(({ status }) => status)
}

test('calls of one key hold prompt and requested output, so that parallel ones never exceed its limit', async () => {
  await setOption('KeyTokensPerMinute', 1000)
  const ann = await client()
  const beside = await clientOf(ann.person)
  const statuses = await statusesOf(ann, 40, { max_tokens: 300 })
  expect(statuses.filter(status => status === 200)).toHaveLength(3)
  expect(statuses.filter(status => status === 429)).toHaveLength(37)
  expect((await beside.chat({ max_tokens: 300 })).status).toBe(200)
})

test('a call counts with what it has used once it has ended, and leaves the window after a minute', async () => {
  await setOption('KeyTokensPerMinute', 1000)
  const ann = await client()
  // 20 of some 910 are used each time.
  for (let turn = 0; turn < 5; turn++) expect(await statusesOf(ann, 1, { max_tokens: 850 })).toEqual([200])
  answers(900)
  expect(await statusesOf(ann, 1, { max_tokens: 850, stream: true })).toEqual([200])
  shiftClock(20)
  const refused = await ann.chat({ max_tokens: 50 })
  expect(refused.headers.get('retry-after')).toBe('40')
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_tokens_by_key' })
  shiftClock(40)
  expect(await statusesOf(ann, 1, { max_tokens: 850 })).toEqual([200])
})

test('a call that fails takes no tokens, and one above the limit is served in an empty window', async () => {
  await setOption('KeyTokensPerMinute', 100)
  const ann = await client()
  upstream.scripts(MODEL, refuses(400))
  for (let turn = 0; turn < 4; turn++) expect(await statusesOf(ann, 1, { max_tokens: 80 })).toEqual([400])
  answers(20)
  expect(await statusesOf(ann, 1, { max_tokens: 5000 })).toEqual([200])
  expect(await statusesOf(ann, 1, { max_tokens: 5000 })).toEqual([429])
})

test('a stream that its client leaves counts with what it has used', async () => {
  await setOption('KeyTokensPerMinute', 1000)
  await setOption('SettleAfterLeave', 0)
  const ann = await client()
  upstream.scripts(MODEL, hangsAfter(3))
  const leave = new AbortController()
  const stream = await ann.stream({ max_tokens: 900 }, { signal: leave.signal })
  await stream.body!.getReader().read()
  expect(await statusesOf(ann, 1, { max_tokens: 900 })).toEqual([429])
  leave.abort()
  answers(20)
  while ((await statusesOf(ann, 1, { max_tokens: 900 }))[0] !== 200) await Bun.sleep(10)
  await setOption('SettleAfterLeave', 10)
})

test('a call whose client leaves before the answer counts with the prompt that it pays', async () => {
  await setOption('KeyTokensPerMinute', 1000)
  const ann = await client()
  upstream.scripts(MODEL, hangs())
  const leave = new AbortController()
  await setOption('SettleAfterLeave', 0)
  const before = upstream.journal.length
  const left = ann
    .chat({ messages: [{ role: 'user', content: 'word '.repeat(500) }] }, { signal: leave.signal })
    .catch(() => {})
  await until(() => upstream.journal.length > before)
  leave.abort()
  await left
  await until(async () => (await logsOf(ann.person)).length)
  answers(20)
  expect(await statusesOf(ann, 1, { max_tokens: 700 })).toEqual([429])
  expect(await statusesOf(ann, 1, { max_tokens: 300 })).toEqual([200])
  await setOption('SettleAfterLeave', 10)
})

test('the limit of a user counts all keys and the playground together, and no other user', async () => {
  await setOption('UserTokensPerMinute', 1000)
  answers(450)
  const ann = await client()
  const second = await clientOf(ann.person)
  const bob = await client()
  expect(await statusesOf(ann, 1, {})).toEqual([200])
  expect(await statusesOf(second, 1, {})).toEqual([200])
  const refused = await play(ann.person, { max_tokens: 200 })
  expect(await playError(refused)).toMatchObject({ status: 429, code: 'too_many_tokens' })
  expect(await statusesOf(second, 1, { max_tokens: 200 })).toEqual([429])
  expect(await statusesOf(bob, 1, { max_tokens: 200 })).toEqual([200])
})

test.each([
  ['its own limit', { KeyTokensPerMinute: 0 }, 1000],
  ['the limit of the site below its own', { KeyTokensPerMinute: 600 }, 1000],
  ['its own limit below that of the site', { KeyTokensPerMinute: 100_000 }, 600],
] as const)('parallel calls of a key never exceed %s', async (_, { KeyTokensPerMinute }, tokens_per_minute) => {
  await setOption('KeyTokensPerMinute', KeyTokensPerMinute)
  const ann = await client({ tokens_per_minute })
  const beside = await clientOf(ann.person)
  const least = Math.min(tokens_per_minute, KeyTokensPerMinute || tokens_per_minute)
  const statuses = await statusesOf(ann, 40, { max_tokens: 190 })
  expect(statuses.filter(status => status === 200)).toHaveLength(Math.floor(least / 200))
  expect((await beside.chat({ max_tokens: 190 })).status).toBe(200)
  const { id } = (await ann.person.get('/api/token/')).data.find((key: Token) => key.tokens_per_minute)
  await ann.person.put('/api/token/', { id, tokens_per_minute: 0 })
  await setOption('KeyTokensPerMinute', 0)
  expect((await ann.chat({ max_tokens: 1900 })).status).toBe(200)
})

test.each([
  ['more than the site gives', 600, 1000],
  ['less than the site gives', 100_000, 600],
])('parallel calls of all keys of a user never exceed the own limit, %s', async (_, of_site, own) => {
  await setOption('UserTokensPerMinute', of_site)
  const ann = await client()
  const second = await clientOf(ann.person)
  const root = await setUp()
  await root.put('/api/user/', { id: ann.person.id, tokens_per_minute: own })
  expect((await ann.person.get('/api/user/self')).data.tokens_per_minute).toBe(own)
  const statuses = await Promise.all([ann, second].map(who => statusesOf(who, 20, { max_tokens: 190 })))
  expect(statuses.flat().filter(status => status === 200)).toHaveLength(Math.floor(own / 200))
})

test('calls of the playground have no limit by key, and those of an exempt group have none', async () => {
  await setOption('KeyTokensPerMinute', 100)
  await setOption('GroupRatio', JSON.stringify({ default: 1 }))
  const ann = await client()
  for (let turn = 0; turn < 3; turn++) expect((await play(ann.person, { max_tokens: 90 })).status).toBe(200)
  await setOption('global.rate_limit_exempt_group', 'default')
  await setOption('global.rate_limit_exempt_enabled', true)
  expect(await statusesOf(ann, 5, { max_tokens: 90 })).toEqual([200, 200, 200, 200, 200])
})

test('refusals are in the format and language of the client', async () => {
  await setOption('KeyTokensPerMinute', 100)
  answers(90)
  const ann = await client()
  expect(await statusesOf(ann, 1, {})).toEqual([200])
  const messages = [{ role: 'user', content: 'Hello' }]
  const inAnthropics = await ann.postTo('/v1/messages', { model: MODEL, max_tokens: 90, messages })
  expect(await inAnthropics.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
  const inGoogles = await ann.postTo(`/v1beta/models/${MODEL}:generateContent`, {
    contents,
    generationConfig: { maxOutputTokens: 90 },
  })
  expect(await inGoogles.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })
  const inChinese = await ann.chat({ max_tokens: 90 }, { headers: { 'accept-language': 'zh' } })
  expect((await errorOf(inChinese)).message).toContain('每分钟最多使用 100 个 token')
})
