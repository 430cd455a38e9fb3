/** Bodies that are made as they are read. */
import { expect, test } from 'bun:test'
import { watch } from '../../src/stream/body-stream.ts'
import { Connection } from '../../src/stream/client-connection.ts'

test('a show that breaks down is told that its reader has left: what it holds is not held for ever', async () => {
  let left = 0
  const show = {
    next: () => Promise.reject(new Error('it broke down')),
    left: () => void left++,
  }
  const body = watch(show, new Connection(new Request('http://localhost/'), null), 1000)
  await expect(new Response(body).text()).rejects.toThrow('it broke down')
  await body.cancel().catch(() => {})
  expect(left).toBe(1)
})
