/** Choices of random fleets, recorded as calls record them, and made again from what is stored. */
import { expect, test } from 'bun:test'
import { CALL_RECORD_MAX_BYTES } from '../../src/contracts/call-record.ts'
import { decodeRecord } from '../../src/domain/logs/record-codec.ts'
import { recordFailure } from '../../src/domain/routing/health/outcome.ts'
import type { RoutedChannel } from '../../src/domain/routing/routed-channel.ts'
import { replay } from '../../src/domain/routing/selection/replay.ts'
import { targetsOf } from '../../src/domain/routing/selection/targets.ts'
import type { Candidate } from '../../src/domain/routing/target.ts'
import { AttemptLog } from '../../src/relay/attempts.ts'
import type { ReadCall } from '../../src/relay/call.ts'
import { CallRecorder } from '../../src/relay/watching/call-recorder.ts'
import { seededRandom } from '../support/random.ts'

const ROUNDS = 1000
const FAILURES_UNTIL_OPEN = 5
const model = 'gpt-4o'
const call = { endpoint: { operation: 'chat' as const }, facts: { model } }
const random = seededRandom(26)
let last_id = 0

function channel(): RoutedChannel {
  const id = ++last_id
  const key = `key-${id}`
  const weights = [0, 1, 7, 100, 1_000_000]
  const facts = { id, name: `c${id}`, type: 1, keys: [key], good_keys: [key], model_mapping: {}, model_prefix: '' }
  return { ...facts, priority: random(3), weight: weights[random(weights.length)]! } as unknown as RoutedChannel
}

function close(one: RoutedChannel) {
  const failure = {
    kind: 'timeout' as const,
    reason: 'down',
    of_key: false,
    of_model: false,
    fatal: false,
    trips_breaker: true,
  }
  for (let time = 0; time < FAILURES_UNTIL_OPEN; time++)
    recordFailure({ channel: one, key: one.good_keys[0]!, model }, failure)
}

/** A call of `candidates` that fails at all but its last attempt. @returns its channels and its stored record */
function made(serving: RoutedChannel[], candidates: Candidate[], attempts_max: number) {
  const recorder = new CallRecorder()
  const attempts = new AttemptLog(() => 12_345.6)
  recorder.serving = serving
  recorder.keep(candidates, 'no_api')
  const asked: number[] = []
  for (const target of targetsOf(candidates, call as never, { onChoice: recorder.choice })) {
    asked.push(target.channel.id)
    attempts.begin(target.channel)
    attempts.end(500, `The upstream ${target.channel.name} is out of "order": 你好`)
    if (asked.length === attempts_max) break
  }
  const text = recorder.recordOf({ attempts, elapsed: () => 12_345.6 } as unknown as ReadCall)?.()
  return { asked, text }
}

test('replay: a stored decision chooses the same channels 1,000 of 1,000 times, whatever the fleet', () => {
  let same = 0
  let whole = 0
  for (let round = 0; round < ROUNDS; round++) {
    const serving = Array.from({ length: 1 + random([3, 12, 60, 400][round % 4]!) }, channel)
    const able = serving.filter(() => random(8) > 0)
    for (const one of able) if (random(5) === 0) close(one)
    const candidates = (able.length ? able : serving).map(one => ({ channel: one, api: {} }) as unknown as Candidate)
    const { asked, text } = made(serving, candidates, 1 + random(4))
    // Where every channel is closed and none may be tried, no upstream is asked and nothing is stored.
    if (!asked.length) {
      expect(text).toBeUndefined()
      same++
      continue
    }
    expect(Buffer.byteLength(text!)).toBeLessThanOrEqual(CALL_RECORD_MAX_BYTES)
    const record = decodeRecord(text!)!
    const again = replay(record)
    const isWhole = record.candidates.length === serving.length
    if (isWhole) whole++
    const expected = isWhole ? asked.slice(0, again.length) : asked.slice(0, 1)
    if (JSON.stringify(again) === JSON.stringify(expected) && record.attempts[0]!.channel === asked[0]) same++
    const shown = record.candidates.reduce((sum, { count = 1 }) => sum + count, record.candidates_left_out)
    expect(shown).toBe(serving.length)
  }
  expect(same).toBe(ROUNDS)
  expect(whole).toBeGreaterThan(ROUNDS / 4)
})
