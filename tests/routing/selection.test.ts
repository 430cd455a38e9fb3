/** The selection of channels and keys: each criterion decides alone, at its limit. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { maskKey } from '../../src/domain/routing/channel-keys.ts'
import { recordFailure, recordStart } from '../../src/domain/routing/health/breaker.ts'
import { type RoutedChannel, routedOf, upstreamModel } from '../../src/domain/routing/routed-channel.ts'
import { listedName } from '../../src/domain/routing/routing-table.ts'
import { withApi, withinInputLimits } from '../../src/domain/routing/selection/candidates.ts'
import { type ApiQuery, apiFor, noteMissing } from '../../src/domain/routing/selection/choose-api.ts'
import { chancesIn, inOrder, nextTier } from '../../src/domain/routing/selection/order.ts'
import { targetsOf, trialOf } from '../../src/domain/routing/selection/targets.ts'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import type { ClientFormat } from '../../src/formats/format.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { openAiResponses } from '../../src/formats/openai-responses/index.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'

const MODEL = 'gpt-4o'
const call: ApiQuery = { endpoint: { operation: 'chat', format: openAiChat }, facts: { model: MODEL } }

beforeEach(() => {
  holdClock(true)
  resetStores()
})
afterEach(() => {
  resetStores()
  holdClock(false)
})

const row = { name: 'c', type: 1, models: MODEL, group: 'default', model_mapping: '', model_prefix: '', base_url: '' }

/** A channel by its id, with keys `k1`, `k2` and so on. */
function channelOf(id: number, fields: Record<string, unknown> = {}, keys = 1): RoutedChannel {
  const all = Array.from({ length: keys }, (_, index) => `k${index + 1}`)
  return routedOf({ ...row, id, priority: 0, weight: 0, max_input_tokens: 0, setting: '', ...fields } as never, all)
}

const candidatesOf = (...channels: RoutedChannel[]) => withApi(channels, call)
const ids = (candidates: Iterable<{ channel: RoutedChannel }>) => [...candidates].map(({ channel }) => channel.id)
const targets = (...channels: RoutedChannel[]) =>
  [...targetsOf(candidatesOf(...channels), call)].map(({ channel, key }) => `${channel.id} ${key}`)
const rest = (place: { channel_id: number; key?: string; model?: string }, seconds = 45) =>
  recordFailure(place, { reason: '429', retry_after_ms: seconds * 1000 })
/** A cooldown without a time of the provider's. */
const trip = (channel_id: number) => recordFailure({ channel_id }, { reason: '500', at_once: true })

describe('candidates', () => {
  test('a channel serves with an API for the operation alone', () => {
    // Jina has no chats.
    expect(ids(candidatesOf(channelOf(1), channelOf(2, { type: 38 }), channelOf(3, { type: 14 })))).toEqual([1, 3])
    expect(ids(withApi([channelOf(1, { type: 999_999 })], call))).toEqual([])
  })

  test.each([
    [0, [1, 2, 3]],
    [50, [1, 2, 3]],
    [51, [1, 3]],
    [100, [1, 3]],
    [101, [1]],
  ])('a prompt of %d tokens goes to channels that take it: %j', (tokens, expected) => {
    const channels = [0, 50, 100].map((max_input_tokens, index) => channelOf(index + 1, { max_input_tokens }))
    expect(ids(withinInputLimits(candidatesOf(...channels), tokens))).toEqual(expected)
  })

  test('a prompt above every limit goes to all of them', () => {
    const channels = [50, 100].map((max_input_tokens, index) => channelOf(index + 1, { max_input_tokens }))
    expect(ids(withinInputLimits(candidatesOf(...channels), 101))).toEqual([1, 2])
  })
})

