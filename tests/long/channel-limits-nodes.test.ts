// @engine postgres
// @waits
/** Limits of channels over two nodes on PostgreSQL and Redis: strict makers are never overrun, users have equal shares. */
import { afterAll, expect, test } from 'bun:test'
import { setOption } from '../support/app/site.ts'
import { limitedCaller, limitedNodes, MODEL } from '../support/cluster/limited-nodes.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'
import { fairness, type SlidingMaker, slidingMaker } from '../support/upstream/sliding-maker.ts'

const site = await limitedNodes()
const { balancer, first, nodes, redis, root } = site
await setOption(first.url, 'QueueTimeout', 300)
await setOption(first.url, 'QueueLength', 5000)

type Maker = SlidingMaker & { model: string }

/** A model of its own, with a maker and a channel of the same limits. */
async function limitedMaker(model: string, limits: object, ms: number): Promise<Maker> {
  const upstream = await fakeUpstream()
  afterAll(upstream.stop)
  const maker = slidingMaker({ ...limits, ms })
  upstream.scripts(model, maker.script)
  const setting = JSON.stringify(limits)
  const channel = { name: model, type: 1, key: 'sk-upstream', base_url: upstream.url, models: model, setting }
  await sendWell(first.url, root, '/api/channel/', { body: channel })
  return Object.assign(maker, { model })
}

async function callOf(key: string, body: object, url = balancer.next()) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50, ...body }),
  })
  await response.text()
  return response.status
}

/** Waits until both nodes know the channel. */
const isKnown = (key: string, model: string) =>
  until(
    async () => (await Promise.all(nodes.map(({ url }) => callOf(key, { model }, url)))).every(one => one === 200),
    'the channel',
  )

test('a maker with concurrent calls is never overrun by two nodes, and 20 users have equal shares', async () => {
  const maker = await limitedMaker('gpt-4o', { concurrency: 4 }, 25)
  const users = await Promise.all(Array.from({ length: 20 }, (_, index) => limitedCaller(site, `user${index}`, {})))
  await isKnown(users[0]!.key, maker.model)
  const statuses: number[] = []
  const waits_ms: number[] = []
  let isOver = false
  const begun = maker.served.length
  // From 3 calls at a time to 22.
  const loops = users.flatMap(({ key }, index) =>
    Array.from({ length: index + 3 }, async () => {
      while (!isOver) {
        const start = performance.now()
        statuses.push(await callOf(key, { model: maker.model, user: `user ${index}` }))
        waits_ms.push(performance.now() - start)
      }
    }),
  )
  await until(() => maker.served.length >= begun + 1000, 'a thousand calls')
  isOver = true
  const counted = maker.served.slice(begun + 200, begun + 1000)
  await Promise.all(loops)
  const shares = users.map((_, index) => counted.filter(user => user === `user ${index}`).length)
  process.stdout.write(
    `fairness ${fairness(shares).toFixed(3)}, longest wait ${(Math.max(...waits_ms) / 1000).toFixed(1)} s of ${statuses.length} calls\n`,
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([maker.refused, maker.most]).toEqual([0, 4])
  expect(fairness(shares)).toBeGreaterThanOrEqual(0.95)
  expect(Math.max(...waits_ms)).toBeLessThan(60_000)
})

test('makers with requests and tokens per minute are not overrun over three minutes', async () => {
  const byRequests = await limitedMaker('gpt-4.1', { rpm: 40 }, 5)
  const byTokens = await limitedMaker('gpt-4.1-mini', { tpm: 2000 }, 5)
  const { key } = await limitedCaller(site, 'minutes', {})
  await isKnown(key, byRequests.model)
  await isKnown(key, byTokens.model)
  // Of 200 and 80 calls two minutes serve less than all.
  const calls = [byRequests, byTokens].flatMap(({ model }) =>
    Array.from({ length: 100 }, () => callOf(key, { model, max_tokens: 50 })),
  )
  const statuses = await Promise.all(calls)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([byRequests.refused, byTokens.refused]).toEqual([0, 0])
})

test('without Redis each node keeps to its share of a channel', async () => {
  await setOption(first.url, 'QueueTimeout', 0)
  const maker = await limitedMaker('o3', { rpm: 20 }, 1)
  const { key } = await limitedCaller(site, 'alone', {})
  await isKnown(key, maker.model)
  await redis.stop()
  await until(() => nodes.every(node => /limits are kept without Redis/.test(node.output())), 'limits without Redis')
  const statuses = await Promise.all(Array.from({ length: 60 }, () => callOf(key, { model: maker.model })))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(maker.refused).toBe(0)
  expect(maker.served.length).toBeLessThanOrEqual(20)
  expect(maker.served.length).toBeGreaterThanOrEqual(16)
})
