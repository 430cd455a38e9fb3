/** Usage reports of upstreams: plausible ones are billed, others are replaced by our own count. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { loadTokenTables, tokensOf } from '../../support/app/token-tables.ts'
import { client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { readStream } from '../../support/people/responses.ts'
import { chat, hangsAfter, streams } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream()
await channelTo(upstream)
beforeEach(() => loadTokenTables(MODEL))
afterAll(() => expect(upstream.violations).toEqual([]))

const text = 'one two three four five six seven eight nine ten'
const counted = { prompt: 9, completion: 10 }

/** What each report makes of ten words. */
const reports: [name: string, usage: unknown, prompt: number, completion: number][] = [
  ['none', null, counted.prompt, counted.completion],
  ['zeros beside text', { prompt_tokens: 0, completion_tokens: 0 }, counted.prompt, counted.completion],
  ['negative', { prompt_tokens: -100, completion_tokens: -5 }, counted.prompt, counted.completion],
  ['one negative', { prompt_tokens: 50, completion_tokens: -5 }, 50, counted.completion],
  ['beyond belief', { prompt_tokens: 1e12, completion_tokens: 1e12 }, counted.prompt, counted.completion],
  ['fractions', { prompt_tokens: 20.4, completion_tokens: 9.6 }, 20, 10],
  ['texts', { prompt_tokens: '12', completion_tokens: '7' }, 12, 7],
  ['no numbers', { prompt_tokens: {}, completion_tokens: 'many' }, counted.prompt, counted.completion],
  ['plain', { prompt_tokens: 30, completion_tokens: 40 }, 30, 40],
]

test.each(reports)('usage report: %s', async (_, usage, prompt, completion) => {
  upstream.scripts(MODEL, chat({ text, usage }))
  for (const stream of [false, true]) {
    const ann = await client()
    await (await ann.chat({ stream })).text()
    const [entry] = await logsOf(ann.person)
    expect([entry.prompt_tokens, entry.completion_tokens]).toEqual([prompt, completion])
    expect(await ann.balance()).toBe(RICH - quotaOf(prompt, completion))
  }
})

test('without a report the bill is the same whether content is logged or not, streamed or not', async () => {
  const odd = 'The internationalization of {"a":1,"b":[2,3]} c d e f'
  upstream.scripts(MODEL, chat({ text: odd, usage: null }))
  const bills: unknown[] = []
  for (const logged of [false, true]) {
    await setOption('LogChatContentEnabled', logged)
    for (const stream of [false, true]) {
      const ann = await client()
      await (await ann.chat({ stream })).text()
      const [{ prompt_tokens, completion_tokens, quota }] = await logsOf(ann.person)
      bills.push([prompt_tokens, completion_tokens, quota])
    }
  }
  await setOption('LogChatContentEnabled', false)
  const tokens = (await tokensOf(odd, MODEL))!
  expect(bills).toEqual(Array(4).fill([counted.prompt, tokens, quotaOf(counted.prompt, tokens)]))
})

test('a report that comes twice counts once', async () => {
  const event = (value: object) => `data: ${JSON.stringify({ id: 'chatcmpl-fake', ...value })}\n\n`
  const report = event({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 40, total_tokens: 70 } })
  const said = event({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] })
  upstream.scripts(MODEL, streams([said, report, report, 'data: [DONE]\n\n']))
  const ann = await client()
  expect(await readStream(await ann.stream())).toMatchObject({ done: true, text })
  expect(await ann.balance()).toBe(RICH - quotaOf(30, 40))
})

test('cached tokens have their price and never exceed the prompt', async () => {
  for (const [cached, rest] of [
    [60, 40],
    [500, 0],
  ] as const) {
    upstream.scripts(
      MODEL,
      chat({
        text,
        usage: { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: cached } },
      }),
    )
    const ann = await client()
    await ann.chat()
    const [entry] = await logsOf(ann.person)
    expect(entry).toMatchObject({ prompt_tokens: 100, other: { cache_tokens: 100 - rest, cache_ratio: 0.5 } })
    expect(await ann.balance()).toBe(RICH - Math.round((rest + (100 - rest) * 0.5 + 40) * 1.25))
  }
})

test('an empty response without usage is free, and a tool call is counted', async () => {
  upstream.scripts(MODEL, chat({ text: '', usage: null }))
  const ann = await client()
  await (await ann.chat()).text()
  await (await ann.stream()).text()
  expect(await ann.balance()).toBe(RICH)
  upstream.scripts(
    MODEL,
    chat({ tool_calls: [{ id: 'c', name: 'look_up', arguments: '{"city":"Oslo"}' }], usage: null }),
  )
  await (await ann.chat()).text()
  expect(await ann.balance()).toBeLessThan(RICH)
})

test('a client that asks for usage gets our count when the upstream sends none', async () => {
  upstream.scripts(MODEL, chat({ text, usage: null }))
  const ann = await client()
  const stream = await readStream(await ann.stream({ stream_options: { include_usage: true } }))
  expect(stream).toMatchObject({ usage: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 19 }, done: true })
})

test('a stream that exhausts the quota ends with an error and is billed', async () => {
  // Words that come in one piece are all delivered, and owed: no more of them than the overrun that is allowed for.
  upstream.scripts(MODEL, hangsAfter(3000, { text: 'word '.repeat(9000), chunks: 9000 }))
  const ann = await client({}, 12_000)
  const stream = await readStream(await ann.stream())
  expect(stream).toMatchObject({ done: false, error: { code: 'insufficient_user_quota' } })
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({ other: { partial: true, stream_status: 'exhausted' } })
  expect(entry.quota).toBe(quotaOf(entry.prompt_tokens, entry.completion_tokens))
  const left = await ann.balance()
  expect(left).toBe(12_000 - entry.quota)
  expect(left).toBeGreaterThan(-quotaOf(0, 1000))
  expect(await upstream.journal.at(-1)!.ended).toBe('aborted')
})

test('the reservation grows with the response and is released but for the bill', async () => {
  upstream.scripts(MODEL, chat({ text: 'word '.repeat(3000), chunks: 3000 }))
  const quota = quotaOf(100, 3200)
  const ann = await client({}, quota)
  expect(await readStream(await ann.stream({ max_tokens: 10 }))).toMatchObject({ done: true })
  const [entry] = await logsOf(ann.person)
  expect(entry.completion_tokens).toBe(3000)
  expect(await ann.balance()).toBe(quota - entry.quota)
  expect((await ann.chat({ max_tokens: 10 })).status).toBe(200)
})

test('prompts and responses are logged only while the option is on', async () => {
  upstream.scripts(MODEL, chat({ text }))
  await setOption('LogChatContentEnabled', true)
  const ann = await client()
  await (await ann.chat()).text()
  await (await ann.stream()).text()
  await setOption('LogChatContentEnabled', false)
  await (await ann.chat()).text()
  const entries = await logsOf(ann.person)
  expect(entries.map((entry: any) => entry.other.output_content)).toEqual([undefined, text, text])
  expect(entries[1].other.input_content).toContain('Say hello')
})
