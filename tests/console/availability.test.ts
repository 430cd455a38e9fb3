// @engine both
/** The public status page and the figures of public pages: off and on, 90 days, first tokens, and calls before the update. */
import { beforeAll, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { countFailure, countFirstToken, rollUpUsage } from '../../src/domain/usage/index.ts'
import { firstTokens } from '../../src/domain/usage/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { textOf } from '../support/people/price-forms.ts'
import { spend, write } from '../support/people/usage-log.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const TODAY = Date.parse('2027-05-31T00:00:00Z') / 1000

let root: Person
let ann: Person

const moveTo = (moment: number) => shiftClock(moment - now())

/** Streamed calls with this time to first token, and failed attempts. */
async function serve(model: string, at: number, { calls = 0, failed = 0, ms = 400 }) {
  moveTo(at)
  for (let call = 0; call < calls; call++) {
    await spend(ann, { model, quota: 1, at })
    countFirstToken(model, ms)
  }
  const attempt = { user_id: ann.id, token_id: 0, channel_id: 1, model, group: 'default' }
  for (let call = 0; call < failed; call++) countFailure(attempt)
  await flushBuffers()
}

beforeAll(async () => {
  holdClock(true)
  moveTo(TODAY - 95 * DAY)
  root = await setUp()
  ann = await visitor(Role.user, 1_000_000)
  const models = 'gpt-4o,o3,sonar,mute-model'
  await root.post('/api/channel/', { name: 'secret-upstream', type: 1, key: 'sk-upstream', models, group: 'default' })
  await serve('gpt-4o', TODAY - 91 * DAY, { failed: 40 })
  await serve('gpt-4o', TODAY - 40 * DAY + HOUR, { calls: 27, failed: 3, ms: 2500 })
  await serve('gpt-4o', TODAY - 39 * DAY + HOUR, { calls: 30 })
  await serve('o3', TODAY - 39 * DAY + HOUR, { calls: 4, failed: 36 })
  await serve('gpt-4o', TODAY + HOUR, { calls: 40, ms: 450 })
  await serve('o3', TODAY + HOUR, { calls: 10, failed: 30 })
  await serve('sonar', TODAY + HOUR, { calls: 3 })
  moveTo(TODAY + 90 * 60)
})

const pageOf = async (path: string, person = anyone) => (await person.page(path)).text()
const modelIn = (html: string, name: string) => textOf(new RegExp(`<li id="model-${name}".*?</li>`, 's').exec(html)![0])

test('the status page is an unknown address, and no link leads to it, while its option is off', async () => {
  const [page, unknown] = [await anyone.page('/status'), await anyone.page('/no-such-page')]
  expect([page.status, textOf(await page.text()).replaceAll('/status', '')]).toEqual([
    404,
    textOf(await unknown.text()).replaceAll('/no-such-page', ''),
  ])
  expect(await pageOf('/pricing')).not.toContain('href="/status"')
  await setOption('StatusPageEnabled', 'true')
  const html = await pageOf('/pricing')
  expect(html.match(/href="\/status"/g)!.length).toBeGreaterThanOrEqual(2)
  expect((await (await anyone.fetch('/api/status')).json()).data.status_page_enabled).toBe(true)
})

test('each served model has its availability and median first token of 90 days, those that fail first', async () => {
  const html = await pageOf('/status')
  expect([...html.matchAll(/<li id="model-([^"]+)"/g)].map(([, name]) => name)).toEqual([
    ...['o3', 'gpt-4o', 'sonar', 'mute-model'],
  ])
  // 97 of 100, without the 40 failures of the 91st day; the median lies between 400 and 500 ms.
  const gpt = modelIn(html, 'gpt-4o')
  expect(gpt).toContain('97.0% Available, 90 days')
  expect(gpt).toContain('No calls on 87 days · lowest 90.0% on 2027-04-21')
  expect(gpt).toContain('gpt-4o Available')
  expect(/0\.4\d s First token, median/.test(gpt)).toBe(true)
  expect(modelIn(html, 'o3')).toContain('17.5% Available, 90 days')
  expect(modelIn(html, 'o3')).toContain('o3 Failing')
  expect(modelIn(html, 'sonar')).toContain('— Available, 90 days — First token')
  expect(modelIn(html, 'mute-model')).toContain('No calls in 24 h')
  expect(textOf(html)).toContain('One model fails in the last 24 hours')
})

test('the status page names no channel and no number of calls', async () => {
  const html = await pageOf('/status')
  expect(html).not.toContain('secret-upstream')
  expect(textOf(html)).not.toMatch(/\b(27|30|36|40|100) (calls|attempts|requests)/)
})

test('the figures stay the same when days are rolled up, and after the usage log is cleared', async () => {
  const before = modelIn(await pageOf('/status'), 'gpt-4o')
  await rollUpUsage()
  moveTo(TODAY + 95 * 60)
  await db.delete(logs)
  expect(modelIn(await pageOf('/status'), 'gpt-4o')).toBe(before)
})

test('the price page shows and sorts the median first token of 24 hours, a dash after few calls', async () => {
  const html = await pageOf('/pricing?sort=first_token')
  const names = [...html.matchAll(/<tr id="row-([^"]+)"/g)].map(([, name]) => name)
  const row = (name: string) => textOf(new RegExp(`<tr id="row-${name}".*?</tr>`, 's').exec(html)![0])
  expect(names[0]).toBe('gpt-4o')
  expect(row('gpt-4o')).toMatch(/100% 0\.4\d s/)
  expect(row('sonar')).toMatch(/— —/)
})

test('first tokens of calls before the update are counted from the log when hours are rolled up', async () => {
  const start = TODAY - 2 * DAY
  const other = (frt?: number) => JSON.stringify({ frt, body: 'a text with "frt":7', duration_ms: 900 })
  const call = { model_name: 'o3', created_at: start + 60 }
  const streamed = [90, 350, 350, 99_000, undefined].map(frt => ({ ...call, is_stream: true, other: other(frt) }))
  await spend(ann, { model: 'o3', quota: 1, at: start + 60 })
  moveTo(TODAY + 95 * 60)
  await write(ann, ...streamed, { ...call, other: other(350) })
  await rollUpUsage()
  const rows = (await db.select().from(firstTokens)).filter(row => row.model === 'o3' && row.start === start)
  expect(rows.map(({ span, below_100, below_400, above }) => [span, below_100, below_400, above])).toEqual([
    [HOUR, 1, 2, 1],
    [DAY, 1, 2, 1],
  ])
})
