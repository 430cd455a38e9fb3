/** Sensitive words and patterns, at every endpoint and in every format. */
import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { log } from '../../../src/process/log.ts'
import type { ApiCaller } from '../../../src/relay/caller.ts'
import { checkSensitiveWords } from '../../../src/relay/request/sensitive-words.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { client, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream)
const ann = await client()

afterEach(() => setOption('SensitiveWords', 'test_sensitive'))

const say = (content: unknown) => ann.chat({ messages: [{ role: 'user', content }] })
const statusOf = async (content: unknown) => (await say(content)).status

test('a call with a sensitive word is refused before it costs anything', async () => {
  const sent = upstream.journal.length
  const noted = spyOn(log, 'info')
  const refused = await errorOf(await say('this is a Test_SENSITIVE prompt'))
  // For operators: by whom, and which; no more of the prompt.
  const facts = { request_id: expect.any(String), user_id: ann.person.id, word: 'test_sensitive' }
  expect(noted.mock.calls).toEqual([['sensitive word in a prompt', facts]])
  noted.mockRestore()
  expect(refused).toMatchObject({ status: 400, code: 'sensitive_words_detected', type: 'tollgate_error' })
  expect(refused.message).not.toContain('test_sensitive')
  expect(upstream.journal).toHaveLength(sent)
  expect(await ann.balance()).toBe(RICH)
  expect(await logsOf(ann.person)).toEqual([])
  expect(await statusOf('this is a test prompt, and a sensitive one')).toBe(200)
})

test('words match in every script, inside other words and in any case', async () => {
  await setOption('SensitiveWords', '敏感词\nÉclair\nabcd\nbc x\nzab')
  for (const text of ['这里有敏感词吗', 'two éCLAIRs', 'xxABCDxx', 'the abc x', '...zzab'])
    expect([text, await statusOf(text)]).toEqual([text, 400])
  for (const text of ['敏 感 词', 'eclair', 'abc', 'za b', ''])
    expect([text, await statusOf(text)]).toEqual([text, 200])
})

test('patterns match in linear time', async () => {
  await setOption('SensitiveWords', 'regex:\\bbuy\\s+(Drugs|guns)\\b\nregex:(x+x+)+y\nregex:黑.{0,3}客')
  expect(await statusOf('where to Buy  drugs')).toBe(400)
  expect(await statusOf('黑色客')).toBe(400)
  expect(await statusOf('buy drugstore items')).toBe(200)
  expect(await statusOf('x'.repeat(100_000))).toBe(200)
})

test.each([
  ['parts', [{ role: 'user', content: [{ type: 'text', text: 'so test_sensitive' }] }]],
  ['a system message', [{ role: 'system', content: 'test_sensitive' }]],
  ['the result of a tool', [{ role: 'tool', tool_call_id: 'x', content: 'test_sensitive' }]],
  [
    'arguments of a call',
    [
      {
        role: 'assistant',
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '"test_sensitive"' } }],
      },
    ],
  ],
])('words are found in %s', async (_, messages) => {
  expect((await ann.chat({ messages })).status).toBe(400)
})

test('patterns in long texts block no other call and match across slices', async () => {
  await setOption('SensitiveWords', 'regex:\\bbuy\\s+drugs\\b')
  const turns = await turnsDuring(async () =>
    checkSensitiveWords({ body: { prompt: 'x'.repeat(1_500_000) }, request_id: 'x' }, {
      group: 'default',
      user: { id: 1 },
    } as ApiCaller),
  )
  expect(turns).toBeGreaterThanOrEqual(10)
  for (const before of [131_060, 131_066, 131_070, 135_155, 135_160, 135_163, 135_168]) {
    expect(await statusOf(`${'x'.repeat(before)} buy drugs`)).toBe(400)
    expect(await statusOf(`${'x'.repeat(before)} buy drugstores and so on`)).toBe(200)
    expect(await statusOf(`${'x'.repeat(before)}ebuy drugs`)).toBe(200)
  }
})