describe('the order', () => {
  test('a tier has the highest priority, below zero too', () => {
    const channels = [-5, -3, -3, -9].map((priority, index) => channelOf(index + 1, { priority }))
    expect(ids(nextTier(candidatesOf(...channels), call))).toEqual([2, 3])
    expect(nextTier([], call)).toEqual([])
  })

  test.each([
    ['a channel', { channel_id: 1 }, 1, [2]],
    ['its model', { channel_id: 1, model: MODEL }, 1, [2]],
    ['another model of it', { channel_id: 1, model: 'other' }, 1, [1]],
    ['the only key', { channel_id: 1, key: 'k1' }, 1, [1]],
    ['one of two keys', { channel_id: 1, key: 'k1' }, 2, [1]],
    ['another channel', { channel_id: 3 }, 1, [1]],
  ])('a tier follows when %s rests', (_, place, keys, expected) => {
    rest(place)
    const channels = [channelOf(1, { priority: 2 }, keys), channelOf(2, { priority: 1 })]
    expect(ids(nextTier(candidatesOf(...channels), call))).toEqual(expected)
  })

  test('a tier follows when both of two keys rest, one for all models and one for this', () => {
    rest({ channel_id: 1, key: 'k1' })
    rest({ channel_id: 1, key: 'k2', model: MODEL })
    expect(ids(nextTier(candidatesOf(channelOf(1, { priority: 2 }, 2), channelOf(2)), call))).toEqual([2])
  })

  test.each([
    [[0], [1]],
    [
      [0, 0, 0],
      [1, 1, 1],
    ],
    [
      [3, 0, 1],
      [3, 0, 1],
    ],
    [
      [5, 5],
      [5, 5],
    ],
  ])('weights %j are chances of %j', (weights, chances) => {
    expect(chancesIn(candidatesOf(...weights.map((weight, index) => channelOf(index + 1, { weight }))))).toEqual(
      chances,
    )
  })

  test.each([
    [0, [1, 3, 2, 4]],
    [0.74, [1, 3, 2, 4]],
    [0.76, [3, 1, 2, 4]],
    [0.999, [3, 1, 2, 4]],
  ])('a draw of %d among weights 3, 0 and 1 gives the order %j, the lower priority last', (random, expected) => {
    const drawn = spyOn(Math, 'random').mockReturnValue(random)
    const weights = [3, 0, 1].map((weight, index) => channelOf(index + 1, { weight, priority: 1 }))
    expect(ids(inOrder(candidatesOf(...weights, channelOf(4, { weight: 9 })), call, {}))).toEqual(expected)
    drawn.mockRestore()
  })
})

describe('targets', () => {
  test('keys rotate from call to call, for each channel by itself', () => {
    const [three, two, one] = [channelOf(1, {}, 3), channelOf(2, {}, 2), channelOf(3)]
    expect(targets(three)).toEqual(['1 k1', '1 k2', '1 k3'])
    expect(targets(three)).toEqual(['1 k2', '1 k3', '1 k1'])
    expect(targets(two)).toEqual(['2 k1', '2 k2'])
    expect(targets(three)).toEqual(['1 k3', '1 k1', '1 k2'])
    expect(targets(three)).toEqual(['1 k1', '1 k2', '1 k3'])
    expect([targets(one), targets(one)]).toEqual([['3 k1'], ['3 k1']])
  })

  test('disabled keys are left out, and keys that rest', () => {
    const channel = { ...channelOf(1, {}, 3), good_keys: ['k2', 'k3'] }
    rest({ channel_id: 1, key: 'k3', model: MODEL })
    expect(targets(channel)).toEqual(['1 k2'])
  })

  test('one trial follows when everything rests, of the first channel that the provider has not timed', () => {
    rest({ channel_id: 1 })
    for (const id of [2, 3]) trip(id)
    const channels = [1, 2, 3].map(id => channelOf(id, { priority: -id }))
    expect(targets(...channels)).toEqual(['2 k1'])
    recordStart({ channel_id: 2 })
    expect(trialOf(candidatesOf(...channels), call)?.channel.id).toBe(3)
    recordStart({ channel_id: 3 })
    expect(targets(...channels)).toEqual([])
    shiftClock(45)
    expect(targets(...channels)).toEqual(['1 k1', '2 k1', '3 k1'])
  })

  test('no trial follows while another channel takes calls', () => {
    trip(1)
    expect(targets(channelOf(1, { priority: 9 }), channelOf(2))).toEqual(['2 k1'])
  })
})

