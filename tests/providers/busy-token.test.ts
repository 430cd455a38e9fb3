// @engine sqlite
/** A token that dies before its time, while 500 calls start within a second: no caller notices. */
import { beforeEach, expect, test } from 'bun:test'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL, RICH } from '../support/people/client.ts'
import { openCall, readToEnd, statusIn } from '../support/people/raw-call.ts'
import { baidu, channelToBaidu } from '../support/upstream/baidu.ts'
import { GoogleCloud } from '../support/upstream/google-cloud.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'
import { GEMINI, vertexChannel } from '../support/upstream/vertex-channel.ts'

const CALLS = 500
/** One starts every two milliseconds: 500 in a second. */
const GAP_MS = 2
/** Calls that are upstream with the token when it dies. */
const HELD = 24
/** Letters of a failure that are shown. */
const SHOWN = 300

let ann: Client
beforeEach(async () => {
  resetStores('channel tokens', 'circuits')
  await deleteChannels()
  await setOption('RetryTimes', 0)
  ann = await client({}, 20 * RICH)
})

/** Holds the calls that come after half of them until enough wait. Then the token dies, and they go on. */
function heldUntil(die: () => void) {
  const { promise: dead, resolve } = Promise.withResolvers<void>()
  let calls = 0
  return async () => {
    if (++calls <= CALLS / 2) return
    if (calls === CALLS / 2 + HELD) {
      die()
      resolve()
    }
    await dead
  }
}

/** Half of the calls stream. @returns the ends of those that are not answered in full */
async function failuresOf(model: string): Promise<string[]> {
  const outcomes = await Promise.all(
    Array.from({ length: CALLS }, async (_, index) => {
      await Bun.sleep(index * GAP_MS)
      const stream = index % 2 === 0
      return readToEnd(openCall(ann.url, ann.key, { model, max_tokens: 5, stream }))
    }),
  )
  const isServed = (text: string, index: number) =>
    statusIn(text) === 200 && text.includes('Hello') && (index % 2 === 1 || text.includes('data: [DONE]'))
  return outcomes.filter((text, index) => !isServed(text, index)).map(text => text.slice(-SHOWN))
}

test('a token of Vertex AI that dies under 500 calls costs no caller an error and one new token', async () => {
  const cloud = new GoogleCloud()
  await vertexChannel(cloud)
  const held = heldUntil(() => cloud.revoke())
  let refused = 0
  cloud.answer = async () => {
    const [token = ''] = cloud.alive
    await held()
    if (cloud.alive.includes(token)) return undefined
    refused++
    const error = { code: 401, message: 'Request had invalid authentication credentials.', status: 'UNAUTHENTICATED' }
    return Response.json({ error }, { status: 401 })
  }
  expect(await failuresOf(GEMINI)).toEqual([])
  expect([cloud.token_requests, cloud.violations]).toEqual([2, []])
  // Each refused call is sent again; those after the revocation are refused before they are answered.
  expect(refused).toBe(HELD)
  expect(cloud.calls).toBeGreaterThanOrEqual(CALLS + refused)
})

test.each([110, 111])('error %d of Wenxin under 500 calls costs no caller an error and one new token', async code => {
  baidu.reset()
  await channelToBaidu()
  let dead: string | undefined
  let refused = 0
  const held = heldUntil(() => {
    dead = baidu.token
  })
  const { script } = baidu
  baidu.script = async token => {
    await held()
    if (token !== dead) return script(token)
    refused++
    return { error_code: code, error_msg: `Access token ${token}` }
  }
  expect(await failuresOf(MODEL)).toEqual([])
  expect(baidu.grants).toBe(2)
  expect(refused).toBeGreaterThanOrEqual(HELD)
  expect(baidu.calls).toBe(CALLS + refused)
})
