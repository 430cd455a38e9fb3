// @engine sqlite
/** What is kept is what was loaded last: never what was forgotten meanwhile, nor a failure. */
import { expect, test } from 'bun:test'
import { cache } from '../../src/cluster/cache.ts'

test('cache: concurrent reads load once, and the value stays until it is forgotten', async () => {
  let loads = 0
  const numbers = cache(async (key: string) => `${key} ${++loads}`)
  expect(await Promise.all(['a', 'a', 'b'].map(numbers.get))).toEqual(['a 1', 'a 1', 'b 2'])
  expect([await numbers.get('a'), numbers.peek('a'), numbers.peek('c')]).toEqual(['a 1', 'a 1', undefined])
  numbers.forget('a')
  expect([await numbers.get('a'), await numbers.get('b')]).toEqual(['a 3', 'b 2'])
  numbers.clear()
  expect([numbers.peek('a'), await numbers.get('b')]).toEqual([undefined, 'b 4'])
})

test.each(['forget', 'clear'] as const)(
  'cache: a load that overlaps a %s answers its waiters and is not kept',
  async how => {
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
  },
)

test('cache: a failed load is repeated by the next read', async () => {
  let fails = true
  const numbers = cache(async (key: string) => {
    if (fails) throw new Error('not now')
    return key
  })
  await expect(numbers.get('a')).rejects.toThrow('not now')
  fails = false
  expect(await numbers.get('a')).toBe('a')
})

test('cache: the oldest entries leave beyond the limit', async () => {
  const numbers = cache(async (key: number) => key)
  for (let key = 0; key <= 50_000; key++) await numbers.get(key)
  expect([numbers.peek(0), numbers.peek(1), numbers.peek(50_000)]).toEqual([undefined, 1, 50_000])
})
