// @engine sqlite
/** Very many calls, one after another: what the gateway takes up does not grow with them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { run as load } from '../bench/load.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { run, type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { until } from '../support/until.ts'

const model = 'brief'
const CALLS = 100_000
/** By then everything is warm: what is kept is kept, what is compiled is compiled. */
const WARM = 20_000
const AT_ONCE = 32
/** Were a single kilobyte of each call kept, it would be 80. */
const GROWTH_MB = 64
/** What the code that has been compiled meanwhile may take when no call runs. */
const KEPT_MB = 32
const FOR_EVER_SECONDS = 1000
const A_LONG_RUN_MS = 400_000

let server: Server
let upstream: Bun.Subprocess<'ignore', 'pipe'>
let key: string
beforeAll(async () => {
  server = await startServer()
  upstream = Bun.spawn([process.execPath, 'tests/bench/mock.ts'], { stdout: 'pipe' })
  const { value } = await upstream.stdout.getReader().read()
  key = await makeSite(server.url, { url: new TextDecoder().decode(value).trim() }, model)
  await setOption(server.url, 'ModelRatio', JSON.stringify({ [model]: 0.01 }))
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.kill()
})

test.each([false, true])(
  'a hundred thousand calls, streams: %p',
  async stream => {
    const idle_mb = residentMb(server.process.pid)
    const pass = async (requests: number) => {
      const call = { url: server.url, key: `sk-${key}`, model, stream, connections: AT_ONCE }
      const { failed } = await load({ ...call, requests, seconds: FOR_EVER_SECONDS })
      expect(failed).toBe(0)
      return residentMb(server.process.pid)
    }
    const seen = [await pass(WARM)]
    for (let done = WARM; done < CALLS; done += WARM) seen.push(await pass(WARM))
    expect(Math.min(...seen.slice(-2)) - seen[0]!).toBeLessThan(GROWTH_MB)
    await until(() => residentMb(server.process.pid) < idle_mb + KEPT_MB)
    expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  },
  A_LONG_RUN_MS,
)
