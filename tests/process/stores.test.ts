// @engine sqlite
/** Named module state and its reset. */
import { expect, test } from 'bun:test'
import { onReset, resetStores, store } from '../../src/process/stores.ts'

test('resetStores returns named stores, or all of them, to their initial state', () => {
  const names = store('names', new Set<string>())
  let count = 0
  onReset('count', () => {
    count = 0
  })
  names.add('ann')
  count = 3
  resetStores('names')
  expect([names.size, count]).toEqual([0, 3])
  names.add('bob')
  resetStores()
  expect([names.size, count]).toEqual([0, 0])
})
