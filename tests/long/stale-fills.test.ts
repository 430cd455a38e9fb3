// @engine postgres
// @waits
/**
 * Caches of a node that reads slowly while another one changes what it reads: what was filled from before a change does
 * not outlive it. Random histories, with and without Redis; `HISTORY_SEED` repeats one.
 */
import { afterAll, expect, test } from 'bun:test'
import { newInstallation, signInAt, startAt } from '../support/app/installation.ts'
import { makeSite } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { callAt } from '../support/cluster/limited-nodes.ts'
import { TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { send, sendWell } from '../support/people/member.ts'
import { seededRandom } from '../support/random.ts'
import { startRedis } from '../support/redis/server.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const SEED = Number(process.env.HISTORY_SEED ?? 1)
const KEYS = 24
const DELAY_MAX_MS = 150
/** A second, and two statements of the slow node. */
const OBEYED_MS = 1000 + 10 * DELAY_MAX_MS

const upstream = await fakeUpstream()
upstream.scripts(MODEL, chat())
const redis = await startRedis()
afterAll(() => Promise.all([upstream.stop(), redis.stop()]))

test.each([
  ['with Redis', { REDIS_URL: redis.url }],
  ['without Redis', {} as Record<string, string>],
])('a key that one node deletes never lives again at another that fills its cache meanwhile, %s', async (_, env) => {
  const place = await newInstallation()
  const proxy = await TcpProxy.before(place.env.DATABASE_URL!)
  const first = await startAt(place, { env: { ...place.env, ...env } })
  await makeSite(first.url, upstream, MODEL)
  const slow = await startAt(place, { env: { ...place.env, ...env, DATABASE_URL: proxy.through() } })
  const root = await signInAt(first)
  const random = seededRandom(SEED)
  let isOver = false
  const wavering = (async () => {
    while (!isOver) {
      proxy.delay_ms = random(3) ? random(DELAY_MAX_MS) : 0
      await Bun.sleep(20 + random(60))
    }
  })()

  /** Calls while its fields change, then is deleted. @returns what is wrong */
  async function history(index: number): Promise<string[]> {
    const body = { name: `key${index}`, unlimited_quota: true }
    const { data: token } = await sendWell(first.url, root, '/api/token/', { body })
    const seen: { status: number; at: number }[] = []
    let isCalling = true
    const calling = Array.from({ length: 2 }, async () => {
      while (isCalling) {
        // As of the moment in which the call began: it may have been let in then.
        const at = performance.now()
        seen.push({ status: await callAt(slow.url, token), at })
        await Bun.sleep(random(40))
      }
    })
    await until(() => seen.some(({ status }) => status === 200), 'the key is served')
    for (let change = random(12); change > 0; change--) {
      // Empties what the slow node has of the key, so that it fills it again.
      const renamed = { ...body, id: token.id, name: `key${index} ${change}` }
      await sendWell(first.url, root, '/api/token/', { method: 'PUT', body: renamed })
      await Bun.sleep(random(120))
    }
    await send(first.url, root, `/api/token/${token.id}`, { method: 'DELETE' })
    const deleted = performance.now()
    await Bun.sleep(2 * OBEYED_MS)
    isCalling = false
    await Promise.all(calling)
    const served = seen.filter(({ status }) => status === 200)
    const late = served.filter(({ at }) => at > deleted + OBEYED_MS)
    const wrong = seen.filter(({ status }) => ![200, 401, 503].includes(status))
    return [
      ...late.map(({ at }) => `key ${index} was served ${Math.round(at - deleted)} ms after its end`),
      ...wrong.map(({ status }) => `key ${index} got ${status}`),
    ]
  }

  const problems = await Promise.all(Array.from({ length: KEYS }, (_, index) => history(index)))
  isOver = true
  await wavering
  expect(problems.flat()).toEqual([])
  await slow.stop()
  await first.stop()
  await checkInvariants(place)
})
