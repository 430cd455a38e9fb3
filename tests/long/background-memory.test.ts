/** A thousand long responses in the background: the process grows by what is read at once, not by what is asked. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { residentMb } from '../support/app/resident-memory.ts'
import { newFolder, run, type Server, startServer } from '../support/app/server.ts'
import { makeSite } from '../support/app/site.ts'
import { keepingUpstream } from '../support/upstream/keeping-upstream.ts'

const model = 'gpt-4o-mini'
const WARM = 100
const AT_ONCE = 1000
const BATCH = 100
/** Characters of each answer, in so many events of about 200 bytes: 400 KB within ten seconds. */
const ANSWER = 20_000
const EVENTS = 2000
const PAUSE_MS = 100
/** Were all read at once, it would be 600. */
const GROWTH_MB = 200
const A_LONG_RUN_MS = 900_000

const upstream = keepingUpstream()
const folder = newFolder()
const url = process.env.DATABASE_URL!
const env = { SECRET_KEY: 'a'.repeat(64), ...(url.startsWith('postgres') && { DATABASE_URL: url }) }
let server: Server
let key: string
beforeAll(async () => {
  server = await startServer({ folder, env })
  key = await makeSite(server.url, upstream, model)
  Object.assign(upstream.size, { answer: ANSWER, pieces: EVENTS, pause_ms: PAUSE_MS })
})
afterAll(() => server.stop('SIGKILL'))

/** A server under load answers 503, and is asked again. */
async function ask(path: string, body?: object): Promise<any> {
  for (;;) {
    const response = await fetch(server.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer sk-${key}` },
      body: body && JSON.stringify(body),
    })
    if (response.status === 200) return response.json()
    expect([response.status, await response.text()]).toEqual([503, expect.anything()])
    await Bun.sleep(200)
  }
}

const begin = async (): Promise<string> =>
  (await ask('/v1/responses', { model, input: 'Go', max_output_tokens: ANSWER, background: true })).id

async function beginAll(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: BATCH }, begin))))
  return ids
}

/** Length of the text once it is there; the last one waits for minutes. */
async function ended(id: string): Promise<number> {
  for (;;) {
    const { status, output } = await ask(`/v1/responses/${id}`)
    if (status === 'completed') return output[0].content[0].text.length
    expect(status).toBeOneOf(['queued', 'in_progress'])
    await Bun.sleep(250)
  }
}

const spentCents = async (): Promise<number> => (await ask('/v1/dashboard/billing/usage')).total_usage

test(
  `${AT_ONCE} long responses at once grow the process by less than ${GROWTH_MB} MB, and each is whole and billed once`,
  async () => {
    for (const id of await beginAll(WARM)) expect(await ended(id)).toBe(ANSWER)
    const each_cents = (await spentCents()) / WARM
    const idle_mb = residentMb(server.process.pid)
    let most_mb = idle_mb
    const watching = setInterval(() => {
      most_mb = Math.max(most_mb, residentMb(server.process.pid))
    }, 100)
    for (const id of await beginAll(AT_ONCE)) expect(await ended(id)).toBe(ANSWER)
    clearInterval(watching)
    expect(most_mb - idle_mb).toBeLessThan(GROWTH_MB)
    expect(await spentCents()).toBeCloseTo((WARM + AT_ONCE) * each_cents, 3)
    expect((await run(['audit'], { folder, env })).code).toBe(0)
  },
  A_LONG_RUN_MS,
)
