// @engine sqlite
/** Very many calls with a token that is earned: what the gateway takes up does not grow with them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { run as load } from '../bench/load.ts'
import { residentMb } from '../support/app/resident-memory.ts'
import { type Server, startServer } from '../support/app/server.ts'
import { makeSite, setOption } from '../support/app/site.ts'
import { serviceAccount } from '../support/upstream/google-account.ts'
import { answerTo, GoogleCloud } from '../support/upstream/google-cloud.ts'

const model = 'gemini-2.5-flash'
const CALLS = 10_000
/** By then everything is warm: what is compiled is compiled. */
const WARM = 20_000
const AT_ONCE = 16
const GROWTH_MB = 10
const FOR_EVER_SECONDS = 1000
const A_LONG_RUN_MS = 400_000

const cloud = new GoogleCloud()
let server: Server
let key: string
beforeAll(async () => {
  server = await startServer()
  const fields = { type: 41, other: 'us-central1', key: serviceAccount(cloud.url) }
  key = await makeSite(server.url, cloud, model, fields)
  await setOption(server.url, 'ModelRatio', JSON.stringify({ [model]: 0.01 }))
  cloud.answer = (path, body) => {
    cloud.bodies = []
    return answerTo(path, body)
  }
})
afterAll(() => server.stop('SIGKILL'))

test(
  'ten thousand calls with one token leave memory flat',
  async () => {
    const pass = async (requests: number) => {
      const call = { url: server.url, key: `sk-${key}`, model, stream: false, connections: AT_ONCE }
      const { failed } = await load({ ...call, requests, seconds: FOR_EVER_SECONDS })
      expect(failed).toBe(0)
      return residentMb(server.process.pid)
    }
    const warm_mb = await pass(WARM)
    const seen = [await pass(CALLS / 2), await pass(CALLS / 2)]
    expect(Math.min(...seen) - warm_mb).toBeLessThan(GROWTH_MB)
    expect(cloud.token_requests).toBe(1)
  },
  A_LONG_RUN_MS,
)
