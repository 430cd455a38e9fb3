/** Circuits without calls: what opens one, for how long, and what may be tried meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  allClosed,
  allowsCall,
  allowsTrial,
  type BegunCooldown,
  beginCooldown,
  breakerState,
  cooldownBegun,
  cooldownOf,
  endTrial,
  modelsCoolingDown,
  recordFailure,
  recordResponse,
  recordStart,
  recordSuccess,
  resetCircuits,
} from '../../src/domain/routing/health/breaker.ts'
import * as outcome from '../../src/domain/routing/health/outcome.ts'
import { type RoutedChannel, routedOf } from '../../src/domain/routing/routed-channel.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'

const place = { channel_id: 1 }
const IN_A_ROW = 5
const failure = { reason: '500' }
const hinted = (seconds: number) => ({ reason: '429', retry_after_ms: seconds * 1000 })

beforeEach(() => {
  holdClock(true)
  resetStores()
})
afterEach(() => {
  resetStores()
  holdClock(false)
})

function fail(times: number, at = place) {
  for (let turn = 0; turn < times; turn++) recordFailure(at, failure)
}

describe('one circuit', () => {
  test('a circuit opens at the fifth failure in a row, or at once where the failure says so', () => {
    fail(IN_A_ROW - 1)
    expect([breakerState(place), allowsCall(place), cooldownOf(place)]).toEqual([0, true, undefined])
    fail(1)
    expect([breakerState(place), allowsCall(place)]).toEqual([2, false])
    expect(cooldownOf(place)).toEqual({ place, reason: '500', seconds: 5, by_provider: false })
    const other = { channel_id: 2 }
    recordFailure(other, { reason: '401', at_once: true })
    expect(cooldownOf(other)).toEqual({ place: other, reason: '401', seconds: 5, by_provider: false })
  })

  test('a circuit rests twice as long after each failed trial, at most a minute', () => {
    fail(IN_A_ROW)
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      expect(cooldownOf(place)!.seconds).toBe(seconds)
      // Those that fail beside it change nothing.
      fail(3)
      expect(cooldownOf(place)!.seconds).toBe(seconds)
      shiftClock(seconds)
      expect(breakerState(place)).toBe(1)
      fail(1)
    }
  })

  test.each([
    [1, 1],
    [599, 599],
    [600, 600],
    [601, 600],
    [99_999, 600],
  ])('a circuit for which the provider says %d s rests %d s', (seconds, rest) => {
    recordFailure(place, hinted(seconds))
    expect(cooldownOf(place)).toEqual({ place, reason: '429', seconds: rest, by_provider: true })
    shiftClock(rest)
    expect([breakerState(place), cooldownOf(place)]).toEqual([1, undefined])
  })

  test('a cooldown shows whole seconds, rounded up, and none when the clock was set back', () => {
    recordFailure(place, { reason: '429', retry_after_ms: 1001 })
    expect(cooldownOf(place)!.seconds).toBe(2)
    recordFailure(place, hinted(600))
    shiftClock(-1)
    expect(cooldownOf(place)).toBeUndefined()
  })

  test('a circuit is one failure short of opening again after a response, five after a success', () => {
    fail(IN_A_ROW + 3)
    recordResponse(place)
    expect([breakerState(place), allowsCall(place)]).toEqual([0, true])
    fail(1)
    expect(breakerState(place)).toBe(2)
    recordResponse(place)
    recordSuccess(place)
    expect(allClosed()).toBe(true)
    fail(IN_A_ROW - 1)
    expect(breakerState(place)).toBe(0)
    // Of the doubling too nothing is left.
    fail(1)
    expect(cooldownOf(place)!.seconds).toBe(5)
  })

  test('a circuit that has opened since a response began stays open when the response is complete', () => {
    fail(IN_A_ROW)
    recordSuccess(place)
    expect(breakerState(place)).toBe(2)
    shiftClock(5)
    recordSuccess(place)
    expect(breakerState(place)).toBe(0)
  })
})

describe('tries', () => {
  test('trials during a cooldown are for circuits that the provider has not timed', () => {
    expect(allowsTrial(place)).toBe(true)
    fail(IN_A_ROW)
    expect(allowsTrial(place)).toBe(true)
    recordFailure(place, hinted(45))
    expect(allowsTrial(place)).toBe(false)
    shiftClock(44)
    expect(allowsTrial(place)).toBe(false)
    shiftClock(1)
    expect([allowsTrial(place), allowsCall(place)]).toEqual([true, true])
  })

  test('a trial blocks others for ten seconds, or until it ends', () => {
    fail(IN_A_ROW)
    shiftClock(5)
    recordStart(place)
    for (const seconds of [0, 9.999]) {
      shiftClock(seconds)
      expect([allowsTrial(place), allowsCall(place)]).toEqual([false, false])
    }
    shiftClock(0.001)
    expect([allowsTrial(place), allowsCall(place)]).toEqual([true, true])
    recordStart(place)
    endTrial(place)
    expect([allowsTrial(place), allowsCall(place)]).toEqual([true, true])
  })

  test('a call on a closed circuit is no trial', () => {
    fail(1)
    recordStart(place)
    expect([allowsTrial(place), allowsCall(place)]).toEqual([true, true])
  })
})

describe('several circuits', () => {
  const models = (channel_id: number) => modelsCoolingDown(channel_id).toSorted()

  test('the open circuits of a channel are named by model', () => {
    for (const model of ['a', 'b']) recordFailure({ ...place, model }, hinted(model === 'a' ? 10 : 20))
    recordFailure({ ...place, key: 'sk-one', model: 'b' }, hinted(20))
    recordFailure({ ...place, model: 'failed-once' }, failure)
    recordFailure({ channel_id: 2, model: 'c' }, hinted(20))
    recordFailure(place, hinted(20))
    expect([models(1), models(2), models(3)]).toEqual([['a', 'b'], ['c'], []])
    shiftClock(10)
    expect(models(1)).toEqual(['b'])
  })

  test('circuits close with their channel, and no other', () => {
    const places = [place, { ...place, key: 'sk-one' }, { ...place, model: 'a' }, { channel_id: 11 }]
    for (const one of places) recordFailure(one, hinted(20))
    resetCircuits(1)
    expect(places.map(breakerState)).toEqual([0, 0, 0, 2])
  })
})

describe('cooldowns for other nodes', () => {
  const begun: BegunCooldown[] = []
  cooldownBegun.listen(cooldown => begun.push(cooldown))
  beforeEach(() => void begun.splice(0))

  test('cooldowns are announced when they begin, and when their end moves by a second', () => {
    const moves: [seconds: number, announced: boolean][] = [
      [45, true],
      [45, false],
      [45.999, false],
      [46.999, true],
      [10, false],
    ]
    for (const [seconds, announced] of moves) {
      recordFailure(place, hinted(seconds))
      const expected = { place, ms: seconds * 1000, by_provider: true, reason: '429' }
      expect(begun.splice(0)).toEqual(announced ? [expected] : [])
    }
    const other = { channel_id: 2 }
    fail(IN_A_ROW + 1, other)
    expect(begun).toEqual([{ place: other, ms: 5000, by_provider: false, reason: '500' }])
  })

  test('cooldowns that other nodes begin hold here without an announcement', () => {
    expect(beginCooldown({ place, ms: 7000, by_provider: true, reason: '429' })).toBeGreaterThan(7000)
    expect(cooldownOf(place)).toEqual({ place, reason: '429', seconds: 7, by_provider: true })
    expect(begun).toEqual([])
  })
})

const kind = 'broken' as const

describe('targets', () => {
  const channelOf = (keys: string[]): RoutedChannel =>
    routedOf({ id: 1, models: 'm', group: 'g', model_mapping: '{"m":"upstream-m"}', model_prefix: '' } as never, keys)
  const [one, two] = [channelOf(['k1']), channelOf(['k1', 'k2'])]
  const kinds = { kind, of_key: false, of_model: false, fatal: false, trips_breaker: true, reason: 'it' }
  const circuits = (channel: RoutedChannel) => {
    const own = channel.keys.flatMap(key => [
      { channel_id: 1, key },
      { channel_id: 1, key, model: 'upstream-m' },
    ])
    return [place, { ...place, model: 'upstream-m' }, ...own].filter(circuit => breakerState(circuit) === 2)
  }

  test.each([
    ['one key', one, {}, place],
    ['one key', one, { of_key: true }, place],
    ['one key', one, { of_model: true }, { ...place, model: 'upstream-m' }],
    ['one key', one, { of_key: true, of_model: true }, { ...place, model: 'upstream-m' }],
    ['two keys', two, {}, place],
    ['two keys', two, { of_model: true }, { ...place, model: 'upstream-m' }],
    ['two keys', two, { of_key: true }, { ...place, key: 'k1' }],
    ['two keys', two, { of_key: true, of_model: true }, { ...place, key: 'k1', model: 'upstream-m' }],
    ['two keys', two, { of_key: true, trips_breaker: false }, undefined],
  ] as const)('a target with %s that fails opens the circuit that it concerns', (_, channel, fields, circuit) => {
    const target = { channel, key: 'k1', model: 'm' }
    const at_once = channel === two && 'of_key' in fields
    for (let turn = 1; turn <= (at_once ? 1 : IN_A_ROW); turn++) {
      expect(circuits(channel)).toEqual([])
      outcome.recordFailure(target, { ...kinds, ...fields })
    }
    expect(circuits(channel)).toEqual(circuit ? [circuit] : [])
    expect(outcome.allowsCall(target)).toBe(circuit === undefined)
    expect(outcome.cooldownOf(target)?.place).toEqual(circuit as never)
    const others = { key: { ...target, key: 'k2' }, model: { ...target, model: 'other' } }
    expect(outcome.allowsCall(others.key)).toBe(!circuit || 'key' in circuit)
    expect(outcome.allowsCall(others.model)).toBe(!circuit || 'model' in circuit)
  })

  test('a target waits for its longest cooldown, several targets for the shortest of them', () => {
    const targets = ['k1', 'k2'].map(key => ({ channel: two, key, model: 'm' }))
    recordFailure({ ...place, key: 'k1' }, hinted(10))
    recordFailure({ ...place, key: 'k1', model: 'upstream-m' }, hinted(30))
    expect(outcome.cooldownOfAll(targets)).toBeUndefined()
    expect(outcome.cooldownsOf(two)).toEqual({ cooldown: undefined, model_cooldowns: [] })
    recordFailure({ ...place, key: 'k2' }, hinted(20))
    expect(outcome.cooldownOf(targets[0]!)!.seconds).toBe(30)
    expect(outcome.cooldownOfAll(targets)).toEqual({ reason: '429', seconds: 20, scope: 'key' })
    expect(outcome.cooldownsOf(two)).toEqual({
      cooldown: { reason: '429', seconds: 10, scope: 'key' },
      model_cooldowns: [],
    })
    recordFailure({ ...place, key: 'k2', model: 'upstream-m' }, hinted(40))
    const model = { reason: '429', scope: 'model', model: 'upstream-m' }
    expect(outcome.cooldownOfAll(targets)).toEqual({ ...model, seconds: 30 } as never)
    expect(outcome.cooldownsOf(two).model_cooldowns).toEqual([{ ...model, seconds: 30 }] as never)
    expect(outcome.cooldownsOfKey(two, 'k2')).toEqual({
      cooldown: { reason: '429', seconds: 20, scope: 'key' },
      model_cooldowns: [{ ...model, seconds: 40 }],
    } as never)
    expect(outcome.cooldownsOfKey(one, 'k1')).toEqual({ cooldown: undefined, model_cooldowns: [] })
    recordFailure(place, hinted(15))
    // A cooldown of the channel is none of its keys.
    expect(outcome.cooldownsOfKey(two, 'k1').cooldown).toEqual({ reason: '429', seconds: 10, scope: 'key' })
    expect(outcome.cooldownsOf(two).cooldown).toEqual({ reason: '429', seconds: 15, scope: 'channel' })
  })

  test('a target is tried during a cooldown of its channel once the time that the provider named is over', () => {
    const target = { channel: one, key: 'k1', model: 'm' }
    recordFailure({ ...place, model: 'upstream-m' }, hinted(10))
    fail(IN_A_ROW)
    expect([outcome.allowsCall(target), outcome.allowsTrial(target)]).toEqual([false, false])
    shiftClock(10)
    fail(1)
    expect([outcome.allowsCall(target), outcome.allowsTrial(target)]).toEqual([false, true])
  })
})
