/** Five times what the gateway can do, for some seconds: it goes on doing what it can, and is itself again afterwards. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Load, run as load } from '../bench/load.ts'
import { chat } from '../support/scripts.ts'
import { run, type Server, startServer } from '../support/server.ts'
import { ask, makeSite } from '../support/site.ts'
import { fakeUpstream, type Upstream } from '../support/upstream.ts'

const model = 'gpt-4o'
const SATURATING = 200
const SECONDS = 5
const A_WAVE_MS = 120_000

let server: Server
let upstream: Upstream
let key: string
beforeAll(async () => {
  server = await startServer()
  upstream = await fakeUpstream()
  upstream.says(model, chat())
  key = await makeSite(server.url, upstream, model)
})
afterAll(async () => {
  await server.stop('SIGKILL')
  upstream.stop()
})

const wave = (part: Pick<Load, 'stream' | 'connections'>) =>
  load({ url: server.url, key: `sk-${key}`, model, seconds: SECONDS, requests: 1_000_000, ...part })

test.each([false, true])(
  'five times as many callers as it can serve, streams: %p',
  async stream => {
    const peak = await wave({ stream, connections: SATURATING })
    expect(peak.failed).toBe(0)
    const flooded = wave({ stream, connections: 5 * SATURATING })
    for (let second = 1; second < SECONDS; second++) {
      expect((await fetch(`${server.url}/api/status`)).status).toBe(200)
      await Bun.sleep(1000)
    }
    const overload = await flooded
    expect(overload.failed).toBe(0)
    expect(overload.requests / overload.seconds).toBeGreaterThan((0.5 * peak.requests) / peak.seconds)
    const after = await ask(server.url, key, { model, content: 'Better now?', stream })
    expect(after).toMatchObject({ status: 200, whole: true })
    expect((await run(['audit'], { folder: server.folder })).code).toBe(0)
  },
  A_WAVE_MS,
)
