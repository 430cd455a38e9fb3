// @engine sqlite
/** Fields and beta headers that choose a model, route or tariff without a price: refused by name, or allowed. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../formats/wire/sse.ts'
import { setPrice } from '../../support/app/prices.ts'
import { client, MODEL, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import {
  ANTHROPIC,
  allowing,
  ask,
  billed,
  bodies,
  CUSTOM,
  channel,
  type Door,
  GEMINI,
  OPENAI,
  OPENROUTER,
  PLAIN,
  received,
  reports,
  XAI,
} from '../../support/upstream/reporting-upstream.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'

const codeOf = (memory_limit: string) => ({ type: 'code_interpreter', container: { type: 'auto', memory_limit } })
const shellOf = (type: string, memory_limit?: string) => ({ type: 'shell', environment: { type, memory_limit } })
const hi = { role: 'user', content: 'Hi' }
const added = (tool: Json) => ({ type: 'additional_tools', role: 'developer', tools: [tool] })
const found = (tool: Json) => ({ type: 'tool_search_output', call_id: 'call_1', execution: 'client', tools: [tool] })
const grouped = (tool: Json) => ({ type: 'namespace', name: 'group', description: 'Grouped', tools: [tool] })
const inline = (definition: Json) => ({
  role: 'user',
  content: [
    { type: 'text', text: 'Hi' },
    { type: 'tool_addition', tool: { type: 'tool_definition', definition } },
  ],
})
const NO_CONTAINERS = { code_interpreter: 30, shell: 30 }
const NO_SHELL = { code_interpreter: 30 }

const rows: [number, Door, Json, string, Json?][] = [
  [OPENROUTER, 'chat', { models: ['anthropic/claude-opus-4'], route: 'fallback' }, 'models'],
  [OPENROUTER, 'chat', { route: 'fallback' }, 'route'],
  [OPENROUTER, 'chat', { provider: { only: ['anthropic'] } }, 'provider'],
  [OPENROUTER, 'chat', { plugins: [{ id: 'web', max_results: 10 }] }, 'plugins'],
  [OPENROUTER, 'chat', { preset: 'dear' }, 'preset'],
  [OPENROUTER, 'chat', { web_search_options: {} }, 'web_search_options'],
  [OPENROUTER, 'chat', { extra_body: { models: ['a'] } }, 'extra_body.models'],
  [OPENROUTER, 'chat', { tools: [{ type: 'openrouter:web_search' }] }, 'tools[0]'],
  [OPENROUTER, 'responses', { models: ['a'] }, 'models'],
  [OPENAI, 'chat', { service_tier: 'ultra' }, 'service_tier'],
  [OPENAI, 'chat', { service_tier: { tier: 'priority' } }, 'service_tier'],
  [OPENAI, 'chat', { search_parameters: { mode: 'on' } }, 'search_parameters'],
  [OPENAI, 'responses', { service_tier: 'ultra' }, 'service_tier'],
  [CUSTOM, 'chat', { enable_search: true }, 'enable_search'],
  [CUSTOM, 'chat', { web_search: { enable: true } }, 'web_search'],
  [CUSTOM, 'chat', { fallbacks: [{ model: 'gpt-5-pro' }] }, 'fallbacks'],
  [CUSTOM, 'chat', { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] }, 'tools[0]'],
  [CUSTOM, 'chat', { speed: 'turbo' }, 'speed'],
  [ANTHROPIC, 'messages', { speed: 'ludicrous' }, 'speed'],
  [ANTHROPIC, 'messages', { inference_geo: 'moon' }, 'inference_geo'],
  [ANTHROPIC, 'messages', { tools: [{ type: 'advisor_20260301', model: 'claude-opus-4-6' }] }, 'tools[0]'],
  [ANTHROPIC, 'messages', { fallbacks: 'default' }, 'fallbacks'],
  [ANTHROPIC, 'messages', { fallbacks: [{ model: MODEL, speed: 'ludicrous' }] }, 'fallbacks[0].speed'],
  [ANTHROPIC, 'messages', { fallbacks: [{ model: MODEL, api_base: 'https://a.example' }] }, 'fallbacks'],
  [CUSTOM, 'chat', { fallbacks: [{ model: MODEL, max_tokens: 9 }] }, 'fallbacks'],
  [OPENAI, 'responses', { tools: [codeOf('64g')] }, 'tools[0].container.memory_limit', NO_CONTAINERS],
  [
    OPENAI,
    'responses',
    { tools: [shellOf('container_auto', '4g')] },
    'tools[0].environment.memory_limit',
    NO_CONTAINERS,
  ],
  [OPENAI, 'responses', { tools: [shellOf('container_reference')] }, 'tools[0]', NO_SHELL],
  [GEMINI, 'gemini', { serviceTier: 'ULTRA' }, 'serviceTier'],
  [GEMINI, 'gemini', { generationConfig: { routingConfig: { autoMode: {} } } }, 'generationConfig.routingConfig'],
  [
    GEMINI,
    'gemini',
    { generation_config: { model_selection_config: { feature: 'PRIORITIZE_QUALITY' } } },
    'generation_config.model_selection_config',
  ],
  [OPENAI, 'responses', { input: [hi, added({ type: 'people_search' })] }, 'input[1].tools[0]'],
  [OPENAI, 'responses', { input: [hi, found({ type: 'people_search' })] }, 'input[1].tools[0]'],
  [OPENAI, 'responses', { tools: [grouped({ type: 'people_search' })] }, 'tools[0].tools[0]'],
  [OPENAI, 'responses', { input: [hi, added(grouped({ type: 'people_search' }))] }, 'input[1].tools[0].tools[0]'],
  [
    ANTHROPIC,
    'messages',
    { messages: [hi, inline({ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' })] },
    'messages[1].content[1].tool.definition',
  ],
  [CUSTOM, 'chat', { extra_body: { tools: [{ type: 'web_search' }] } }, 'extra_body.tools[0]'],
  [GEMINI, 'gemini', { service_tier: 'ultra' }, 'service_tier'],
  [GEMINI, 'gemini', { tools: [{ enterpriseWebSearch: {} }] }, 'tools[0].enterpriseWebSearch'],
  [GEMINI, 'gemini', { tools: { enterprise_web_search: {} } }, 'tools[0].enterprise_web_search'],
  [GEMINI, 'gemini', { tools: [{ googleMaps: {} }] }, 'tools[0].googleMaps', { google_search: 14 }],
  [GEMINI, 'gemini', { tools: [{ retrieval: { vertexAiSearch: {} } }] }, 'tools[0].retrieval'],
]

test.each(rows.map(([type, door, fields, param, tools]) => [type, door, fields, param, tools ?? null] as const))(
  'a field without a price is refused by name: channel type %p, %p, %p',
  async (type, door, fields, param, tools) => {
    await channel(type)
    if (tools) await setPrice('ToolPrice', tools)
    const ann = await client()
    for (const stream of [false, true]) {
      const answer = await (door === 'gemini'
        ? ask(ann, stream ? 'gemini_stream' : 'gemini', fields)
        : ask(ann, door, { ...fields, ...(stream && { stream }) }))
      const { error } = (await answer.json()) as { error: Json }
      expect([answer.status, String(error.message).startsWith(`${param} chooses a model`)]).toEqual([400, true])
      const [, setting] = /allowed_fields lists "([^"]+)"/.exec(String(error.message)) ?? []
      await channel(type, allowing(setting!), { priority: 9, group: 'default' })
      expect((await ask(ann, door, fields)).status).toBe(200)
      received.length = 0
      await deleteChannels()
      await channel(type)
    }
    expect(received).toEqual([])
    expect((await ask(ann, door)).status).toBe(200)
  },
)

test('the refusal is in the format and language of the client', async () => {
  await channel(CUSTOM)
  const ann = await client()
  const chinese = { 'accept-language': 'zh' }
  const said = '会选择此处未定价的模型、线路或计费档位'
  const code = 'field_unpriced'
  expect(await errorOf(await ask(ann, 'chat', { models: ['a'] }))).toMatchObject({
    status: 400,
    code,
    param: 'models',
  })
  for (const [door, fields] of [
    ['chat', { models: ['a'] }],
    ['responses', { service_tier: 'ultra' }],
  ] as [Door, Json][]) {
    const { message, param } = await errorOf(await ask(ann, door, fields, chinese))
    expect([param, message.includes(said)]).toEqual([Object.keys(fields)[0], true])
  }
  await channel(ANTHROPIC, {}, { models: 'claude' })
  await setPrice('ModelRatio', { claude: 1, [MODEL]: 1.25 })
  const messages = await ask(ann, 'messages', { model: 'claude', speed: 'x' }, chinese)
  const { type, error } = (await messages.json()) as Json & { error: Json }
  expect([type, error.type, String(error.message).includes(`speed ${said}`)]).toEqual([
    'error',
    'invalid_request_error',
    true,
  ])
  await channel(GEMINI, {}, { models: 'gem' })
  await setPrice('ModelRatio', { gem: 1, claude: 1, [MODEL]: 1.25 })
  const gem = await ann.postTo(
    '/v1beta/models/gem:generateContent',
    { ...bodies.gemini[1], serviceTier: 'ultra' },
    { headers: chinese },
  )
  const { error: failure } = (await gem.json()) as { error: Json }
  expect([failure.code, failure.status, String(failure.message).includes(`serviceTier ${said}`)]).toEqual([
    400,
    'INVALID_ARGUMENT',
    true,
  ])
  expect(received).toEqual([])
})

test.each([
  ['chat', { models: [], provider: null, plugins: [], route: '', service_tier: 'auto', enable_search: false }],
  ['chat', { search_parameters: { mode: 'off' }, web_search: { enable: false }, service_tier: 'default' }],
  ['chat', { transforms: ['middle-out'], reasoning: { effort: 'low' }, extra_body: { a: 1 } }],
  ['chat', { service_tier: 'scale', models: [], route: '' }],
  ['messages', { service_tier: 'standard_only', speed: 'standard', inference_geo: 'global', fallbacks: [] }],
  ['messages', { billing_policy: { type: 'billing_policy', bill_to: 'self' }, fallback_credit_token: 't' }],
] as [Door, Json][])('fields of %p that choose nothing pass: %p', async (door, fields) => {
  await channel(door === 'chat' ? CUSTOM : ANTHROPIC)
  const { paid } = await billed(door, fields)
  expect([paid, received[0]!.body]).toEqual([PLAIN, expect.objectContaining(fields)])
})

test('a channel that allows a field passes it on at the plain price, and is found beside one that does not', async () => {
  await channel(OPENROUTER, {}, { priority: 10 })
  await channel(OPENROUTER, allowing('models', 'route', 'plugins', 'service_tier'))
  reports({ service_tier: 'priority' })
  const fields = { models: [MODEL], route: 'fallback', plugins: [{ id: 'web' }], service_tier: 'priority' }
  for (const stream of [false, true]) {
    const { paid, entry } = await billed('chat', { ...fields, stream })
    expect([paid, entry.other.tariffs, received.at(-1)!.body]).toEqual([
      PLAIN,
      undefined,
      expect.objectContaining(fields),
    ])
  }
  await deleteChannels()
  await channel(XAI, allowing('search_parameters'))
  reports({ usage: { num_sources_used: 4 } })
  expect((await billed('chat', { search_parameters: { mode: 'on' } })).paid).toBe(PLAIN)
})

describe('beta headers', () => {
  const LONG = 'context-1m-2025-08-07'
  const beta = (list: string) => ({ 'anthropic-beta': list })

  const SONNETS = ['claude-sonnet-4-5', 'claude-sonnet-4-20250514', 'claude-sonnet-4@20250514', 'claude-sonnet-4.5']
  const ONE_PRICE = ['claude-opus-4-8', 'claude-sonnet-4-6', 'claude-opus-4-6-20260205', 'claude-opus-5', MODEL]

  test.each(ONE_PRICE)('a long context of %p, which has one price at any length, passes', async model => {
    await setPrice('ModelRatio', { [model]: 1 })
    await channel(ANTHROPIC, {}, { models: model })
    const ann = await client()
    for (const stream of [false, true])
      expect((await ask(ann, 'messages', { model, stream }, beta(`files-api-2025-04-14,${LONG}`))).status).toBe(200)
    expect((await ask(ann, 'messages', { model, betas: [LONG] })).status).toBe(200)
    expect(received[0]!.headers.get('anthropic-beta')).toBe(`files-api-2025-04-14,${LONG}`)
  })

  test.each(SONNETS)(
    'a long context of %p without a tier is refused by name; priced or allowed, it passes',
    async model => {
      await setPrice('ModelRatio', { [model]: 1, [MODEL]: 1 })
      await setPrice('TierRatio', {})
      await channel(ANTHROPIC, {}, { models: model })
      const ann = await client()
      const { status, message } = await errorOf(
        await ask(ann, 'messages', { model }, beta(`files-api-2025-04-14,${LONG}`)),
      )
      const named = ['anthropic-beta context-1m', 'allowed_fields', '"context-1m"'].map(part => message.includes(part))
      expect([status, ...named]).toEqual([400, true, true, true])
      expect((await ask(ann, 'messages', { model, betas: [LONG] })).status).toBe(400)
      expect([received.length, await ann.balance()]).toEqual([0, RICH])
      await setPrice('TierRatio', { [model]: [{ from: 200_001, model_ratio: 2.5 }] })
      expect((await ask(ann, 'messages', { model }, beta(LONG))).status).toBe(200)
      expect(received.at(-1)!.headers.get('anthropic-beta')).toBe(LONG)
      await setPrice('TierRatio', {})
      await deleteChannels()
      await channel(ANTHROPIC, allowing('context-1m'), { models: model })
      expect((await ask(ann, 'messages', { model }, beta(LONG))).status).toBe(200)
      await deleteChannels()
      await channel(ANTHROPIC, {}, { model_mapping: JSON.stringify({ [MODEL]: model }) })
      expect((await ask(ann, 'messages', {}, beta(LONG))).status).toBe(400)
    },
  )

  test('fast mode is refused by its field while it has no price; its beta alone costs nothing', async () => {
    await channel(ANTHROPIC)
    await setPrice('TariffRatio', { priority: 2 })
    const ann = await client()
    const fast = beta('fast-mode-2026-02-01')
    expect((await ask(ann, 'messages', { speed: 'fast' }, fast)).status).toBe(400)
    expect((await ask(ann, 'messages', { speed: 'fast' })).status).toBe(400)
    expect(received).toEqual([])
    expect((await ask(ann, 'messages', {}, fast)).status).toBe(200)
  })
})
