/** Counting where the upstream reports no usage: by a tokenizer in a thread of its own, else by the quick estimate. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { Worker } from 'node:worker_threads'
import { countingThread } from '../../../src/relay/counting/count-tokens.ts'
import { CountingThread } from '../../../src/relay/counting/counting-thread.ts'
import { logsOf } from '../../support/app/logs.ts'
import { loadTokenTables, tokensOf } from '../../support/app/token-tables.ts'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { readStream, textArrives } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, hangsAfter } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const CLAUDE = 'claude-3-5-sonnet-20241022'
const models = [MODEL, 'gpt-4', 'gpt-3.5-turbo', 'gpt-4o-mini', CLAUDE]
const upstream = await startUpstream()
await channelTo(upstream, { models: models.join() })
beforeEach(() => loadTokenTables('gpt-4o', 'gpt-4'))
afterAll(() => expect(upstream.violations).toEqual([]))

/** The newest log entry of a call whose upstream says this and reports nothing. */
async function billed(fields: Record<string, unknown>, spoken: Parameters<typeof chat>[0] = { text: 'Hello there' }) {
  upstream.scripts(String(fields.model ?? MODEL), chat({ ...spoken, usage: null }))
  const ann = await client()
  const response = await ann.chat(fields)
  expect(response.status).toBe(200)
  await response.text()
  const [entry] = await logsOf(ann.person)
  expect(await ann.balance()).toBe(RICH - entry.quota)
  return entry
}

/** https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken (read 2026-11) */
const published: [text: string, cl100k: number, o200k: number][] = [
  ['tiktoken is great!', 6, 6],
  ['antidisestablishmentarianism', 6, 6],
  ['2 + 2 = 4', 7, 7],
  ['お誕生日おめでとう', 9, 8],
]

test.each(published)('the tokenizer counts %p as published: %d by cl100k, %d by o200k', async (text, cl100k, o200k) => {
  expect([await tokensOf(text, 'gpt-4'), await tokensOf(text, 'gpt-4o')]).toEqual([cl100k, o200k])
})

/** The published example of a conversation, and of one with a tool. */
const jargon = [
  'system: You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
  'system example_user: New synergies will help drive top-line growth.',
  'system example_assistant: Things working well together will increase revenue.',
  "system example_user: Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
  "system example_assistant: Let's talk later when we're less busy about how to do better.",
  "user: This late pivot means we don't have time to boil the ocean for the client deliverable.",
].map(line => {
  const [, role, name, content] = /^(\w+) ?(\w+)?: (.*)$/.exec(line)!
  return { role, ...(name && { name }), content }
})
const weather = [
  { role: 'system', content: 'You are a helpful assistant that can answer to questions about the weather.' },
  { role: 'user', content: "What's the weather like in San Francisco?" },
]
const location = { type: 'string', description: 'The city and state, e.g. San Francisco, CA' }
const unit = { type: 'string', description: 'The unit of temperature to return', enum: ['celsius', 'fahrenheit'] }
const tool = {
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: { type: 'object', properties: { location, unit }, required: ['location'] },
}

test('prompts of gpt models have the tokens that OpenAI bills: the published conversation and tool', async () => {
  const tokens = async (model: string, fields: object) => (await billed({ model, ...fields })).prompt_tokens
  for (const [model, conversation, with_tool] of [
    ['gpt-3.5-turbo', 129, 105],
    ['gpt-4', 129, 105],
    ['gpt-4o', 124, 101],
    ['gpt-4o-mini', 124, 101],
  ] as const) {
    const tools = [{ type: 'function', function: tool }]
    expect([
      model,
      await tokens(model, { messages: jargon }),
      await tokens(model, { messages: weather, tools }),
    ]).toEqual([model, conversation, with_tool])
  }
})

const prose = 'Internationalization of characteristically unpredictable conversations — 你好，世界！'

test('a response without usage is billed by the count, whole and streamed, with and without a translation', async () => {
  const completion = (await tokensOf(prose, MODEL))!
  for (const stream of [false, true]) {
    const entry = await billed({ stream }, { text: prose })
    expect(entry).toMatchObject({ prompt_tokens: 9, completion_tokens: completion, quota: quotaOf(9, completion) })
    expect(entry.other).toMatchObject({ counted_locally: true })
  }
  upstream.scripts(MODEL, chat({ text: prose, usage: null }))
  const ann = await client()
  const messages = [{ role: 'user', content: 'Say hello' }]
  await (await ann.postTo('/v1/messages', { model: MODEL, max_tokens: 50, messages })).text()
  expect((await logsOf(ann.person))[0]).toMatchObject({ prompt_tokens: 9, completion_tokens: completion })
})

test('a model of another family is billed by its factor', async () => {
  const { prompt_tokens, completion_tokens } = await billed({ model: CLAUDE }, { text: prose })
  const plain = (await tokensOf(prose, MODEL))!
  expect([prompt_tokens, completion_tokens]).toEqual([7 + Math.round(2 * 1.18), Math.round(plain * 1.18)])
})

