// @engine sqlite
import { expect, test } from 'bun:test'
import { durationPace, firstTokenPace, ratioColour, responsePace } from '../../src/pure/severity.ts'

test('a group is coloured by its ratio: above 5, 3 and 1', () => {
  expect([0.5, 1, 1.01, 3, 3.2, 5, 6].map(ratioColour)).toEqual([
    'green',
    'green',
    'blue',
    'blue',
    'orange',
    'orange',
    'red',
  ])
})

test('calls are slow from 101 s and bad from 300 s, first tokens from 3 s and 10 s', () => {
  expect([100.9, 101, 299, 300].map(durationPace)).toEqual(['ok', 'slow', 'slow', 'bad'])
  expect([2.9, 3, 9.9, 10].map(firstTokenPace)).toEqual(['ok', 'slow', 'slow', 'bad'])
})

test('a channel answers well up to 1 s, then 3, then 5; 0 was never tested', () => {
  expect([0, 0.4, 1, 1.1, 3, 5, 5.1].map(responsePace)).toEqual(['none', 'ok', 'ok', 'lime', 'lime', 'slow', 'bad'])
})
