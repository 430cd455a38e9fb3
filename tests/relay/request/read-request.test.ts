/** Request bodies: which are refused, and that accepted ones are sent unchanged. */
import { expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { app } from '../../support/app/app.ts'
import { setOption } from '../../support/app/options.ts'
import { chatBody, client, MODEL } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

const bad: [string, object | string, string, string | null][] = [
  ['no JSON', '{"model":', 'invalid_json', null],
  ['a list', '[]', 'body_not_object', null],
  ['null', 'null', 'body_not_object', null],
  ['no model', { messages: [{}] }, 'model_required', 'model'],
  ['a number for a model', { model: 4 }, 'field_wrong', 'model'],
  ['no messages', { model: MODEL }, 'messages_wrong', 'messages'],
  ['messages that are text', { model: MODEL, messages: 'hi' }, 'messages_wrong', 'messages'],
  ['messages of texts', { model: MODEL, messages: ['hi'] }, 'messages_wrong', 'messages'],
  ['empty messages', { model: MODEL, messages: [] }, 'messages_empty', 'messages'],
  ['stream as text', chatBody({ stream: 'yes' }), 'field_wrong', 'stream'],
  ['a negative limit', chatBody({ max_tokens: -1 }), 'field_outside', 'max_tokens'],
  ['a fraction', chatBody({ max_completion_tokens: 1.5 }), 'field_outside', 'max_completion_tokens'],
  ['a text for a number', chatBody({ max_tokens: '100' }), 'field_outside', 'max_tokens'],
  ['2^31', chatBody({ max_tokens: 2 ** 31 }), 'field_outside', 'max_tokens'],
  ['n of -1', chatBody({ n: -1 }), 'field_outside', 'n'],
  ['n of a million', chatBody({ n: 1_000_000 }), 'field_outside', 'n'],
  [
    '2^63',
    JSON.stringify(chatBody()).replace('{', '{"max_tokens":9223372036854775808,'),
    'field_outside',
    'max_tokens',
  ],
  ['1e400', JSON.stringify(chatBody()).replace('{', '{"max_tokens":1e400,'), 'number_too_large', 'max_tokens'],
  ['NaN', JSON.stringify(chatBody()).replace('{', '{"max_tokens":NaN,'), 'invalid_json', null],
  [
    'the larger of two limits in one body',
    JSON.stringify(chatBody()).replace('{', '{"max_tokens":1,"max_tokens":-5,'),
    'field_outside',
    'max_tokens',
  ],
  ['a lone surrogate', `{"model":"${MODEL}","messages":[{"role":"user","content":"\\ud800"}]}`, 'invalid_text', null],
  ['a bomb of brackets', `{"model":${'['.repeat(2_000_000)}`, 'too_deep', null],
  [
    'more parts than anyone has to say',
    JSON.stringify(chatBody({ metadata: Array.from({ length: 100_000 }, () => ({})) })),
    'too_many_pieces',
    null,
  ],
  ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'invalid_text', null],
]
test.each(bad)('%s is refused', async (_, body, code, param) => {
  const before = upstream.journal.length
  const response = await ann.post(body)
  expect(await errorOf(response)).toMatchObject({ status: 400, code, param })
  expect(upstream.journal).toHaveLength(before)
})

test.each([false, true])('duplicate keys keep the last value that is also sent, passed through: %p', async through => {
  await setOption('global.pass_through_request_enabled', through)
  await ann.post(JSON.stringify(chatBody()).replace('{', '{"max_tokens":900000,"max_tokens":7,'))
  await setOption('global.pass_through_request_enabled', false)
  const { body, text } = upstream.journal.at(-1)!
  expect(body.max_tokens).toBe(7)
  expect(text.match(/max_tokens/g)).toHaveLength(1)
})

test('unknown fields, zeros, falses and long numbers are sent unchanged', async () => {
  const extra = {
    store: false,
    top_p: 0,
    parallel_tool_calls: false,
    my_own: { deep: [null, 0, ''] },
    temperature: 0,
  }
  const text = JSON.stringify(chatBody(extra)).replace('{', '{"seed":12345678901234567890,"__proto__":{"a":1},')
  expect((await ann.post(text)).status).toBe(200)
  expect(upstream.journal.at(-1)!.body).toMatchObject(extra)
  expect(upstream.journal.at(-1)!.text).toContain('"seed":12345678901234567890')
})

test('brackets inside strings add no depth', async () => {
  for (const text of ['"', '\\\\"', '\\'])
    expect((await ann.chat({ messages: [{ role: 'user', content: text + '['.repeat(1000) }] })).status).toBe(200)
})

test('compressed bodies are inflated within the same limit', async () => {
  const body = Buffer.from(JSON.stringify(chatBody()))
  const packers = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync }
  for (const [encoding, pack] of Object.entries(packers)) {
    expect((await ann.post(pack(body), { headers: { 'content-encoding': encoding } })).status).toBe(200)
    const bomb = pack(Buffer.alloc(100 * 1_048_576, 0x20))
    expect(await errorOf(await ann.post(bomb, { headers: { 'content-encoding': encoding } }))).toMatchObject({
      status: 413,
    })
  }
  expect(await errorOf(await ann.post(body, { headers: { 'content-encoding': 'gzip' } }))).toMatchObject({
    status: 400,
    code: 'encoding_broken',
  })
  expect(await errorOf(await ann.post(body, { headers: { 'content-encoding': 'lzma' } }))).toMatchObject({
    status: 415,
  })
})

test('a body beyond the limit is refused by its length and while it is read', async () => {
  const headers = { authorization: `Bearer ${ann.key}`, 'accept-language': 'en' }
  const announced = new Request('http://localhost/v1/chat/completions', {
    method: 'POST',
    headers: { ...headers, 'content-length': String(65 * 1_048_576) },
    body: 'x',
  })
  expect(await errorOf(await app.handle(announced))).toMatchObject({ status: 413, code: 'too_large' })
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent++
      controller.enqueue(new Uint8Array(1_048_576))
    },
  })
  const endless = new Request('http://localhost/v1/chat/completions', { method: 'POST', headers, body })
  expect(await errorOf(await app.handle(endless))).toMatchObject({ status: 413, code: 'too_large' })
  expect(sent).toBeLessThan(70)
})
