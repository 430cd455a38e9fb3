/** Two real nodes on one PostgreSQL and one Redis, behind a balancer, and users whose keys have limits. */
import { afterAll } from 'bun:test'
import { newInstallation, setUpAt, signInAt, startAt } from '../app/installation.ts'
import type { Server } from '../app/server.ts'
import { setOption } from '../app/site.ts'
import { addMembers, type Member, sendWell } from '../people/member.ts'
import { startRedis } from '../redis/server.ts'
import { until } from '../until.ts'
import { chat } from '../upstream/chat-scripts.ts'
import { fakeUpstream, type Script } from '../upstream/openai.ts'
import { Balancer } from './balancer.ts'

export const MODEL = 'gpt-4o-mini'
const UNIT = 500_000

export interface LimitedCaller extends Member {
  key: string
}

interface Settings {
  env?: Record<string, string>
  /** Where the nodes find Redis, when it is not at its own address. */
  redisUrl?: (url: string) => string | Promise<string>
  command?: string[]
  script?: Script
}

/** @returns once both nodes keep their limits in Redis */
export async function limitedNodes({ env = {}, redisUrl = url => url, command, script = chat() }: Settings = {}) {
  const redis = await startRedis()
  afterAll(redis.stop)
  const upstream = await fakeUpstream()
  afterAll(() => upstream.stop())
  upstream.scripts(MODEL, script)
  const place = await newInstallation()
  const settings = { ...place, env: { ...place.env, REDIS_URL: await redisUrl(redis.url), ...env } }
  const first = await startAt(settings)
  await setUpAt(first)
  const root = await signInAt(first)
  const channel = { name: 'mock', type: 1, key: 'sk-upstream', base_url: upstream.url, models: MODEL }
  await sendWell(first.url, root, '/api/channel/', { body: channel })
  const second = await startAt(settings, command ? { command } : {})
  const nodes = [first, second]
  await inRedis(nodes)
  return { redis, upstream, place, settings, first, second, nodes, root, balancer: new Balancer(nodes) }
}

const BACK = /limits are kept in Redis/g

/** Waits until each node keeps its limits in Redis, for the time that is given. */
export const inRedis = (nodes: readonly Server[], time = 1) =>
  until(() => nodes.every(node => (node.output().match(BACK)?.length ?? 0) >= time), 'limits in Redis')

type Site = Pick<Awaited<ReturnType<typeof limitedNodes>>, 'place' | 'first' | 'root'>

/** A user with quota and a key with these fields. */
export async function limitedCaller(
  { place, first, root }: Site,
  name: string,
  fields: object,
): Promise<LimitedCaller> {
  const [member] = (await addMembers(place, name, 1)) as [Member]
  await sendWell(first.url, root, '/api/topup', { body: { user_id: member.id, quota: 100 * UNIT, remark: '' } })
  const { data } = await sendWell(first.url, member, '/api/token/', {
    body: { name, unlimited_quota: true, ...fields },
  })
  return { ...member, key: data.key }
}

/** A limit of calls in ten minutes. */
export const perTenMinutes = (count: number, success = 0) => ({
  rate_limit_enabled: true,
  rate_limit_period: 600,
  rate_limit_count: count,
  rate_limit_success: success,
})

/** @returns the status of a call at a node */
export async function callAt(url: string, { key }: Pick<LimitedCaller, 'key'>, path = '/v1/chat/completions') {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 }),
  })
  await response.text()
  return response.status
}

/** Many calls, some at the same time. @returns how many had each status */
export async function callMany(call: () => Promise<number>, count: number, at_once = 10) {
  const statuses: Record<number, number> = {}
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      const status = await call()
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: at_once }, worker))
  return statuses
}

/** The limit of each user, which holds for the playground too. */
export const limitUsers = async ({ first }: Pick<Site, 'first'>, count: number) => {
  await setOption(first.url, 'ModelRequestRateLimitCount', count)
  await setOption(first.url, 'ModelRequestRateLimitSuccessCount', count)
  await setOption(first.url, 'ModelRequestRateLimitDurationMinutes', 10)
  await setOption(first.url, 'ModelRequestRateLimitEnabled', true)
}
