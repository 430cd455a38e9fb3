// @engine sqlite
/** How much output a call may hold: the most of its models, and what of that the balance pays for. */
import { afterAll, expect, test } from 'bun:test'
import type { Candidate } from '../../../src/domain/routing/index.ts'
import { routedOf } from '../../../src/domain/routing/routed-channel.ts'
import { anthropic } from '../../../src/formats/anthropic/index.ts'
import { openAiChat } from '../../../src/formats/openai-chat/index.ts'
import { outputMaxOf } from '../../../src/models/output-max.ts'
import type { ReadCall } from '../../../src/relay/call.ts'
import { affordableOutput } from '../../../src/relay/charging/affordable-output.ts'
import { carryingLimits, outputMaxFor } from '../../../src/relay/charging/output-max.ts'
import { setOption } from '../../support/app/options.ts'

afterAll(async () => {
  await setOption('DefaultMaxOutput', 32_768)
  await setOption('claude.default_max_tokens', '{}')
})

/** Tokens wanted, whether the caller names them, what is free, and what the call gets of it at one quota a token. */
const offers: [wanted: number, is_named: boolean, free: number, output: number][] = [
  [100, true, 100, 100],
  [100, true, 99, 99],
  [100, true, 16, 16],
  [100, true, 15, 16],
  [100, true, 0, 16],
  [8, true, 5, 8],
  [8, true, 0, 8],
  [100, false, 400, 100],
  [100, false, 100, 100],
  [100, false, 50, 50],
  [100, false, 15, 16],
  [8, false, 5, 8],
  [100_000, false, 400_000, 100_000],
  [100_000, false, 399_996, 99_999],
  [100_000, false, 40_000, 10_000],
  [100_000, false, 16_384, 4096],
  [100_000, false, 16_380, 4096],
  [100_000, false, 4096, 4096],
  [100_000, false, 4095, 4095],
  [100_000, false, 16, 16],
  [100_000, false, 0, 16],
]

test.each(offers)('a call that wants %d tokens, named by the caller: %p, gets with %d quota free %d', (...offer) => {
  const [wanted, is_named, free, output] = offer
  expect(affordableOutput({ wanted, is_named, least: 16, quotaFor: count => count }, free)).toBe(output)
})

test('a prompt that is not paid for leaves the least, whatever its output costs', () => {
  const demand = { wanted: 1000, is_named: true, least: 16 }
  expect(affordableOutput({ ...demand, quotaFor: count => 500 + 2 * count }, 499)).toBe(16)
  expect(affordableOutput({ ...demand, quotaFor: count => 500 + 2 * count }, 701)).toBe(100)
  expect(affordableOutput({ ...demand, quotaFor: () => 500 }, 500)).toBe(1000)
})

const row = { id: 1, models: '', group: '', status_code_mapping: '', param_override: '', setting: '', model_prefix: '' }
const candidate = (format: object, model_mapping = '', limits = true) =>
  ({
    channel: routedOf({ ...row, model_mapping } as never, []),
    api: { format: limits ? format : { ...format, limitOutput: undefined } },
  }) as unknown as Candidate
const call = (model: string, max_output?: number, operation = 'chat') =>
  ({ facts: { model, max_output }, endpoint: { operation } }) as unknown as ReadCall

const SMALL = 'gpt-4o'
const LARGE = 'gpt-5'
const [small, large] = [outputMaxOf(SMALL)!, outputMaxOf(LARGE)!]
const to = (model: string) => JSON.stringify({ [SMALL]: model })

test.each([
  ['the model', call(SMALL), [candidate(openAiChat)], small],
  ['the model that it is mapped to', call(SMALL), [candidate(openAiChat, to(LARGE))], large],
  ['its own model, where the mapped one is unknown', call(SMALL), [candidate(openAiChat, to('mine'))], small],
  ['the largest of its channels', call(SMALL), [candidate(openAiChat), candidate(openAiChat, to(LARGE))], large],
  ['the default, for a model that is unknown', call('mine'), [candidate(openAiChat)], 5000],
  ['the caller', call(SMALL, 7), [candidate(openAiChat)], 7],
  ['the model, where an upstream is sent no limit', call(SMALL, 7), [candidate(openAiChat, '', false)], small],
  ['the caller above it, where an upstream is sent none', call(SMALL, 1e6), [candidate(openAiChat, '', false)], 1e6],
  ['the caller, for what is no text', call(SMALL, 7, 'speech'), [candidate(openAiChat, '', false)], 7],
  ['the operator, for a model of Anthropic that is unknown', call('mine'), [candidate(anthropic)], 8192],
] as const)('the output is limited by %s', async (_, asked, candidates, most) => {
  await setOption('DefaultMaxOutput', 5000)
  await setOption('claude.default_max_tokens', '{"default":8192}')
  expect(outputMaxFor(asked, candidates)).toBe(most)
})

test('limits are carried for text alone, by upstreams that are sent one', () => {
  const candidates = [candidate(openAiChat), candidate(openAiChat, '', false), candidate(anthropic)]
  for (const operation of ['chat', 'responses', 'completions'])
    expect(carryingLimits(candidates, call(SMALL, 7, operation))).toEqual([candidates[0]!, candidates[2]!])
  for (const operation of ['speech', 'embeddings', 'realtime', 'image_generations'])
    expect(carryingLimits(candidates, call(SMALL, 7, operation))).toEqual([])
})
