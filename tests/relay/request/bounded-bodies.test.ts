// @engine sqlite
/** Bodies made to be slow or large: what is refused, in which order, and what a call holds of the body budget. */
import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { chatBody, client, MODEL } from '../../support/people/client.ts'
import { smallHostileBody } from '../../support/people/hostile-bodies.ts'
import { errorOf } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

/** Printed where a test fails. */
const randomSeed = Math.floor(Math.random() * 2 ** 31)
const MEGABYTE = 1_048_576
const bodyWith = (field: string) => JSON.stringify(chatBody()).replace('{', `{"x":${field},`)
const zipped = (body: string) => ann.post(gzipSync(body), { headers: { 'content-encoding': 'gzip' } })
const asText = (text: string) => chatBody({ messages: [{ role: 'user', content: text }] })

const heavy: [string, () => string, string][] = [
  ['numbers', () => `[${'1,'.repeat(2_000_000)}1]`, 'too_many_values'],
  ['numbers with a long one', () => `[${'1,'.repeat(2_000_000)}1234567890123456]`, 'too_many_values'],
  ['distinct keys', () => `{${Array.from({ length: 150_000 }, (_, at) => `"k${at}":1`)}}`, 'too_many_keys'],
  ['long numbers', () => `[${'12345678901234567,'.repeat(10_001)}1]`, 'too_many_long_numbers'],
  ['lists side by side', () => `[${'[],'.repeat(30_000)}1]`, 'too_many_pieces'],
  ['lists in lists', () => '['.repeat(200) + ']'.repeat(200), 'too_deep'],
  ['blanks', () => `${' '.repeat(8 * MEGABYTE)}1`, 'too_much_structure'],
  ['a long key', () => `{"${'k'.repeat(8 * MEGABYTE)}":1}`, 'too_much_structure'],
  ['one endless number', () => '1'.repeat(8 * MEGABYTE), 'too_much_structure'],
  ['half an escape in a long text', () => `"${'a'.repeat(MEGABYTE)}\\u12"`, 'invalid_json'],
  ['a line end in a long text', () => `"${'a'.repeat(MEGABYTE)}\n"`, 'invalid_json'],
  ['half a surrogate in a long text', () => `"${'a'.repeat(MEGABYTE)}\\ud83d"`, 'invalid_text'],
  ['U+0000 in a long text', () => `"${'a'.repeat(MEGABYTE)}\\u0000"`, 'invalid_text'],
  ['U+0000 beside a long text', () => `["${'a'.repeat(MEGABYTE)}","\\u0000"]`, 'invalid_text'],
]
test.each(heavy)('%s are refused before they are parsed', async (_, field, code) => {
  const before = upstream.journal.length
  expect(await errorOf(await ann.post(bodyWith(field())))).toMatchObject({ status: 400, code })
  expect(upstream.journal).toHaveLength(before)
})

test('a body that inflates to more than 100 times its size is refused', async () => {
  const bomb = bodyWith(`"${'a'.repeat(30 * MEGABYTE)}"`)
  expect(await errorOf(await zipped(bomb))).toMatchObject({ status: 413, code: 'inflates_too_much' })
  expect((await zipped(bodyWith(`"${'a'.repeat(MEGABYTE / 2)}"`))).status).toBe(200)
})

test('large bodies arrive as they were sent, with every escape and every digit', async () => {
  const texts = ['é', '中', '😀', '\\', '"', '\n', '\u0001', 'aé中😀\\"\n']
  for (const text of texts) {
    for (const lead of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
      const content = lead + text.repeat(Math.ceil(300_000 / text.length))
      const fields = `"x":[12345678901234567890,1e22,-0.5,1.5E-7,{"__proto__":"${'p'.repeat(300)}"}],`
      const body = JSON.stringify(asText(content)).replace('{', `{${fields}`)
      expect((await ann.post(body)).status).toBe(200)
      const { text: sent } = upstream.journal.at(-1)!
      expect(JSON.parse(sent).messages[0].content === content).toBe(true)
      expect(sent.includes('"x":[12345678901234567890,1e22,-0.5,1.5e-7,{"__proto__":"ppp')).toBe(true)
    }
  }
  const escaped = JSON.stringify(asText('@')).replace('@', '\\ud83d\\ude00\\u00e9'.repeat(50_000))
  expect((await ann.post(escaped)).status).toBe(200)
  expect(upstream.journal.at(-1)!.body.messages).toEqual([{ role: 'user', content: '😀é'.repeat(50_000) }])
})