describe('names', () => {
  test.each([
    ['a', '', 'a', 'b'],
    ['a', '', 'x', 'x'],
    ['chain', '', 'one', 'three'],
    ['circle', '', 'x', 'x'],
    ['circle', '', 'y', 'y'],
    ['into a circle', '', 'w', 'x'],
    ['prefixed', 'eu/', 'eu/a', 'whole'],
    ['a', 'eu/', 'eu/a', 'b'],
    ['a', 'eu/', 'a', 'b'],
    ['a', 'eu/', 'eu/x', 'x'],
    ['a', 'eu/', 'x', 'x'],
    ['a', '', 'toString', 'toString'],
  ])('by the mapping %s and the prefix %p, %p is asked for as %p', (name, model_prefix, requested, upstream) => {
    const mappings: Record<string, object> = {
      a: { a: 'b' },
      chain: { one: 'two', two: 'three' },
      circle: { x: 'y', y: 'x' },
      'into a circle': { w: 'x', x: 'y', y: 'x' },
      prefixed: { 'eu/a': 'whole', a: 'bare' },
    }
    const channel = channelOf(1, { model_prefix, model_mapping: JSON.stringify(mappings[name]) })
    expect(upstreamModel(channel, requested)).toBe(upstream)
  })

  test.each([
    ['gpt-4-gizmo-g-abc', 'gpt-4-gizmo-*'],
    ['gpt-4o-gizmo-g-abc', 'gpt-4o-gizmo-*'],
    ['gpt-4-gizmo-', 'gpt-4-gizmo-'],
    ['gpt-4', 'gpt-4'],
    ['gpt-45-gizmo-x', 'gpt-45-gizmo-x'],
  ])('the model %s is listed as %s', (model, name) => {
    expect(listedName(model)).toBe(name)
  })

  test.each([
    ['sk-12345678', '…'],
    ['sk-123456789', 'sk-1…6789'],
    ['{"a":"12345"}', expect.stringMatching(/^\{…[\w-]{4}\}$/)],
  ] as const)('the key %s is shown as %p', (key, mask) => {
    expect(maskKey(key)).toEqual(mask as never)
  })
})

describe('the API', () => {
  const formatOf = (channel: RoutedChannel, format?: ClientFormat, model = MODEL) =>
    apiFor(channel, { ...call, endpoint: { operation: 'chat', format }, facts: { model } })?.format.name

  const [OPENAI, OLLAMA, DEEPSEEK] = [1, 4, 43]

  test.each([
    [OPENAI, openAiChat, 'openai-chat'],
    [OPENAI, anthropic, 'openai-chat'],
    [OLLAMA, anthropic, 'anthropic'],
    [OLLAMA, openAiResponses, 'openai-chat'],
    [OLLAMA, undefined, 'openai-chat'],
  ])('type %d serves a client in its own format where it has that: row %#', (type, format, name) => {
    expect(formatOf(channelOf(1, { type }), format)).toBe(name)
  })

  test('an API that an address lacks is missing there alone, for all channels', () => {
    const channel = channelOf(1, { type: OLLAMA, base_url: 'https://a.example' })
    noteMissing(channel, apiFor(channel, { ...call, endpoint: { operation: 'chat', format: anthropic } })!)
    expect(formatOf(channel, anthropic)).toBe('openai-chat')
    expect(formatOf({ ...channel, id: 2 }, anthropic)).toBe('openai-chat')
    expect(formatOf({ ...channel, base_url: 'https://b.example' }, anthropic)).toBe('anthropic')
  })

  test('an API that is missing for one type is there for another at the same address', () => {
    const channel = channelOf(1, { type: OLLAMA, base_url: 'https://a.example' })
    const query: ApiQuery = { ...call, endpoint: { operation: 'chat', format: anthropic } }
    noteMissing(channel, apiFor(channel, query)!)
    expect(formatOf({ ...channel, type: DEEPSEEK }, anthropic, 'deepseek-chat')).toBe('anthropic')
    expect(formatOf({ ...channel, type: DEEPSEEK }, anthropic, 'other')).toBe('openai-chat')
  })
})
