// @engine sqlite
/** What a response is billed with beside its tokens: tariffs and tools, less those that the channel allows for nothing. */
import { expect, test } from 'bun:test'
import { type PriceTables, priceOf } from '../../../src/billing/price.ts'
import { type Usage, usageOf } from '../../../src/billing/usage.ts'
import { routedOf } from '../../../src/domain/routing/routed-channel.ts'
import { openAiResponses } from '../../../src/formats/openai-responses/index.ts'
import type { Call } from '../../../src/relay/call.ts'
import { requestedTariffs, withTariffs } from '../../../src/relay/charging/tariffs.ts'
import type { ChosenField } from '../../../src/relay/request/chosen-field.ts'

const tables: PriceTables = {
  ...{ ModelPrice: {}, ModelRatio: { m: 1 }, CompletionRatio: {}, CacheRatio: {}, CacheCreationRatio: {} },
  ...{ CacheCreationHourRatio: {}, AudioRatio: {}, AudioCompletionRatio: {}, ImageRatio: {}, ReasoningRatio: {} },
  ...{ TierRatio: {}, ToolPrice: {}, QuotaPerUnit: 500_000, families: [], version: 'test' },
  TariffRatio: { priority: 2, flex: 0.5, same: 1 },
}
const price = priceOf('m', tables, { group_ratio: 1, accept_unset: false })!

const tier = (value: string) => ({ kind: 'field', name: 'service_tier', param: 'service_tier', value }) as ChosenField
const tool = (rule: object) =>
  ({ kind: 'tool', name: 'tools.search', param: 'tools', value: {}, rule }) as unknown as ChosenField
const search = tool({ tool: 'search' })
const oneCall = tool({ tool: 'search', one_call: true })

const used = { input: 10, tools: {} }

function billed(
  chosen_fields: ChosenField[] | undefined,
  usage: Partial<Usage>,
  allowed: string[] = [],
  header?: object,
) {
  const row = { id: 1, type: 1, base_url: '', models: 'm', group: '', model_mapping: '', model_prefix: '' }
  const setting = JSON.stringify({ allowed_fields: allowed })
  const channel = routedOf({ ...row, status_code_mapping: '', param_override: '', setting } as never, [])
  const call = { chosen_fields, endpoint: { format: openAiResponses, operation: 'responses' }, facts: { model: 'm' } }
  const served = { api: { format: openAiResponses }, channel, tariffs: header }
  const { tools, tariffs } = withTariffs(usageOf(usage), call as unknown as Call, price, served as never)
  return { tools, tariffs }
}

const rows: [string, Parameters<typeof billed>, { tools: object; tariffs?: object }][] = [
  ['nothing chosen', [undefined, used], { tools: {} }],
  [
    'a reported tariff',
    [undefined, { ...used, tariffs: { service_tier: 'flex' } }],
    { tools: {}, tariffs: { service_tier: 'flex' } },
  ],
  [
    'one that is allowed',
    [undefined, { ...used, tariffs: { service_tier: 'flex' } }, ['service_tier']],
    { tools: {}, tariffs: {} },
  ],
  ['a dearer tariff', [[tier('priority')], used], { tools: {}, tariffs: { service_tier: 'priority' } }],
  ['a dearer one that is allowed', [[tier('priority')], used, ['service_tier']], { tools: {}, tariffs: {} }],
  ['a cheaper one', [[tier('flex')], used], { tools: {}, tariffs: {} }],
  ['one without a price', [[tier('fast')], used], { tools: {}, tariffs: {} }],
  [
    'a tariff that the report lowers',
    [[tier('priority')], { ...used, tariffs: { service_tier: 'default' } }],
    { tools: {}, tariffs: { service_tier: 'default' } },
  ],
  [
    'a tariff that a header lowers',
    [[tier('priority')], used, [], { service_tier: 'default' }],
    { tools: {}, tariffs: { service_tier: 'default' } },
  ],
  ['a tool that was used', [[search], { ...used, tools: { search: 3 } }], { tools: { search: 3 }, tariffs: {} }],
  ['a tool that was not', [[search], used], { tools: {}, tariffs: {} }],
  [
    'a tool that is allowed',
    [[search], { ...used, tools: { search: 3, other: 1 } }, ['tools.search']],
    { tools: { other: 1 }, tariffs: {} },
  ],
  ['a tool of one call', [[oneCall], used], { tools: { search: 1 }, tariffs: {} }],
  [
    'a tool of one call that is reported',
    [[oneCall], { ...used, tools: { search: 2 } }],
    { tools: { search: 2 }, tariffs: {} },
  ],
  ['a tool of one call that is allowed', [[oneCall], used, ['tools.search']], { tools: {}, tariffs: {} }],
  ['a tool of one call without usage', [[oneCall], {}], { tools: {}, tariffs: {} }],
]

test.each(rows)('a call with %s is billed so', (_, [...given], bill) => {
  expect(billed(...given)).toEqual({ tariffs: undefined, ...bill } as never)
})

test('the dearer tariffs of a request are reserved for', () => {
  expect(requestedTariffs([tier('priority'), search], price)).toEqual({ service_tier: 'priority' })
  for (const value of ['same', 'flex', 'fast']) expect(requestedTariffs([tier(value)], price)).toEqual({})
  expect(requestedTariffs(undefined, price)).toEqual({})
})
