// @engine postgres
// @waits
/**
 * PostgreSQL is gone, or silent, for 1, 10 and 60 seconds under calls: none is served unbilled, those that run end well,
 * new ones are refused in time, and what needs no database is served. docs/running.md says so.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { newInstallation, startAt } from '../support/app/installation.ts'
import { ask, makeSite } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { TcpProxy } from '../support/cluster/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../support/upstream/openai.ts'

const MODEL = 'gpt-4o-mini'
const STREAMED = 'gpt-4o'
const PAUSE_MS = 200
/** As the issue has it: a server that cannot be reached, and a host that says nothing. */
const REFUSED_WITHIN_MS = { refuse: 4000, silence: 5000 } as const
type Outage = keyof typeof REFUSED_WITHIN_MS

const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
upstream.scripts(MODEL, chat())
const place = await newInstallation()
afterEach(() => checkInvariants(place))
const proxy = await TcpProxy.before(place.env.DATABASE_URL!)
const server = await startAt(place, { env: { ...place.env, DATABASE_URL: proxy.through() } })
const key = await makeSite(server.url, upstream, [MODEL, STREAMED].join())

const countOf = async (rows: string) =>
  Number(((await place.read(`select count(*) as count from ${rows}`)) as { count: unknown }[])[0]!.count)

/** Answers that callers have had to their end. */
let whole = 0

interface Seen {
  status: number
  ms: number
  retry_after: string | null
  code: unknown
}

async function call(): Promise<Seen> {
  const start = performance.now()
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  const body: any = await response.json()
  if (response.status === 200) whole++
  const retry_after = response.headers.get('retry-after')
  return { status: response.status, ms: performance.now() - start, retry_after, code: body.error?.code }
}

/** One call after the other until it is over, and beside them what needs no database. */
async function callUntil(isOver: () => boolean) {
  const calls: Promise<Seen>[] = []
  const free: { status: number; ms: number }[] = []
  while (!isOver()) {
    calls.push(call())
    const start = performance.now()
    for (const path of ['/healthz', '/v1/models']) {
      const response = await fetch(server.url + path, { headers: { authorization: `Bearer sk-${key}` } })
      await response.text()
      free.push({ status: response.status, ms: performance.now() - start })
    }
    await Bun.sleep(PAUSE_MS)
  }
  return { calls: await Promise.all(calls), free }
}

async function checkBooks() {
  await until(async () => (await countOf('reservations')) === 0, 'nothing is held')
  expect(await countOf('logs where type = 2')).toBe(whole)
}

test.each([
  ['refuse', 1],
  ['silence', 1],
  ['refuse', 10],
  ['silence', 10],
  ['refuse', 60],
  ['silence', 60],
] as [Outage, number][])(
  'no call is served unbilled while PostgreSQL is gone (%s) for %i s',
  async (outage, seconds) => {
    const held = gate()
    upstream.scripts(STREAMED, held.script)
    const stream = ask(server.url, key, { model: STREAMED, content: 'Talk', stream: true })
    await until(() => upstream.journal.at(-1)?.body.model === STREAMED)
    let isOver = false
    const calling = callUntil(() => isOver)
    await Bun.sleep(1000)

    await proxy[outage]()
    await Bun.sleep((seconds * 1000) / 2)
    // The upstream's part ends while there is no database.
    held.open()
    await Bun.sleep((seconds * 1000) / 2)
    const served = whole
    await proxy.heal()
    await until(() => whole > served + 3, 'calls are served again')
    isOver = true

    expect(await stream).toMatchObject({ status: 200, whole: true })
    whole++
    const { calls, free } = await calling
    expect([...new Set(calls.map(({ status }) => status))].filter(status => ![200, 503].includes(status))).toEqual([])
    for (const { status, ms, retry_after, code } of calls) {
      if (status !== 503) continue
      expect([code, Number(retry_after) >= 1, ms < REFUSED_WITHIN_MS[outage], ms]).toEqual([
        'unavailable',
        true,
        true,
        ms,
      ])
    }
    expect(free.filter(({ status, ms }) => status !== 200 || ms > 1000)).toEqual([])
    await checkBooks()
    const refused = calls.filter(({ status }) => status === 503)
    const slowest = Math.max(0, ...refused.map(({ ms }) => ms))
    process.stderr.write(
      `${outage} ${seconds} s: ${calls.length} calls, ${refused.length} refused, slowest ${Math.round(slowest)} ms\n`,
    )
  },
)
