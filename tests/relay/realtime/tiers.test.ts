/** Tiers by the length of the prompt in realtime sessions: each turn is one call of the upstream, with a prompt of its own. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { simulate } from '../../../src/domain/pricing/index.ts'
import { logsOf } from '../../support/app/logs.ts'
import { expectBillsComputable, resetPrices, setPrice } from '../../support/app/prices.ts'
import { type Client, client, RICH } from '../../support/people/client.ts'
import { dial, REALTIME_MODEL as MODEL } from '../../support/people/realtime-client.ts'
import { until } from '../../support/until.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const upstream = realtimeUpstream()
await channelTo(upstream.url, { models: MODEL })
afterEach(resetPrices)
afterAll(() => upstream.stop())

/** The first tier: 1 a token of the prompt, 3 of the output; from 1000 on 2 and 6. */
async function setTiers() {
  await setPrice('ModelRatio', { [MODEL]: 1 })
  await setPrice('CompletionRatio', { [MODEL]: 3 })
  await setPrice('TierRatio', { [MODEL]: [{ from: 1000, model_ratio: 2 }] })
}

/** A session of one turn for each usage: tokens of the prompt, and of the output. */
async function converse(ann: Client, ...turns: [prompt: number, output: number][]) {
  const usages = turns.map(([input_tokens, output_tokens]) => ({ usage: { input_tokens, output_tokens } }))
  upstream.turns.splice(0, upstream.turns.length, ...usages)
  const call = await dial(ann)
  for (let turn = 1; turn <= turns.length; turn++) {
    call.say({ type: 'response.create' })
    await call.seen('response.done', turn)
  }
  call.socket.close()
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(await ann.balance()).toBe(RICH - entry.quota)
  return entry
}

test('two turns below the edge of a tier, together above it, are billed below it', async () => {
  await setTiers()
  const { quota, other } = await converse(await client(), [600, 10], [700, 20])
  expect(quota).toBe(600 + 10 * 3 + 700 + 20 * 3)
  expect([other.tier, other.model_ratio, other.lines.map(({ tier }: { tier?: number }) => tier)]).toEqual([
    ...[undefined, 1],
    [undefined, undefined],
  ])
})

test('two turns above the edge of a tier are billed in it, with one line for each kind of token', async () => {
  await setTiers()
  const { quota, other } = await converse(await client(), [1000, 10], [1100, 20])
  expect(quota).toBe((1000 + 10 * 3 + 1100 + 20 * 3) * 2)
  expect([other.tier, other.model_ratio, other.lines.length]).toEqual([1000, 2, 2])
})

test('turns on both sides of an edge have lines for each tier, which audit and simulation bill again', async () => {
  await setTiers()
  const ann = await client()
  const { quota, other, prompt_tokens, completion_tokens } = await converse(ann, [999, 10], [1000, 20], [300, 5])
  expect(quota).toBe(999 + 10 * 3 + (1000 + 20 * 3) * 2 + 300 + 5 * 3)
  expect([prompt_tokens, completion_tokens]).toEqual([2299, 35])
  const lines = other.lines.map((line: Record<string, unknown>) => [line.bucket, line.count, line.amount, line.tier])
  expect(lines).toEqual([
    ['input', 1299, '1299', undefined],
    ['output', 15, '45', undefined],
    ['input', 1000, '2000', 1000],
    ['output', 20, '120', 1000],
  ])
  await expectBillsComputable(1)
  const { users } = await simulate({}, 0)
  expect(users.find(({ user_id }) => user_id === ann.person.id)).toMatchObject({ before: quota, after: quota })
})

test('a session goes on where the balance pays for its turns but not for their sum as one prompt', async () => {
  await setPrice('ModelRatio', { [MODEL]: 1 })
  await setPrice('CompletionRatio', { [MODEL]: 1 })
  await setPrice('TierRatio', { [MODEL]: [{ from: 1000, model_ratio: 1_000_000 }] })
  const { quota, other } = await converse(await client(), [600, 10], [600, 10], [600, 10])
  expect([quota, other.stream_status]).toEqual([1830, 'finished'])
})
