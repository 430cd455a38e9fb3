// @engine sqlite
/**
 * Idle uploads, readers that do not read and wrong sign-ins, all at once, beside honest users: everything that these do
 * succeeds, in time, and memory stays bounded. `FLOOD_SECONDS=300` runs it for five minutes.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { residentMb } from '../support/app/resident-memory.ts'
import { run, type Server, startServer } from '../support/app/server.ts'
import { addChannel, makeSite, setOption } from '../support/app/site.ts'
import { type FloodReport, startFlood } from '../support/attacks/flood.ts'
import { startLongStreams } from '../support/attacks/long-streams.ts'
import { type Resident, settleIn, signIn } from '../support/people/forwarded.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { fakeUpstream, type Upstream } from '../support/upstream/openai.ts'

const FLOOD_SECONDS = Number(process.env.FLOOD_SECONDS ?? 60)
const QUIET_SECONDS = Math.min(30, FLOOD_SECONDS)

const [HONEST, ATTACKERS] = [50, 4]
const [UPLOADS, READERS, GUESSES_PER_MINUTE, ADDRESSES] = [200, 300, 1000, 200]
const MEMORY_MB = 400
/** Of calls, in comparison to those without the attack: twice is asked for, a busy machine is allowed more. */
const [SLOWER_ASKED, SLOWER_MAX, SLOW_MS] = [2, 10, 2000]

const [MODEL, LONG_MODEL] = ['gpt-4o', 'gpt-4o-mini']
const LONG_BYTES = 8_000_000
const picture = `data:image/png;base64,${'A'.repeat(1_000_000)}`
const small = [{ role: 'user', content: 'Say hello' }]
const large = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] }]

let server: Server
let upstream: Upstream
let longStreams: Awaited<ReturnType<typeof startLongStreams>>
const residents: Resident[] = []
const attackers: Resident[] = []
beforeAll(async () => {
  const limits = { GLOBAL_API_RATE_LIMIT: '180', GLOBAL_WEB_RATE_LIMIT: '600', CRITICAL_RATE_LIMIT: '20' }
  server = await startServer({ env: { ...limits, TRUSTED_PROXIES: '127.0.0.1/32', LOG_LEVEL: 'error' } })
  upstream = await fakeUpstream()
  upstream.scripts(MODEL, chat({ text: 'Hello to you too' }))
  await makeSite(server.url, upstream, MODEL)
  longStreams = await startLongStreams(LONG_BYTES)
  await addChannel(server.url, longStreams, LONG_MODEL)
  await setOption(server.url, 'QuotaForNewUser', '2000000000')
  for (let at = 0; at < HONEST; at++) residents.push(await settleIn(server.url, `honest${at}`, `10.1.0.${at}`))
  for (let at = 0; at < ATTACKERS; at++) attackers.push(await settleIn(server.url, `attacker${at}`, `10.2.0.${at}`))
}, 600_000)
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
  longStreams.stop()
})

interface Day {
  call_ms: number[]
  upload_ms: number[]
  sign_in_ms: number[]
  failures: string[]
}

/** What one of the honest does, again and again until the end: a call every second, now and then an upload or a sign-in. */
async function live(resident: Resident, day: Day, until_ms: number) {
  const timed = async (took: number[], work: () => Promise<unknown>) => {
    const began_at = performance.now()
    await work().catch(error => day.failures.push(String(error)))
    took.push(performance.now() - began_at)
  }
  await Bun.sleep(Math.random() * 1000)
  for (let turn = Math.floor(Math.random() * 60); performance.now() < until_ms; turn++) {
    if (turn % 20 === 5) await timed(day.upload_ms, () => call(resident, large))
    else if (turn % 60 === 10) await timed(day.sign_in_ms, () => signIn(resident))
    else await timed(day.call_ms, () => call(resident, small))
    await Bun.sleep(500 + Math.random() * 1000)
  }
}

async function call({ url, key, address }: Resident, messages: object[]) {
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', 'x-forwarded-for': address }
  const body = JSON.stringify({ model: MODEL, messages, max_tokens: 100 })
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`call of ${body.length} bytes: ${response.status} ${text.slice(0, 200)}`)
}

async function liveAll(seconds: number): Promise<Day> {
  const day: Day = { call_ms: [], upload_ms: [], sign_in_ms: [], failures: [] }
  const until_ms = performance.now() + seconds * 1000
  await Promise.all(residents.map(resident => live(resident, day, until_ms)))
  return day
}

const at = (took: number[], share: number) =>
  took.toSorted((one, other) => one - other)[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN

function textOf(name: string, { call_ms, upload_ms, sign_in_ms, failures }: Day) {
  const figures = Object.entries({ call_ms, upload_ms, sign_in_ms }).map(
    ([kind, took]) => `${kind} ${took.length}: p50 ${at(took, 0.5).toFixed()}, p99 ${at(took, 0.99).toFixed()}`,
  )
  return `${name}: ${figures.join('; ')}; ${failures.length} failed\n`
}

/** The most that the process takes, until it is asked. */
function watchMemory() {
  let most_mb = 0
  const watching = setInterval(() => {
    most_mb = Math.max(most_mb, residentMb(server.process.pid))
  }, 100)
  return () => {
    clearInterval(watching)
    return most_mb
  }
}

test(
  'honest users notice next to nothing of idle uploads, stalled readers and wrong sign-ins',
  async () => {
    const quiet = await liveAll(QUIET_SECONDS)
    const memory = watchMemory()
    const stop = startFlood({
      ...{ url: server.url, keys: attackers.map(({ key }) => key), model: LONG_MODEL },
      ...{ uploads: UPLOADS, readers: READERS },
      guesses: {
        ...{ per_minute: GUESSES_PER_MINUTE, addresses: ADDRESSES },
        usernames: ['root', attackers[0]!.username, ...Array.from({ length: 20 }, (_, at) => `unknown${at}`)],
      },
    })
    const flooded = await liveAll(FLOOD_SECONDS)
    const report: FloodReport = await stop()
    const most_mb = memory()
    const slower = at(flooded.call_ms, 0.99) / at(quiet.call_ms, 0.99)
    process.stdout.write(textOf('quiet', quiet) + textOf('flooded', flooded))
    process.stdout.write(
      `${most_mb.toFixed()} MB, p99 × ${slower.toFixed(1)} (asked ${SLOWER_ASKED}); ${JSON.stringify(report)}\n`,
    )

    expect([...new Set(quiet.failures)]).toEqual([])
    expect([...new Set(flooded.failures)]).toEqual([])
    expect(most_mb).toBeLessThan(MEMORY_MB)
    expect(at(flooded.call_ms, 0.99)).toBeLessThan(Math.max(SLOW_MS, SLOWER_MAX * at(quiet.call_ms, 0.99)))
    expect(flooded.sign_in_ms.length).toBeGreaterThan(0)
    // The attack took place.
    expect(report.readers['200']).toBeGreaterThan(0)
    const guesses = Object.values(report.guesses).reduce((sum, count) => sum + count, 0)
    expect(guesses).toBeGreaterThan((GUESSES_PER_MINUTE * FLOOD_SECONDS) / 60 / 2)
    expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  },
  (FLOOD_SECONDS + QUIET_SECONDS + 300) * 1000,
)
