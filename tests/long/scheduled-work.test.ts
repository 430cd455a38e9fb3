// @engine postgres
// @waits
/**
 * Work that one node does for all, such as the tests of channels: once in each interval, also with wrong clocks, and on
 * when its node is killed.
 */
import { afterAll, expect, test } from 'bun:test'
import { LEASE_SECONDS } from '../../src/cluster/node.ts'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { newFolder, type Server } from '../support/app/server.ts'
import { OFFSET_MS, startShifted } from '../support/cluster/shifted-clock.ts'
import { sendWell } from '../support/people/member.ts'
import { until } from '../support/until.ts'
import { chat, inTurn } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Script } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const INTERVAL_SECONDS = 60
/** How often a node asks for the lease of a job. */
const REQUEST_SECONDS = 30
/** On a busy machine. */
const SLACK_SECONDS = 15

const upstreams: { stop(): unknown }[] = []
afterAll(() => upstreams.forEach(upstream => void upstream.stop()))

/** A site whose one channel is tested every minute, without a node. */
async function site(script: Script) {
  const upstream = await fakeUpstream()
  upstreams.push(upstream)
  upstream.scripts(MODEL, script)
  const place = await newInstallation()
  place.env = { ...place.env, SECRET_KEY: 'the key of one installation' }
  const start = (ROLE = 'all', clock_ms = 0) => {
    const own = { ...place, folder: newFolder(), env: { ...place.env, ROLE } }
    return clock_ms ? startShifted(clock_ms, own) : startAt(own)
  }
  const server = await start()
  await setUpAt(server)
  const root = await signInAt(server)
  const channel = {
    name: 'mock',
    type: 1,
    key: 'sk-upstream',
    base_url: upstream.url,
    models: MODEL,
    test_model: MODEL,
  }
  await sendWell(server.url, root, '/api/channel/', { body: channel })
  const every = { key: 'ChannelTestIntervalMinutes', value: INTERVAL_SECONDS / 60 }
  await sendWell(server.url, root, '/api/option/', { method: 'PUT', body: every })
  await server.stop()
  await place.change('delete from jobs')
  const tests: number[] = []
  const taken = setInterval(() => {
    while (tests.length < upstream.journal.length) tests.push(performance.now())
  }, 50)
  upstreams.push({ stop: () => clearInterval(taken) })
  return { place, start, tests }
}

const hangs: Script = (_call, answer) => answer.left

type Site = Awaited<ReturnType<typeof site>>

/** Nodes by their ids: each is the one that has come. @param clocks_ms how far the clock of each is before the right time */
async function startNodes({ place, start }: Site, roles: string[], clocks_ms: number[] = []) {
  const idsNow = async () => ((await place.read('select id from nodes')) as { id: string }[]).map(({ id }) => id)
  const nodes = new Map<string, { role: string; server: Server }>()
  for (const [index, role] of roles.entries()) {
    const server = await start(role, clocks_ms[index])
    const [id] = (await idsNow()).filter(id => !nodes.has(id))
    nodes.set(id!, { role, server })
  }
  return nodes
}

test('when the node that tests channels is killed, another one tests them, and all together once in each interval', async () => {
  const one = await site(inTurn(hangs, chat()))
  const { place, tests } = one
  const nodes = await startNodes(one, ['all', 'console', 'jobs', 'relay'])
  await until(() => tests.length === 1, 'the first test')
  const [lease] = (await place.read("select node from jobs where name = 'test-channels'")) as { node: string }[]
  const holder = nodes.get(lease!.node)!
  expect(holder.role).not.toBe('relay')
  await holder.server.stop('SIGKILL')
  const killed = performance.now()
  await until(() => tests.length === 2, 'a test by another node')
  const seconds = (performance.now() - killed) / 1000
  expect(seconds).toBeLessThan(LEASE_SECONDS + REQUEST_SECONDS + SLACK_SECONDS)

  await until(() => tests.length === 3, 'the next test')
  const between = (tests[2]! - tests[1]!) / 1000
  expect(between).toBeGreaterThan(INTERVAL_SECONDS - 2)
  expect(between).toBeLessThan(INTERVAL_SECONDS + REQUEST_SECONDS + SLACK_SECONDS)
})

test('several nodes do scheduled work once in each interval, with right and wrong clocks, and one that relays alone none', async () => {
  const [several, wrong, relays] = [await site(chat()), await site(chat()), await site(chat())]
  await Promise.all([
    startNodes(several, ['all', 'all', 'jobs']),
    startNodes(wrong, ['all', 'all', 'jobs'], [OFFSET_MS, -OFFSET_MS, 0]),
    startNodes(relays, ['relay']),
  ])
  await until(() => several.tests.length > 0 && wrong.tests.length > 0, 'the first tests')
  await Bun.sleep((2 * INTERVAL_SECONDS + REQUEST_SECONDS - 5) * 1000)
  for (const { tests } of [several, wrong]) {
    const gaps = tests.slice(1).map((at, index) => (at - tests[index]!) / 1000)
    expect(gaps.length).toBeGreaterThanOrEqual(1)
    // The other site may have begun half a minute later.
    expect(gaps.length).toBeLessThanOrEqual(3)
    expect(Math.min(...gaps)).toBeGreaterThan(INTERVAL_SECONDS - 2)
  }
  expect(relays.tests).toEqual([])
  expect(await relays.place.read('select name from jobs')).toEqual([])
})
