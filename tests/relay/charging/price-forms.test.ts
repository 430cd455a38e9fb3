/** Every form of a price, computed by hand: in the log, its lines and the balance. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { formats } from '../../../src/formats/index.ts'
import { expectBillsComputable, lastBill, resetPrices, setPrice } from '../../support/app/prices.ts'
import { client, MODEL } from '../../support/people/client.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, serverOf } from '../../support/upstream/translation.ts'

const FORMS_BILLS = 25

afterEach(async () => {
  await deleteChannels()
  await resetPrices()
})
afterAll(() => expectBillsComputable(FORMS_BILLS))

const CACHED = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 200 } }

interface Form {
  name: string
  options: Record<string, unknown>
  usage: Record<string, unknown>
  lines: [bucket: string, count: number, amount: string][]
  quota: number
  other?: Record<string, unknown>
}

const tiers = {
  [MODEL]: [
    { from: 1000, model_ratio: 2.5, completion_ratio: 3 },
    { from: 5000, model_ratio: 10 },
  ],
}

const forms: Form[] = [
  {
    name: 'ratios, with cached input at half',
    options: {},
    usage: CACHED,
    lines: [
      ['input', 800, '1000'],
      ['cache_read', 200, '125'],
      ['output', 500, '2500'],
    ],
    quota: 3625,
    other: {
      model_ratio: 1.25,
      completion_ratio: 4,
      cache_tokens: 200,
      cache_ratio: 0.5,
      model_price: -1,
      group_ratio: 1,
    },
  },
  {
    name: 'a price per call',
    options: { ModelPrice: { [MODEL]: 0.02 } },
    usage: CACHED,
    lines: [['call', 1, '10000']],
    quota: 10_000,
    other: { model_price: 0.02, model_ratio: 0 },
  },
  {
    name: 'text and sound, in and out',
    options: {
      ModelRatio: { [MODEL]: 2.5 },
      AudioRatio: { [MODEL]: 20 },
      AudioCompletionRatio: { [MODEL]: 2 },
    },
    usage: {
      prompt_tokens: 300,
      completion_tokens: 350,
      prompt_tokens_details: { audio_tokens: 200 },
      completion_tokens_details: { audio_tokens: 300 },
    },
    lines: [
      ['input', 100, '250'],
      ['input_audio', 200, '10000'],
      ['output', 50, '500'],
      ['output_audio', 300, '30000'],
    ],
    quota: 40_750,
    other: { audio: true, audio_input: 200, audio_output: 300, text_input: 100, text_output: 50, audio_ratio: 20 },
  },
  {
    name: 'a prompt below the first tier',
    options: { TierRatio: tiers },
    usage: { prompt_tokens: 999, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } },
    lines: [
      ['input', 599, '748.75'],
      ['cache_read', 400, '250'],
      ['output', 100, '500'],
    ],
    quota: 1499,
    other: { model_ratio: 1.25, completion_ratio: 4 },
  },
  {
    name: 'a prompt of the first tier, counted with its cached tokens',
    options: { TierRatio: tiers },
    usage: { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } },
    lines: [
      ['input', 600, '1500'],
      ['cache_read', 400, '500'],
      ['output', 100, '750'],
    ],
    quota: 2750,
    other: { tier: 1000, model_ratio: 2.5, completion_ratio: 3, cache_ratio: 0.5 },
  },
  {
    name: 'a prompt of the second tier, which has only a model ratio of its own',
    options: { TierRatio: tiers },
    usage: { prompt_tokens: 5000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } },
    lines: [
      ['input', 4600, '46000'],
      ['cache_read', 400, '2000'],
      ['output', 100, '4000'],
    ],
    quota: 52_000,
    other: { tier: 5000, model_ratio: 10, completion_ratio: 4 },
  },
  {
    name: 'reasoning with a ratio of its own',
    options: { ReasoningRatio: { [MODEL]: 6 } },
    usage: {
      prompt_tokens: 100,
      completion_tokens: 300,
      completion_tokens_details: { reasoning_tokens: 120 },
    },
    lines: [
      ['input', 100, '125'],
      ['output', 180, '900'],
      ['reasoning', 120, '900'],
    ],
    quota: 1925,
    other: { reasoning_ratio: 6, reasoning_tokens: 120 },
  },
  {
    name: 'reasoning as a part of the output',
    options: {},
    usage: {
      prompt_tokens: 100,
      completion_tokens: 300,
      completion_tokens_details: { reasoning_tokens: 120 },
    },
    lines: [
      ['input', 100, '125'],
      ['output', 300, '1500'],
      ['reasoning', 120, '0'],
    ],
    quota: 1625,
    other: { reasoning_tokens: 120 },
  },
  {
    name: 'reasoning for nothing',
    options: { ReasoningRatio: { [MODEL]: 0 } },
    usage: { prompt_tokens: 100, completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 300 } },
    lines: [
      ['input', 100, '125'],
      ['reasoning', 300, '0'],
    ],
    quota: 125,
    other: { reasoning_ratio: 0 },
  },
]

test.each(forms)('a chat is billed by $name', async ({ options, usage, lines, quota, other = {} }) => {
  for (const [key, value] of Object.entries(options)) await setPrice(key, value)
  await served(chat({ usage }))
  for (const stream of [false, true]) {
    const ann = await client()
    await (await ann.chat({ stream })).text()
    const bill = await lastBill(ann)
    expect({ lines: bill.lines, paid: bill.paid, logged: bill.entry.quota }).toEqual({
      lines,
      paid: quota,
      logged: quota,
    })
    expect(bill.entry.other).toMatchObject(other)
    for (const name of ['tier', 'reasoning_ratio', 'user_group_ratio', 'multiplier', 'claude']) {
      expect([name, name in bill.entry.other]).toEqual([name, name in other])
    }
  }
})

const claudeSays = (usage: object) =>
  serverOf('anthropic').scripts(answer =>
    answer.json({
      ...{ id: 'm1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Hello' }],
      usage,
    }),
  )

test('Claude is billed for cache reads and writes beside fresh input', async () => {
  await setPrice('ModelRatio', { [MODEL]: 1.5 })
  await setPrice('CompletionRatio', { [MODEL]: 5 })
  await setPrice('CacheRatio', { [MODEL]: 0.1 })
  await channelFor('anthropic')
  const usage = {
    input_tokens: 1000,
    cache_read_input_tokens: 5000,
    cache_creation_input_tokens: 2000,
    output_tokens: 300,
  }
  for (const format of formats) {
    claudeSays(usage)
    const ann = await client()
    expect((await callIn(format, ann)).status).toBe(200)
    const { entry, lines, paid } = await lastBill(ann)
    expect([format, paid, entry.prompt_tokens]).toEqual([format, 8250, 8000])
    expect(lines).toEqual([
      ['input', 1000, '1500'],
      ['cache_read', 5000, '750'],
      ['cache_write_5m', 2000, '3750'],
      ['output', 300, '2250'],
    ])
    expect(entry.other).toMatchObject({ cache_creation_tokens: 2000, cache_creation_ratio: 1.25, cache_ratio: 0.1 })
    expect([format, entry.other.claude]).toEqual([format, format === 'anthropic' ? true : undefined])
  }
})

test('cache writes of one hour cost 1.6 times those of five minutes, or by their own ratio', async () => {
  await channelFor('anthropic')
  const cache_creation = { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 }
  const usage = { input_tokens: 10, output_tokens: 4, cache_creation_input_tokens: 300, cache_creation }
  const ratios: [object, number, number, string][] = [
    [{}, 595, 2, '250'],
    [{ [MODEL]: 3 }, 720, 3, '375'],
    [{ [MODEL]: 0 }, 345, 0, '0'],
  ]
  for (const [table, quota, ratio, amount] of ratios) {
    await setPrice('CacheCreationHourRatio', table)
    claudeSays(usage)
    const ann = await client()
    await callIn('anthropic', ann)
    const { entry, lines, paid } = await lastBill(ann)
    expect(paid).toBe(quota)
    expect(lines[2]).toEqual(['cache_write_1h', 100, amount])
    expect(entry.other).toMatchObject({
      claude: true,
      cache_creation_tokens: 300,
      cache_creation_tokens_1h: 100,
      cache_creation_ratio_1h: ratio,
    })
  }
})
