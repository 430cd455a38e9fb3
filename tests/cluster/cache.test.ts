// @engine sqlite
/** What is kept is what was loaded last: never what was forgotten meanwhile, nor a failure. */
import { expect, test } from 'bun:test'
import { cache } from '../../src/cluster/cache.ts'

test('what is asked for by many at once is loaded once, and kept until it is forgotten', async () => {
  let loads = 0
  const numbers = cache(async (key: string) => `${key} ${++loads}`)
  expect(await Promise.all(['a', 'a', 'b'].map(numbers.get))).toEqual(['a 1', 'a 1', 'b 2'])
  expect([await numbers.get('a'), numbers.peek('a'), numbers.peek('c')]).toEqual(['a 1', 'a 1', undefined])
  numbers.forget('a')
  expect([await numbers.get('a'), await numbers.get('b')]).toEqual(['a 3', 'b 2'])
  numbers.clear()
  expect([numbers.peek('a'), await numbers.get('b')]).toEqual([undefined, 'b 4'])
})

test.each(['forget', 'clear'] as const)('what is under way at a %s is told to its waiters and not kept', async how => {
  const loads: PromiseWithResolvers<string>[] = []
  const numbers = cache((_: string) => {
    const load = Promise.withResolvers<string>()
    loads.push(load)
    return load.promise
  })
  const before = numbers.get('a')
  numbers[how]('a')
  const after = numbers.get('a')
  loads[1]!.resolve('new')
  expect(await after).toBe('new')
  loads[0]!.resolve('old')
  expect([await before, await numbers.get('a'), loads.length]).toEqual(['old', 'new', 2])
})

test('a load that failed is tried again', async () => {
  let fails = true
  const numbers = cache(async (key: string) => {
    if (fails) throw new Error('not now')
    return key
  })
  await expect(numbers.get('a')).rejects.toThrow('not now')
  fails = false
  expect(await numbers.get('a')).toBe('a')
})

test('however many are asked for, so many are kept, the last ones', async () => {
  const numbers = cache(async (key: number) => key)
  for (let key = 0; key <= 50_000; key++) await numbers.get(key)
  expect([numbers.peek(0), numbers.peek(1), numbers.peek(50_000)]).toEqual([undefined, 1, 50_000])
})
