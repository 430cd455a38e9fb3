// @engine sqlite
import { expect, test } from 'bun:test'
import { badge, grouped, percent, short } from '../../src/pure/number.ts'

test('digits are grouped in threes', () => {
  expect([0, 999, 1000, 21594, -1234567].map(grouped)).toEqual(['0', '999', '1,000', '21,594', '-1,234,567'])
})

test('from 10000 on numbers are short: k, M, B', () => {
  expect([9999, 10_000, 48_217, 212_400, 999_499, 999_500, 41_640_000, 1_234_000_000, -12_345].map(short)).toEqual([
    '9,999',
    '10k',
    '48.2k',
    '212k',
    '999k',
    '1M',
    '41.6M',
    '1.2B',
    '-12.3k',
  ])
})

test('a badge ends at 99+', () => {
  expect([0, 3, 99, 100].map(badge)).toEqual(['0', '3', '99', '99+'])
})

test('a share of nothing is 0%', () => {
  expect([percent(86, 100), percent(1, 3), percent(5, 0)]).toEqual(['86%', '33%', '0%'])
})
