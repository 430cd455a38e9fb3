// @engine sqlite
/** The cache keeps what was loaded last: never a value from before an invalidation, nor a failure. */
import { expect, test } from 'bun:test'
import { cache } from '../../src/cluster/cache.ts'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { resetStores } from '../../src/process/stores.ts'

test('a cache loads a key once for concurrent callers and keeps it until it is invalidated', async () => {
  let loads = 0
  const numbers = cache('numbers', async (key: string) => `${key} ${++loads}`)
  expect(await Promise.all(['a', 'a', 'b'].map(numbers.get))).toEqual(['a 1', 'a 1', 'b 2'])
  expect([await numbers.get('a'), numbers.peek('a'), numbers.peek('c')]).toEqual(['a 1', 'a 1', undefined])
  invalidate('numbers', 'a')
  expect([await numbers.get('a'), await numbers.get('b')]).toEqual(['a 3', 'b 2'])
  invalidate('others', 'a')
  expect(numbers.peek('a')).toBe('a 3')
  invalidate('numbers')
  expect([numbers.peek('a'), await numbers.get('b')]).toEqual([undefined, 'b 4'])
  numbers.drop('b')
  expect(await numbers.get('b')).toBe('b 5')
  resetStores('numbers')
  expect(numbers.peek('b')).toBeUndefined()
})

test.each([
  ['invalidate', () => invalidate('overlap by key', 'a')],
  ['invalidate all', () => invalidate('overlap of all')],
] as const)('a load that overlaps %s is returned to its waiters and not kept', async (how, announce) => {
  const loads: PromiseWithResolvers<string>[] = []
  const numbers = cache(how === 'invalidate' ? 'overlap by key' : 'overlap of all', (_: string) => {
    const load = Promise.withResolvers<string>()
    loads.push(load)
    return load.promise
  })
  const before = numbers.get('a')
  announce()
  const after = numbers.get('a')
  loads[1]!.resolve('new')
  expect(await after).toBe('new')
  loads[0]!.resolve('old')
  expect([await before, await numbers.get('a'), loads.length]).toEqual(['old', 'new', 2])
})

test('a cache tries a failed load again', async () => {
  let fails = true
  const numbers = cache('failing', async (key: string) => {
    if (fails) throw new Error('not now')
    return key
  })
  await expect(numbers.get('a')).rejects.toThrow('not now')
  fails = false
  expect(await numbers.get('a')).toBe('a')
})

test('a cache keeps the last 50,000 entries', async () => {
  const numbers = cache('many', async (key: number) => key)
  for (let key = 0; key <= 50_000; key++) await numbers.get(key)
  expect([numbers.peek(0), numbers.peek(1), numbers.peek(50_000)]).toEqual([undefined, 1, 50_000])
})

test('a second cache of the same name is refused', () => {
  expect(() => cache('many', async () => 1)).toThrow('the store many exists already')
})

test('a cache keeps the last 10,000 keys that have no value, beside those that have one', async () => {
  let loads = 0
  const numbers = cache('absent', async (key: number) => {
    loads++
    return key === 0 ? 'there' : undefined
  })
  for (let key = 0; key <= 10_001; key++) await numbers.get(key)
  expect([numbers.peek(0), await numbers.get(2), loads]).toEqual(['there', undefined, 10_002])
  await numbers.get(1)
  expect(loads).toBe(10_003)
})