test('an infinite number in a large body is refused by the name of its field', async () => {
  const body = JSON.stringify(asText('a'.repeat(500_000))).replace('{', '{"top_p":-1e999,')
  expect(await errorOf(await ann.post(body))).toMatchObject({ code: 'number_too_large', param: 'top_p' })
})

/** The head of a call whose body never comes. */
function headOnly(key: string, bytes: number): Promise<string> {
  const { hostname, port } = new URL(ann.url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname, () =>
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-${key}\r\ncontent-length: ${bytes}\r\n\r\n`,
    ),
  )
  socket.on('data', data => {
    resolve(data.toString())
    socket.destroy()
  })
  socket.on('error', reject)
  return promise
}

/** An upstream that answers nothing until it is let. */
function waiting() {
  const gate = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await gate.promise
    await chat()(call, answer)
  })
  return () => {
    gate.resolve()
    upstream.scripts(MODEL, chat())
  }
}

test('a call beyond a rate limit is refused without a byte of its body', async () => {
  const bob = await client()
  await setOption('UserConcurrencyLimit', 2)
  const let_go = waiting()
  const before = upstream.journal.length
  const running = [bob.chat(), bob.chat()]
  await until(() => upstream.journal.length === before + 2)
  expect(await headOnly(bob.key, 60 * MEGABYTE)).toStartWith('HTTP/1.1 429 ')
  let_go()
  for (const response of await Promise.all(running)) expect(response.status).toBe(200)
  // A refused body gives its place back.
  for (let turn = 0; turn < 3; turn++) expect((await bob.post('{')).status).toBe(400)
  expect((await bob.chat()).status).toBe(200)
  await setOption('UserConcurrencyLimit', 0)
})

test('the connection of a call that was refused with its body unread serves the next one', async () => {
  const bob = await client({ rate_limit_enabled: true, rate_limit_count: 1, rate_limit_success: 0 })
  expect((await bob.chat()).status).toBe(200)
  const large = asText('a'.repeat(4 * MEGABYTE))
  for (let turn = 0; turn < 3; turn++) expect((await bob.post(large)).status).toBe(429)
  expect((await ann.chat()).status).toBe(200)
})

test('bodies beyond the budget are refused with 503 until others have ended', async () => {
  setEnv({ BODY_BUDGET_MB: 3 })
  const let_go = waiting()
  const before = upstream.journal.length
  const large = asText('a'.repeat(2 * MEGABYTE))
  const first = ann.post(large)
  await until(() => upstream.journal.length === before + 1)

  const refused = await ann.post(large)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await errorOf(refused)).toMatchObject({ status: 503, code: 'body_budget_spent' })
  const packed = gzipSync(`${JSON.stringify(large)}${' '.repeat(2 * MEGABYTE)}`, { level: 0 })
  expect((await ann.post(packed, { headers: { 'content-encoding': 'gzip' } })).status).toBe(503)
  const chunked = new Blob([JSON.stringify(large)]).stream()
  const init = { method: 'POST', headers: { authorization: `Bearer sk-${ann.key}` }, body: chunked }
  expect((await fetch(`${ann.url}/v1/chat/completions`, init)).status).toBe(503)
  const anthropic = await ann.postTo('/v1/messages', { ...large, max_tokens: 10 })
  expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  const gemini = await ann.postTo(`/v1beta/models/${MODEL}:generateContent`, large)
  expect(await gemini.json()).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
  // Small calls go on.
  const small = ann.chat()
  await until(() => upstream.journal.length === before + 2)

  let_go()
  expect((await Promise.all([first, small])).map(({ status }) => status)).toEqual([200, 200])
  expect((await ann.post(large)).status).toBe(200)
})

test('a single body always fits into the budget', async () => {
  setEnv({ BODY_BUDGET_MB: 1 })
  for (let turn = 0; turn < 3; turn++) expect((await ann.post(asText('a'.repeat(5 * MEGABYTE)))).status).toBe(200)
})

test('small bodies that are made to be slow are answered without 500', async () => {
  const bodies = fc.sample(smallHostileBody, { numRuns: 200, seed: randomSeed })
  for (const { title, make } of bodies) {
    const { path, headers, bytes } = make()
    const init = { method: 'POST', headers: { authorization: `Bearer sk-${ann.key}`, ...headers }, body: bytes }
    const { status } = await fetch(ann.url + path, init)
    expect([title, randomSeed, status === 500]).toEqual([title, randomSeed, false])
  }
})