test('a tool call counts its name, its arguments and its frame', async () => {
  const call = { id: 'c', name: 'get_current_weather', arguments: '{"location":"Oslo"}' }
  const words = (await tokensOf(call.name, MODEL))! + (await tokensOf(call.arguments, MODEL))!
  expect((await billed({}, { tool_calls: [call] })).completion_tokens).toBe(words + 7)
})

/** The first bytes of a PNG file of this size. */
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(24)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}

test('an image counts by its size where the request contains it, else as a usual one', async () => {
  const tokens = async (url: string, detail?: string) => {
    const image = { type: 'image_url', image_url: { url, ...(detail && { detail }) } }
    return (await billed({ messages: [{ role: 'user', content: [image] }] })).prompt_tokens - 7
  }
  expect([
    await tokens(png(2048, 4096)),
    await tokens(png(300, 200)),
    await tokens(png(2048, 4096), 'low'),
    await tokens('data:image/png;base64,AAAA'),
  ]).toEqual([1105, 255, 85, 765])
})

test('a stream that the client leaves is billed by the count of what came', async () => {
  upstream.scripts(MODEL, hangsAfter(4))
  const ann = await client()
  const leaving = new AbortController()
  const response = await ann.stream({}, { signal: leaving.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes('three'); ) text += (await reader.read()).value
  leaving.abort()
  const entry = await until(async () => (await logsOf(ann.person))[0])
  // "one two three " as a stream brings it.
  expect(entry).toMatchObject({ prompt_tokens: 9, completion_tokens: await tokensOf('one two three ', MODEL) })
})

test('a long text has the count of its pieces, with marks of the format as plain text', async () => {
  const sentence = 'The quick brown fox jumps over the lazy dog. '
  const one = (await tokensOf(sentence, MODEL))!
  const long = await tokensOf(sentence.repeat(10_000), MODEL)
  // The blank at the end belongs to the next sentence.
  expect(long).toBe((one - 1) * 10_000 + 1)
  expect(await tokensOf('<|endoftext|>', MODEL)).toBeGreaterThan(3)
  expect(await tokensOf('x'.repeat(3_000_000), MODEL)).toBeGreaterThan(300_000)
})

/** Keeps the thread busy for a while. */
const long = ['word '.repeat(400_000)]

const quick = { prompt_tokens: 9, completion_tokens: 2 }

test('a call is billed by the quick estimate when too many counts wait, and when the thread ends', async () => {
  let isBilled = false
  // One that is given up is followed by the next: a call on a slow machine takes longer than a count may wait.
  const countOnAndOn = async () => {
    let tokens: number | undefined
    for (let times = 0; times < 1000 && !isBilled; times++) tokens = await countingThread.count('o200k', long)
    return tokens
  }
  const waiting = Array.from({ length: 201 }, countOnAndOn)
  expect(await billed({})).toMatchObject(quick)
  isBilled = true
  upstream.scripts(MODEL, chat({ text: 'Hello there', usage: null }))
  countingThread.end()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]))
  await loadTokenTables(MODEL)
  expect(await billed({})).toMatchObject({ prompt_tokens: 9, completion_tokens: 2 })
})

const limits = { waiting_max: 3, timeout_ms: 100, stuck_ms: 100, idle_ms: 100 }
const scripted = (code: string) => () =>
  new Worker(`const { parentPort } = require('node:worker_threads'); let texts = 0; ${code}`, { eval: true })

test.each([
  ['crashes', 'parentPort.on("message", () => { throw new Error("out of memory") })'],
  ['is killed', 'parentPort.on("message", () => process.exit(1))'],
  ['hangs', 'parentPort.on("message", () => texts++ ? undefined : parentPort.postMessage(1))'],
])('a count has no result when its thread %s, and the next one gets another thread', async (_, code) => {
  let started = 0
  const thread = new CountingThread(limits, () => {
    started++
    return scripted(started > 1 ? 'parentPort.on("message", () => parentPort.postMessage(7))' : code)()
  })
  expect(await thread.count('o200k', ['a', 'b'])).toBe(undefined)
  // On a busy machine a thread may start too late for a count.
  await until(() => thread.count('o200k', ['a']).then(tokens => tokens === 7))
  expect(started).toBeGreaterThan(1)
  thread.end()
})

test('the thread starts with the first count and ends when it is idle', async () => {
  const thread = new CountingThread(limits, scripted('parentPort.on("message", () => parentPort.postMessage(1))'))
  expect(thread.isRunning).toBe(false)
  await until(() => thread.count('o200k', ['a', 'b']).then(tokens => tokens === 2))
  expect(thread.isRunning).toBe(true)
  await until(() => !thread.isRunning)
  await until(() => thread.count('o200k', ['a']).then(tokens => tokens === 1))
  thread.end()
})

test('a stream delivers its text before anything is counted', async () => {
  upstream.scripts(MODEL, chat({ text: prose, usage: null }))
  const ann = await client()
  const waiting = Array.from({ length: 30 }, () => countingThread.count('o200k', long))
  const response = await ann.stream()
  await textArrives(response, '世界')
  expect((await logsOf(ann.person)).length).toBe(0)
  countingThread.end()
  await Promise.all(waiting)
  expect(await readStream(response)).toMatchObject({ text: prose, done: true })
})
