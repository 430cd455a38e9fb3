// @engine sqlite
/** JSON columns of a channel. */
import { expect, test } from 'bun:test'
import { circleIn } from '../../src/contracts/channel-json.ts'

const LENGTH = 2000

test('the search for a circle reads each name of a mapping a few times, however long the chain', () => {
  const chain = Object.fromEntries(Array.from({ length: LENGTH }, (_, at) => [`m${at}`, `m${at + 1}`]))
  let reads = 0
  const counted = new Proxy(chain, {
    get: (mapping, name: string) => {
      reads++
      return mapping[name]
    },
  })
  expect([circleIn(counted), reads <= 3 * LENGTH]).toEqual([undefined, true])
  chain[`m${LENGTH}`] = `m${LENGTH - 1}`
  expect(circleIn(chain)).toBe('m0')
})
