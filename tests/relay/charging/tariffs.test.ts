/** Tariffs and searches that have a price: billed as the answer reports them. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { expectBillsComputable, lastBill, setPrice } from '../../support/app/prices.ts'
import { client, quotaOf } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import {
  ANTHROPIC,
  ask,
  billed,
  channel,
  type Door,
  GEMINI,
  OPENAI,
  PLAIN,
  received,
  reports,
  XAI,
} from '../../support/upstream/reporting-upstream.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'

const BILLS = 60
afterAll(() => expectBillsComputable(BILLS))

describe('a tariff is billed as the answer reports it', () => {
  const tiers: [string, Door, number, Json, Json, number][] = [
    ['priority, reported', 'chat', OPENAI, { service_tier: 'priority' }, { service_tier: 'priority' }, 2],
    ['priority, not granted', 'chat', OPENAI, { service_tier: 'priority' }, { service_tier: 'default' }, 1],
    ['priority, not reported', 'chat', OPENAI, { service_tier: 'priority' }, {}, 2],
    ['flex, reported', 'chat', OPENAI, { service_tier: 'flex' }, { service_tier: 'flex' }, 0.5],
    ['flex, not reported', 'chat', OPENAI, { service_tier: 'flex' }, {}, 1],
    ['auto, by the project', 'chat', OPENAI, { service_tier: 'auto' }, { service_tier: 'priority' }, 2],
    ['responses', 'responses', OPENAI, { service_tier: 'priority' }, { service_tier: 'priority' }, 2],
    ['fast mode', 'messages', ANTHROPIC, { speed: 'fast' }, { usage: { speed: 'fast' } }, 6],
    ['fast mode, not reported', 'messages', ANTHROPIC, { speed: 'fast' }, {}, 6],
    ['fast mode, not granted', 'messages', ANTHROPIC, { speed: 'fast' }, { usage: { speed: 'standard' } }, 1],
    ['one region', 'messages', ANTHROPIC, { inference_geo: 'us' }, { usage: { inference_geo: 'us' } }, 1.1],
    [
      'two at once',
      'messages',
      ANTHROPIC,
      { speed: 'fast', inference_geo: 'us' },
      { usage: { speed: 'fast', inference_geo: 'us' } },
      6.6,
    ],
  ]

  test.each(tiers)('a tariff has its factor: %s', async (_, door, type, fields, reported, factor) => {
    await channel(type)
    reports(reported)
    for (const stream of [false, true]) {
      const { paid, entry } = await billed(door, { ...fields, stream })
      expect([paid, entry.other.multiplier ?? 1]).toEqual([Math.round(PLAIN * factor), factor])
    }
  })

  const google: [string, Json, string | undefined, number][] = [
    ['priority, reported', { serviceTier: 'priority' }, 'priority', 2],
    ['priority by its enumeration', { serviceTier: 'SERVICE_TIER_PRIORITY' }, 'priority', 2],
    ['priority, not granted', { service_tier: 'PRIORITY' }, 'standard', 1],
    ['priority, not reported', { serviceTier: 'priority' }, undefined, 2],
    ['flex, reported', { serviceTier: 'FLEX' }, 'flex', 0.5],
    ['flex, not reported', { serviceTier: 'flex' }, undefined, 1],
    ['standard', { serviceTier: 'STANDARD' }, undefined, 1],
  ]

  test.each(google)(
    "a tariff of Google's that a header reports has its factor: %s",
    async (_, fields, tier, factor) => {
      await channel(GEMINI)
      reports({}, tier ? { 'x-gemini-service-tier': tier } : {})
      for (const door of ['gemini', 'gemini_stream'] as const) {
        const { paid, entry } = await billed(door, fields)
        expect([paid, entry.other.multiplier ?? 1]).toEqual([Math.round(PLAIN * factor), factor])
      }
    },
  )

  test('a ratio for some models replaces the general one, and a tariff without one is refused', async () => {
    await channel(OPENAI)
    reports({ service_tier: 'priority' })
    await setPrice('TariffRatio', { priority: 2, 'priority:gpt-4*': 1.7 })
    const { paid, entry } = await billed('chat', { service_tier: 'priority' })
    expect([paid, entry.other.tariffs]).toEqual([Math.round(PLAIN * 1.7), { service_tier: 'priority' }])
    await setPrice('TariffRatio', { 'priority:gpt-5*': 2 })
    const ann = await client()
    expect(await errorOf(await ask(ann, 'chat', { service_tier: 'priority' }))).toMatchObject({ param: 'service_tier' })
    expect((await billed('chat')).paid).toBe(PLAIN)
  })

  test('a tariff is not for sale where the balance pays for the plain price only', async () => {
    await channel(OPENAI)
    reports({ usage: { prompt_tokens: 10, completion_tokens: 10 } })
    const poor = await client({}, 1.5 * quotaOf(500 - 100, 100)) // a call is reserved for 500 tokens at the least
    expect((await ask(poor, 'chat', { max_tokens: 100, service_tier: 'priority' })).status).toBe(403)
    expect((await ask(poor, 'chat', { max_tokens: 100 })).status).toBe(200)
  })
})

const per1000 = (usd: number) => usd * 500
const anthropicSearch = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
const requests = (web_search_requests: number) => ({ usage: { server_tool_use: { web_search_requests } } })
const searches: [string, Door, number, Json, Json, number][] = [
  ['sources', 'chat', XAI, { search_parameters: { mode: 'on' } }, { usage: { num_sources_used: 3 } }, 3 * per1000(25)],
  ['no sources', 'chat', XAI, { search_parameters: { mode: 'auto' } }, { usage: { num_sources_used: 0 } }, 0],
  ['one for each call', 'chat', OPENAI, { web_search_options: {} }, {}, per1000(25)],
  [
    'items',
    'responses',
    OPENAI,
    { tools: [{ type: 'web_search' }] },
    { output: [{ type: 'web_search_call' }] },
    per1000(10),
  ],
  ['posts', 'responses', XAI, { tools: [{ type: 'x_search' }] }, { output: [{ type: 'x_search_call' }] }, per1000(5)],
  ['requests', 'messages', ANTHROPIC, anthropicSearch, requests(2), 2 * per1000(10)],
  [
    'through translation',
    'chat',
    ANTHROPIC,
    { web_search_options: {}, max_tokens: 2000 },
    requests(2),
    2 * per1000(10),
  ],
  [
    'a hosted shell',
    'responses',
    OPENAI,
    { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    {},
    per1000(30),
  ],
  ['a shell of the client', 'responses', OPENAI, { tools: [{ type: 'shell', environment: { type: 'local' } }] }, {}, 0],
  ['a shell without a place', 'responses', OPENAI, { tools: [{ type: 'shell' }] }, {}, 0],
  [
    'a larger container',
    'responses',
    OPENAI,
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } }] },
    { output: [{ type: 'code_interpreter_call' }] },
    per1000(1920),
  ],
  ['maps', 'gemini', GEMINI, { tools: [{ googleMaps: {} }] }, {}, per1000(25)],
  ['maps, streamed', 'gemini_stream', GEMINI, { tools: [{ google_maps: {} }] }, {}, per1000(25)],
  ['to OpenAI', 'messages', OPENAI, anthropicSearch, { output: [{ type: 'web_search_call' }] }, per1000(10)],
]

const noTokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

describe('searches are billed by their number', () => {
  test.each(searches)('searches have their price: %s', async (_, door, type, fields, reported, more) => {
    await channel(type)
    reports(reported)
    for (const stream of door.startsWith('gemini') ? [{}] : [{ stream: false }, { stream: true }])
      expect((await billed(door, { ...fields, ...stream })).paid).toBe(PLAIN + more)
  })

  const empty: [string, Door, number, Json, Json][] = [
    [
      'a search for each call',
      'chat',
      OPENAI,
      { web_search_options: {} },
      {
        choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'stop' }],
        usage: noTokens,
      },
    ],
    [
      'maps',
      'gemini',
      GEMINI,
      { tools: [{ googleMaps: {} }] },
      { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }], usageMetadata: {} },
    ],
  ]

  test.each(empty)('an answer without text or tokens is free: %s', async (_, door, type, fields, reported) => {
    await channel(type)
    reports(reported)
    const ann = await client()
    expect((await ask(ann, door, fields)).status).toBe(200)
    expect(await lastBill(ann)).toMatchObject({ paid: 0, lines: [] })
  })

  test('a search whose tool has no price is refused', async () => {
    await setPrice('ToolPrice', { 'web_search:claude*': 10 })
    for (const [type, door, fields] of [
      [XAI, 'chat', { search_parameters: { mode: 'on' } }],
      [OPENAI, 'chat', { web_search_options: {} }],
      [OPENAI, 'responses', { tools: [{ type: 'web_search_preview' }] }],
      [ANTHROPIC, 'messages', anthropicSearch],
      [ANTHROPIC, 'chat', { web_search_options: {} }],
      [ANTHROPIC, 'responses', { tools: [{ type: 'namespace', name: 'group', tools: [{ type: 'web_search' }] }] }],
      [GEMINI, 'responses', { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] }],
      [
        GEMINI,
        'responses',
        { input: [{ type: 'tool_search_output', call_id: 'call_1', tools: [{ type: 'web_search' }] }] },
      ],
      [GEMINI, 'gemini', { tools: [{ google_search: {} }] }],
    ] as [number, Door, Json][]) {
      const { id } = await channel(type)
      expect((await ask(await client(), door, fields)).status).toBe(400)
      expect(id).toBeGreaterThan(0)
      await deleteChannels()
    }
    expect(received).toEqual([])
  })
})
