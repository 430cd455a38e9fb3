// @engine sqlite
import { expect, test } from 'bun:test'
import { lastPage, spanOf } from '../../src/pure/paging.ts'

test('a page says where it begins and ends', () => {
  expect(spanOf(1, 10, 9)).toEqual({ start: 1, end: 9 })
  expect(spanOf(2, 10, 25)).toEqual({ start: 11, end: 20 })
  expect(spanOf(3, 10, 25)).toEqual({ start: 21, end: 25 })
  expect([spanOf(1, 10, 0), spanOf(4, 10, 25)]).toEqual([
    { start: 0, end: 0 },
    { start: 0, end: 0 },
  ])
})

test('a list has at least one page', () => {
  expect([lastPage(10, 0), lastPage(10, 10), lastPage(10, 11)]).toEqual([1, 1, 2])
})
