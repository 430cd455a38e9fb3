// @engine sqlite
/** Very many calls that each open a WebSocket to the upstream: what the gateway takes up does not grow with them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { run as load } from '../bench/load.ts'
import { server as rules } from '../providers/fixtures/spark/server.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { until } from '../support/until.ts'
import { sparkUpstream, textFrame, usageText } from '../support/upstream/spark.ts'

const model = 'lite'
const CALLS = 10_000
/** By then everything is warm: what is compiled, and what is kept of sockets. */
const WARM = 15_000
const AT_ONCE = 32
const GROWTH_MB = 10
const FOR_EVER_SECONDS = 1000
const A_LONG_RUN_MS = 600_000

const upstream = await sparkUpstream(rules)
let server: Server
let key: string
beforeAll(async () => {
  server = await startServer()
  const frames = [textFrame(0, 'Hel'), textFrame(1, 'lo'), textFrame(2, '.', usageText(9, 3))].map(frame =>
    JSON.stringify(frame),
  )
  upstream.plays(socket => {
    for (const frame of frames) socket.send(frame)
  })
  const { type, key: secret } = rules.channel
  key = await makeSite(server.url, upstream, model, { type, key: secret })
  await setOption(server.url, 'ModelRatio', JSON.stringify({ [model]: 0.01 }))
})
afterAll(async () => {
  await server.stop('SIGKILL')
})

test.each([true, false])(
  'ten thousand calls over sockets leave memory flat, streams: %p',
  async stream => {
    const pass = async (requests: number) => {
      const call = { url: server.url, key: `sk-${key}`, model, stream, connections: AT_ONCE }
      const { failed } = await load({ ...call, requests, seconds: FOR_EVER_SECONDS })
      expect(failed).toBe(0)
      upstream.urls.length = 0
      await until(() => upstream.open === 0)
      return residentMb(server.process.pid)
    }
    await pass(WARM)
    const quarters = [await pass(CALLS / 4), await pass(CALLS / 4), await pass(CALLS / 4), await pass(CALLS / 4)]
    const [middle, end] = [quarters.slice(0, 2), quarters.slice(2)]
    expect(Math.min(...end) - Math.max(...middle)).toBeLessThan(GROWTH_MB)
  },
  A_LONG_RUN_MS,
)
