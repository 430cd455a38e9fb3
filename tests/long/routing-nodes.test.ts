// @engine postgres
/** Weighted channels and the keys of one channel over two nodes: shares as configured, and a closed key unused on both. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type Installation, newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { newFolder, type Server } from '../support/app/server.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { type Member, sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const [WEIGHTED, KEYED] = ['gpt-4o-mini', 'gpt-4o']
const CALLS = 1000
const AT_ONCE = 20
const WEIGHTS = [10, 30, 60]
/** Status of a key that was closed by itself. */
const CLOSED = 3
const KEYS = ['sk-one', 'sk-two', 'sk-three', 'sk-four']

const upstreams = await Promise.all([...WEIGHTS, 0].map(() => fakeUpstream()))
const keyed = upstreams.at(-1)!
for (const upstream of upstreams) {
  upstream.scripts(WEIGHTED, chat())
  upstream.scripts(KEYED, chat())
}
for (const key of KEYS) keyed.keys.add(key)
afterAll(() => upstreams.forEach(upstream => void upstream.stop()))

const nodes: Server[] = []
let place: Installation
let root: Pick<Member, 'headers'>
let key: string
let keyedChannel: number

beforeAll(async () => {
  place = await newInstallation()
  place.env = { ...place.env, SECRET_KEY: 'the key of one installation' }
  const start = async () => void nodes.push(await startAt({ ...place, folder: newFolder() }))
  await start()
  const { url } = nodes[0]!
  await setUpAt(nodes[0]!)
  root = await signInAt(nodes[0]!)
  for (const [index, weight] of WEIGHTS.entries()) {
    const channel = { name: `weight ${weight}`, type: 1, key: 'sk-upstream', models: WEIGHTED, weight }
    await sendWell(url, root, '/api/channel/', { body: { ...channel, base_url: upstreams[index]!.url } })
  }
  const several = { name: 'keys', type: 1, key: KEYS.join(','), base_url: keyed.url, models: KEYED }
  const { data } = await sendWell(url, root, '/api/channel/', { body: several })
  keyedChannel = data.id
  key = (await sendWell(url, root, '/api/token/', { body: { name: 'key', unlimited_quota: true } })).data.key
  await start()
})

afterEach(() => checkInvariants(place))

/** Calls at both nodes, at random. @returns how many were answered */
async function callBoth(model: string, calls: number): Promise<number> {
  let [begun, answered] = [0, 0]
  const caller = async () => {
    while (begun++ < calls) {
      const { url } = nodes[Math.random() < 0.5 ? 0 : 1]!
      const response = await fetch(`${url}/v1/chat/completions`, {
        ...{ method: 'POST', headers: { authorization: `Bearer sk-${key}` } },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 }),
      })
      await response.text()
      if (response.status === 200) answered++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
  return answered
}

/** Whether a count is within three standard deviations of its share. */
const isWithin = (count: number, share: number, calls: number) =>
  Math.abs(count - share * calls) <= 3 * Math.sqrt(calls * share * (1 - share))

test('calls at two nodes are spread over weighted channels within 3 sigma of their shares', async () => {
  expect(await callBoth(WEIGHTED, CALLS)).toBe(CALLS)
  const counts = WEIGHTS.map((_, index) => upstreams[index]!.journal.length)
  const total = WEIGHTS.reduce((sum, weight) => sum + weight, 0)
  const shares = WEIGHTS.map((weight, index) => [counts[index]!, isWithin(counts[index]!, weight / total, CALLS)])
  expect(shares).toEqual(counts.map(count => [count, true]))
})

const usesOf = (from: number) => {
  const used = keyed.journal.slice(from)
  return KEYS.map(name => used.filter(({ key }) => key === name).length)
}

test('the keys of a channel are used evenly over two nodes, and one that a node has closed on none', async () => {
  expect(await callBoth(KEYED, CALLS)).toBe(CALLS)
  const even = usesOf(0)
  expect(even.map(count => [count, isWithin(count, 1 / KEYS.length, CALLS)])).toEqual(even.map(count => [count, true]))

  await sendWell(nodes[0]!.url, root, '/api/option/', {
    ...{ method: 'PUT', body: { key: 'AutomaticDisableChannelEnabled', value: true } },
  })
  // The upstream revokes one key: the node that meets it closes it for both.
  keyed.keys.delete(KEYS[1]!)
  const statusAt = async ({ url }: Server) => {
    const { data } = await sendWell(url, root, `/api/channel/${keyedChannel}`, { method: 'GET' })
    return data.keys[1].status
  }
  await until(async () => {
    await callBoth(KEYED, AT_ONCE)
    return (await Promise.all(nodes.map(statusAt))).every(status => status === CLOSED)
  }, 'the key is closed at both nodes')
  const from = keyed.journal.length
  expect(await callBoth(KEYED, CALLS / 2)).toBe(CALLS / 2)
  expect(usesOf(from)[1]).toBe(0)
})
