// @engine sqlite
/** The phases of the shutdown. */
import { expect, test } from 'bun:test'
import { isStopping, onShutdown, shutDown } from '../../src/process/shutdown.ts'

test('shutdown finishes each phase before the next, and a failed work stops no other', async () => {
  const order: string[] = []
  onShutdown('database', () => order.push('database'))
  onShutdown('books', async () => {
    await Bun.sleep(5)
    order.push('books')
  })
  onShutdown('flush', () => Promise.reject(new Error('not now')))
  onShutdown('flush', async () => {
    await Bun.sleep(10)
    order.push('flush')
  })
  onShutdown('drain', () => order.push('drain'))
  onShutdown('intake', () => {
    order.push('intake')
    throw new Error('not now')
  })
  expect(isStopping()).toBe(false)
  const done = shutDown()
  expect(isStopping()).toBe(true)
  await done
  expect(order).toEqual(['intake', 'drain', 'flush', 'books', 'database'])
})
