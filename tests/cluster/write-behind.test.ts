// @engine sqlite
/** Write-behind buffers: what is written, what waits, what is dropped. */
import { expect, test } from 'bun:test'
import { flushBuffers, WriteBehind } from '../../src/cluster/write-behind.ts'

test('a write-behind buffer writes the last value of each key once', async () => {
  const written: unknown[] = []
  const buffer = new WriteBehind<string, number>('last values', async entries => void written.push([...entries]))
  buffer.set('a', 1)
  buffer.set('b', 2)
  buffer.set('a', (buffer.get('a') ?? 0) + 5)
  await flushBuffers()
  await flushBuffers()
  expect(written).toEqual([
    [
      ['a', 6],
      ['b', 2],
    ],
  ])
  expect(buffer.get('a')).toBeUndefined()
})

test('a flush also waits for entries that an earlier flush is writing', async () => {
  const writing = Promise.withResolvers<void>()
  const buffer = new WriteBehind<string, number>('slow', () => writing.promise)
  buffer.set('a', 1)
  const first = buffer.flush()
  let isOver = false
  const second = buffer.flush().then(() => {
    isOver = true
  })
  await Bun.sleep(5)
  expect(isOver).toBe(false)
  writing.resolve()
  await Promise.all([first, second])
})

test('entries that cannot be written are dropped, and later ones are written', async () => {
  const written: number[] = []
  const buffer = new WriteBehind<string, number>('failing writes', async entries => {
    if (entries.has('bad')) throw new Error('not now')
    written.push(...entries.values())
  })
  buffer.set('bad', 1)
  await buffer.flush()
  buffer.set('good', 2)
  await buffer.flush()
  expect(written).toEqual([2])
})
