/** A channel of tasks is tested by asking for a task that does not exist: which answers show that the key is valid. */
import { afterAll, expect, test } from 'bun:test'
import { setUp } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'

const VIDU = 52
const root = await setUp()
let answer: { status: number; body: unknown } = { status: 200, body: {} }
const server = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch: () => Response.json(answer.body, { status: answer.status }),
})
afterAll(() => server.stop(true))
const { id } = await makeChannel(root, {
  ...{ type: VIDU, key: 'vidu-key', models: 'viduq1', base_url: `http://127.0.0.1:${server.port}` },
})

const said = (message: string) => ({ code: 400, reason: 'X', message })

test.each([
  [404, said('task not found'), true],
  [400, said('the id is invalid'), true],
  [422, said('the id is invalid'), true],
  [404, {}, true],
  [401, said('no such key'), false],
  [403, said('not allowed'), false],
  [429, said('too many'), false],
  [500, said('failed'), false],
  // A refusal of the account, whatever its status.
  [400, said('Your credit balance is too low'), false],
  [404, said('Your credit balance is too low'), false],
])('test of a channel of tasks: %d %j is success: %p', async (status, body, success) => {
  answer = { status, body }
  expect((await root.get(`/api/channel/test/${id}?model=viduq1`)).success).toBe(success)
  expect((await storedChannel(id)).test_failure === '').toBe(success)
})
