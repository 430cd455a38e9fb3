/** Cooldowns that another node has begun: a message of it holds here for the channel, key and model that it names. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { digest } from '../../src/crypto/sealing.ts'
import { allClosed, cooldownOf } from '../../src/domain/routing/health/breaker.ts'
import { holdClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const [ONE, TWO] = ['sk-number-one', 'sk-number-two'] as const
const told = { ms: 45_000, by_provider: true, reason: '429' }

beforeEach(() => holdClock(true))
afterEach(() => {
  resetStores()
  holdClock(false)
})

const channelId = async () => (await makeChannel(await setUp(), { key: `${ONE},${TWO}` })).id

test.each([
  ['a channel', {}, {}],
  ['a model', { model: 'm' }, { model: 'm' }],
  ['a key', { key_hash: digest(TWO) }, { key: TWO }],
  ['a model of a key', { key_hash: digest(ONE), model: 'm' }, { key: ONE, model: 'm' }],
] as const)('a cooldown of %s at another node holds here, as long and for the same reason', async (_, named, place) => {
  const channel_id = await channelId()
  invalidate('cooldowns', { ...told, ...named, channel_id })
  await until(() => !allClosed())
  expect(cooldownOf({ channel_id, ...place })).toMatchObject({ seconds: 45, by_provider: true, reason: '429' })
  const others = [{}, { model: 'm' }, { key: ONE }, { key: TWO }, { key: ONE, model: 'm' }].filter(
    other => JSON.stringify(other) !== JSON.stringify(place),
  )
  for (const other of others) expect(cooldownOf({ channel_id, ...other })).toBeUndefined()
})

test('a cooldown of a channel or key that is gone, and a bus that has missed messages, begin nothing', async () => {
  const channel_id = await channelId()
  invalidate('cooldowns', { ...told, channel_id: 999_999 })
  invalidate('cooldowns', { ...told, channel_id, key_hash: digest('sk-number-three') })
  invalidate('cooldowns')
  await Bun.sleep(10)
  expect(allClosed()).toBe(true)
})
