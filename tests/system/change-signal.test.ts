// @engine postgres
/** With REDIS_URL a change is published to the other nodes; without Redis, or when it stops, they read it all the same. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { Redis } from 'ioredis'
import { setUpInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { METRICS_TOKEN, parseMetrics } from '../support/app/metrics.ts'
import { run } from '../support/app/server.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { sendWell } from '../support/people/member.ts'
import { startRedis } from '../support/redis/server.ts'
import { until } from '../support/until.ts'

const redis = await startRedis()
afterAll(redis.stop)
const place = await setUpInstallation()
afterEach(() => checkInvariants(place))
const settings = { ...place, env: { ...place.env, REDIS_URL: redis.url, METRICS_TOKEN } }
const first = await startAt(settings)
const root = await signInAt(first)
const second = await startAt(settings)

const open: Redis[] = []
afterAll(() => {
  for (const client of open) client.disconnect()
})

/** Messages on every channel. */
async function messages(): Promise<string[]> {
  const heard: string[] = []
  const client = new Redis(redis.url)
  open.push(client)
  client.on('pmessage', (_, channel) => void heard.push(channel))
  await client.psubscribe('*')
  return heard
}

const save = (value: string) =>
  sendWell(first.url, root, '/api/option/', { method: 'PUT', body: { key: 'SystemName', value } })

const readsAtSecond = (name: string) =>
  until(async () => {
    const response = await fetch(`${second.url}/api/status`)
    return ((await response.json()) as { data: { system_name: string } }).data.system_name === name
  }, name)

test('a change is published once its transaction has ended, and holds at the other node', async () => {
  const heard = await messages()
  await save('First')
  await readsAtSecond('First')
  await until(() => heard.length)
  expect(heard[0]).toMatch(/^tollgate:[0-9a-f]{64}$/)
})

const metrics = async () =>
  parseMetrics(
    await (await fetch(`${second.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text(),
  )

test('metrics count the nodes, and how long ago the changes of the others were read', async () => {
  const series = await metrics()
  expect([series.get('tollgate_nodes'), series.get('tollgate_redis_up')]).toEqual([2, 1])
  expect(series.get('tollgate_changes_lag_seconds')).toBeLessThan(30)
  expect(series.get('tollgate_db_pool{state="free"}')).toBeGreaterThan(0)
})

test('changes hold at the other node while Redis is gone, with one warning, and are published when it is back', async () => {
  for (const client of open) client.disconnect()
  await redis.stop()
  await save('Second')
  await readsAtSecond('Second')
  await until(async () => (await metrics()).get('tollgate_redis_up') === 0)
  const warnings = () => second.output().match(/Redis cannot be reached/g)?.length
  await until(() => warnings() === 1)
  await redis.start()
  const heard = await messages()
  await until(async () => {
    await save(`Third ${heard.length}`)
    return heard.length
  })
  await save('Fourth')
  await readsAtSecond('Fourth')
  expect(warnings()).toBe(1)
})

test.each(['http://127.0.0.1:1', 'redis://', 'redis-sentinel://127.0.0.1:1', 'redis-sentinel:///main'])(
  '%p is no address of Redis and is refused at the start',
  async REDIS_URL => {
    const { code, err } = await run(['serve'], { ...place, env: { ...place.env, REDIS_URL } })
    const problem = 'must be redis://host:6379, rediss://host:6379 or redis-sentinel://host:26379,host:26379/name'
    expect([code, err.trim()]).toEqual([78, `tollgate: bad setting REDIS_URL: ${problem}`])
  },
)
