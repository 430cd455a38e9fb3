/** Ranges of the usage log, as days in the visitor's zone. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { LOGS_PATH, LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const at = (moment: string) => Date.parse(moment) / 1000

/** A noon in New York, the day after a night in which its clocks were set back: that day had 25 hours. */
const NOON = at('2026-11-02T17:00:00Z')
const shift = NOON - now()

const moments = {
  'before thirty days': '2026-10-04T03:59:59Z',
  'thirty days ago': '2026-10-04T04:00:00Z',
  'before three days': '2026-10-31T03:59:59Z',
  'three days ago': '2026-10-31T04:00:00Z',
  'the evening before': '2026-11-01T03:59:59Z',
  'the long day begins': '2026-11-01T04:00:00Z',
  'the long day ends': '2026-11-02T04:59:59Z',
  today: '2026-11-02T05:00:00Z',
  'just now': '2026-11-02T16:59:59Z',
}
type Name = keyof typeof moments
const names = Object.keys(moments) as Name[]

let ann: Person
beforeAll(async () => {
  await setUp()
  shiftClock(shift)
  ann = await visitor()
  await db
    .insert(logs)
    .values(
      names.map(name => ({ user_id: ann.id, type: LogType.consume, model_name: name, created_at: at(moments[name]) })),
    )
})
afterAll(() => shiftClock(-shift))

/** The entries of a range, oldest first, as the table for spreadsheets has them. */
async function entries(query: string, zone: string): Promise<string[]> {
  const cookie = `${ann.cookie}; zone=${encodeURIComponent(zone)}`
  const text = await (await ann.page(`${LOGS_PATH}/export.csv?${query}`, { headers: { cookie } })).text()
  return names.filter(name => text.includes(`,${name},`))
}

const from = (name: Name) => names.slice(names.indexOf(name))

test.each([
  ['range=today', from('today')],
  ['range=yesterday', ['the long day begins', 'the long day ends']],
  ['range=3d', from('three days ago')],
  ['', from('three days ago')],
  ['range=30d', from('thirty days ago')],
  ['range=custom&from=2026-11-01T00:00&to=2026-11-01T23:59', ['the long day begins', 'the long day ends']],
  ['range=custom&from=2026-11-01T00:00:01&to=2026-11-01T23:59:58', []],
  ['range=custom&from=2026-11-02T00:00', from('today')],
  ['range=custom&to=yesterday', names],
])('the log range %s covers days of New York', async (query, expected) => {
  expect(await entries(query, 'America/New_York')).toEqual(expected)
})

test('log ranges follow the reader’s zone, and UTC for an unknown one', async () => {
  expect(await entries('range=today', 'Asia/Shanghai')).toEqual(['just now'])
  expect(await entries('range=yesterday', 'Asia/Shanghai')).toEqual(['the long day ends', 'today'])
  expect(await entries('range=today', 'Mars/Phobos')).toEqual(['the long day ends', 'today', 'just now'])
  expect(await entries('range=today', '%')).toEqual(['the long day ends', 'today', 'just now'])
})
