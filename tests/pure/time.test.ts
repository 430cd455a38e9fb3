// @engine sqlite
import { expect, test } from 'bun:test'
import { clock, day, exact, isZone, moment, relative, seconds, startOfDay } from '../../src/pure/time.ts'

const at = Date.UTC(2026, 10, 20, 14, 32, 7) / 1000

test('a moment reads the same in every language, in the visitor’s zone', () => {
  expect(exact(at, 'UTC')).toBe('2026-11-20 14:32:07')
  expect(exact(at, 'Asia/Shanghai')).toBe('2026-11-20 22:32:07')
  expect(day(at, 'Pacific/Auckland')).toBe('2026-11-21')
  expect(clock(at, 'America/New_York')).toBe('09:32:07')
})

test('a relative time is written in its largest unit', () => {
  const ago = (distance: number) => relative(at - distance, at)
  expect(ago(0)).toEqual({ code: 'time.seconds_ago', count: 0 })
  expect(ago(59)).toEqual({ code: 'time.seconds_ago', count: 59 })
  expect(ago(60)).toEqual({ code: 'time.minutes_ago', count: 1 })
  expect(ago(2 * 3600 + 1)).toEqual({ code: 'time.hours_ago', count: 2 })
  expect(ago(41 * 86_400)).toEqual({ code: 'time.days_ago', count: 41 })
  expect(ago(-40)).toEqual({ code: 'time.in_seconds', count: 40 })
})

test('a typed moment is found in its zone, and an impossible one is not', () => {
  expect(moment('2026-11-20 14:32:07', 'UTC')).toBe(at)
  expect(moment('2026-11-20T22:32:07', 'Asia/Shanghai')).toBe(at)
  for (const typed of ['2026-13-01 00:00:00', '2026-02-30 00:00:00', 'soon', '', '2026-03-29 02:30:00']) {
    expect(moment(typed, 'Europe/Berlin')).toBeUndefined()
  }
})

test('a day starts at its own midnight, also when clocks change', () => {
  expect(exact(startOfDay(at, 'Asia/Shanghai'), 'Asia/Shanghai')).toBe('2026-11-20 00:00:00')
  const summer = moment('2026-03-29 12:00:00', 'Europe/Berlin')!
  expect(exact(startOfDay(summer, 'Europe/Berlin'), 'Europe/Berlin')).toBe('2026-03-29 00:00:00')
})

test('seconds keep the decimals that help', () => {
  expect([0.614, 4.2, 11.84, 112.3, 9.999].map(value => seconds(value))).toEqual([
    '0.61',
    '4.20',
    '11.8',
    '112',
    '10.0',
  ])
  expect(seconds(8.42, 1)).toBe('8.4')
})

test('a zone is one that the machine knows', () => {
  expect([isZone('Asia/Shanghai'), isZone('Moon/Base'), isZone('')]).toEqual([true, false, false])
})
