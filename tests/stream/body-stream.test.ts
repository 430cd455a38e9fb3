// @engine sqlite
/** Response bodies that are produced on demand. */
import { expect, test } from 'bun:test'
import { bodyStream } from '../../src/stream/body-stream.ts'
import { ClientConnection } from '../../src/stream/client-connection.ts'

test('a body source that fails is cancelled, so that it frees what it holds', async () => {
  let left = 0
  const show = {
    next: () => Promise.reject(new Error('it broke down')),
    cancelled: () => void left++,
  }
  const body = bodyStream(show, new ClientConnection(new Request('http://localhost/'), null), 1)
  await expect(new Response(body).text()).rejects.toThrow('it broke down')
  await body.cancel().catch(() => {})
  expect(left).toBe(1)
})