const spoken: [path: string, body: object][] = [
  ['/v1/completions', { model: 'm', prompt: 'test_sensitive' }],
  ['/v1/embeddings', { model: 'm', input: ['fine', 'test_sensitive'] }],
  ['/v1/engines/m/embeddings', { input: 'test_sensitive' }],
  ['/v1/images/generations', { model: 'm', prompt: 'test_sensitive' }],
  ['/v1/audio/speech', { model: 'm', voice: 'alloy', input: 'test_sensitive' }],
  ['/v1/moderations', { model: 'm', input: [{ type: 'text', text: 'test_sensitive' }] }],
  ['/v1/rerank', { model: 'm', query: 'fine', documents: ['fine', { text: 'test_sensitive' }] }],
  ['/hf/v1/completions', { model: 'm', prompt: 'test_sensitive' }],
]

test.each(spoken)('words are found at %s', async (path, body) => {
  const headers = { authorization: `Bearer sk-${ann.key}`, 'content-type': 'application/json' }
  const post = (text: string) => fetch(ann.url + path, { method: 'POST', headers, body: text })
  expect(await errorOf(await post(JSON.stringify(body)))).toMatchObject({
    status: 400,
    code: 'sensitive_words_detected',
  })
  const clean = await post(JSON.stringify(body).replace('test_sensitive', 'harmless'))
  expect(await errorOf(clean)).toMatchObject({ status: 404, code: 'model_not_found' })
})

test('words are found in form fields', async () => {
  const form = new FormData()
  form.set('model', 'm')
  form.set('prompt', 'test_sensitive')
  form.set('image', new File(['bytes'], 'a.png', { type: 'image/png' }))
  const headers = { authorization: `Bearer sk-${ann.key}` }
  const refused = await fetch(`${ann.url}/v1/images/edits`, { method: 'POST', headers, body: form })
  expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'sensitive_words_detected' })
})

test('words are found in response formats and tools', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', description: 'test_sensitive' } } }
  const wishes = [
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] },
  ]
  for (const wish of wishes) expect((await ann.chat(wish)).status).toBe(400)
})

test('names, URLs and bytes are not searched', async () => {
  const url = 'https://example.com/test_sensitive.png'
  const content = [
    { type: 'text', text: 'look' },
    { type: 'image_url', image_url: { url } },
  ]
  expect((await ann.chat({ user: 'test_sensitive', messages: [{ role: 'user', content }] })).status).toBe(200)
})

test('the options and the exempt group switch the check off', async () => {
  for (const key of ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled']) {
    await setOption(key, false)
    expect(await statusOf('test_sensitive')).toBe(200)
    await setOption(key, true)
  }
  await setOption('global.safe_check_exempt_enabled', true)
  expect(await statusOf('test_sensitive')).toBe(400)
  await setOption('global.safe_check_exempt_group', 'default')
  expect(await statusOf('test_sensitive')).toBe(200)
  await setOption('global.safe_check_exempt_enabled', false)
})

/** How often somebody else has had a turn while this was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = () => {
    turns++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  await work()
  clearImmediate(counting)
  return turns
}

describe('fifty thousand words', () => {
  const words = Array.from({ length: 50_000 }, (_, index) => `forbidden-${index.toString(36)}-word`)

  test('a megabyte is searched at once, and other calls are served meanwhile', async () => {
    await setOption('SensitiveWords', words.join('\n'))
    expect(await statusOf('warm')).toBe(200)
    const long = 'forbidden-forbidden-1-wor '.repeat(40_000)
    expect(await Promise.all([statusOf(long), statusOf(`${long}${words.at(-1)!.toUpperCase()}`)])).toEqual([200, 400])

    const call = { body: { prompt: long }, request_id: 'x' }
    const turns = await turnsDuring(async () => checkSensitiveWords(call, { group: 'default' } as ApiCaller))
    expect(turns).toBeGreaterThanOrEqual(7)
  })

  test('sensitive words across slices are found', async () => {
    await setOption('SensitiveWords', 'needle in the hay')
    for (const before of [131_060, 131_071, 131_072, 262_140])
      expect(await statusOf(`${'x'.repeat(before)}Needle in the hay`)).toBe(400)
  })
})
