/** The dashboard without a script: figures, periods of a zone, changes, failures, rights. */
import { beforeAll, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { DASHBOARD_PATH } from '../../src/contracts/dashboard.ts'
import { rollUpUsage } from '../../src/domain/usage/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { spend } from '../support/people/usage-log.ts'
import { refuses } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const QUOTA = 1_000_000_000
const USD = 500_000

/** In Europe clocks went forward the day before, a Sunday. */
const MONDAY = Date.parse('2027-03-29T10:30:00Z') / 1000

let root: Person

beforeAll(async () => {
  holdClock(true)
  shiftClock(MONDAY - now())
  root = await setUp()
})

const moveTo = (moment: number) => shiftClock(moment - now())
const at = (text: string) => Date.parse(`${text}Z`) / 1000

async function open(person: Person, query = '', zone = 'UTC', language: 'en' | 'zh' = 'en') {
  const cookie = `${person.cookie}; zone=${encodeURIComponent(zone)}; page-size=100`
  const response = await person.page(`${DASHBOARD_PATH}${query}`, { language, headers: { cookie } })
  const html = await response.text()
  return { status: response.status, html: html.slice(html.indexOf('<main'), html.indexOf('</main>')) }
}

const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Cells of the table with this label, its head first. */
function tableOf(html: string, label: string): string[][] {
  const start = html.indexOf(`aria-label="${label}"`)
  const table = html.slice(start, html.indexOf('</table>', start))
  const rows = table.split('<tr').slice(1)
  return rows.map(row =>
    [...row.matchAll(/<t[hd](?![^>]*sm:hidden)[^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => textOf(cell!)),
  )
}

/** First and last cells of the rows: period and cost. */
const spendIn = (html: string, grain: string) =>
  tableOf(html, `By ${grain}`)
    .slice(1, -1)
    .map(cells => [cells[0], cells.at(-1)])

/** Figures by their labels. */
const figuresIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, label, value]) => [label, textOf(value!)]),
  )

const usd = (dollars: number) => dollars * USD

test('key figures, models, keys and groups of a user add up to its calls', async () => {
  const ann = await visitor(Role.user, usd(100))
  const { data: key } = await ann.post('/api/token/', { name: 'crawler', unlimited_quota: true })
  await spend(ann, { quota: usd(2), model: 'gpt-4o', input: 900, output: 100, at: MONDAY - HOUR, token_id: key.id })
  await spend(ann, { quota: usd(1), model: 'o3', input: 400, output: 100, at: MONDAY - 60, group: 'vip' })
  await spend(ann, { quota: usd(5), model: 'o3', at: MONDAY - DAY - HOUR })
  moveTo(MONDAY)
  const { html } = await open(ann, '?range=today&as=table')
  const rowsBy = async (rows: string, label: string) =>
    tableOf((await open(ann, `?range=today&as=table&rows=${rows}`)).html, label).slice(1, -1)
  expect(figuresIn(html)).toMatchObject({
    Balance: '$92.00 about 12 days left',
    'Spent today': '$3.00 −60% vs yesterday',
    Calls: '2 ±0%',
  })
  // 2 calls and 1,500 tokens in 10.5 hours.
  expect([figuresIn(html).RPM, figuresIn(html).TPM]).toEqual(['&lt; 0.1', '2.4'])
  expect((await rowsBy('hour', 'By hour')).at(-1)!.at(-1)).toBe('$1.000000')
  expect(tableOf(html, 'By model')).toEqual([
    ['Model', 'Calls', 'Failed', 'Input', 'Cache read', 'Cache hit', 'Output', 'Cost'],
    ['gpt-4o', '1', '–', '900', '–', '–', '100', '$2.000000'],
    ['o3', '1', '–', '400', '–', '–', '100', '$1.000000'],
    ['Total', '2', '–', '1,300', '–', '–', '200', '$3.000000'],
  ])
  expect(await rowsBy('token', 'By API key')).toEqual([
    ['crawler', '1', '–', '900', '–', '–', '100', '$2.000000'],
    ['Playground · vip', '1', '–', '400', '–', '–', '100', '$1.000000'],
  ])
  expect(await rowsBy('group', 'By group')).toEqual([
    ['default', '1', '–', '900', '–', '–', '100', '$2.000000'],
    ['vip', '1', '–', '400', '–', '–', '100', '$1.000000'],
  ])
})

test('days begin at the midnight of the reader, also where the clock changes', async () => {
  const ann = await visitor(Role.user, QUOTA)
  // Midnights of Berlin: 23:00 before the change, 22:00 after it.
  await spend(ann, { quota: usd(1), at: at('2027-03-27T22:59:00') })
  await spend(ann, { quota: usd(2), at: at('2027-03-27T23:00:00') })
  await spend(ann, { quota: usd(3), at: at('2027-03-28T21:59:00') })
  await spend(ann, { quota: usd(4), at: at('2027-03-28T22:00:00') })
  moveTo(MONDAY)
  const berlin = await open(ann, '?range=custom&from=2027-03-27&to=2027-03-29&as=table&rows=day', 'Europe/Berlin')
  expect(spendIn(berlin.html, 'day')).toEqual([
    ['2027-03-27', '$1.000000'],
    ['2027-03-28', '$5.000000'],
    ['2027-03-29', '$4.000000'],
  ])
  const hours = await open(ann, '?range=custom&from=2027-03-28&to=2027-03-28&as=table&rows=hour', 'Europe/Berlin')
  const names = spendIn(hours.html, 'hour').map(([name]) => name)
  expect([names.length, names[1], names[2]]).toEqual([23, '2027-03-28 01:00–03:00', '2027-03-28 03:00–04:00'])
})

test('half-hour zones count whole hours and say when a day begins', async () => {
  const ann = await visitor(Role.user, QUOTA)
  // 00:10 of the 28th in Kolkata, in the hour that began at 23:30.
  await spend(ann, { quota: usd(1), at: at('2027-03-27T18:40:00') })
  await spend(ann, { quota: usd(2), at: at('2027-03-27T19:00:00') })
  moveTo(MONDAY)
  const { html } = await open(ann, '?range=custom&from=2027-03-27&to=2027-03-28&as=table&rows=day', 'Asia/Kolkata')
  expect(spendIn(html, 'day')).toEqual([
    ['2027-03-27', '$1.000000'],
    ['2027-03-28', '$2.000000'],
  ])
  expect(textOf(html)).toContain('a day begins at 00:30')
  expect(textOf((await open(ann, '?range=7d', 'Asia/Shanghai')).html)).not.toContain('a day begins')
})

test('weeks begin on Monday', async () => {
  const ann = await visitor(Role.user, QUOTA)
  await spend(ann, { quota: usd(1), at: at('2027-03-14T23:59:59') })
  await spend(ann, { quota: usd(2), at: at('2027-03-15T00:00:00') })
  await spend(ann, { quota: usd(3), at: at('2027-03-21T23:59:59') })
  await spend(ann, { quota: usd(4), at: at('2027-03-29T00:00:00') })
  moveTo(MONDAY)
  expect(spendIn((await open(ann, '?range=30d&as=table&rows=week')).html, 'week')).toEqual([
    ['2027-02-28', '–'],
    ['2027-03-01 – 2027-03-07', '–'],
    ['2027-03-08 – 2027-03-14', '$1.000000'],
    ['2027-03-15 – 2027-03-21', '$5.000000'],
    ['2027-03-22 – 2027-03-28', '–'],
    ['2027-03-29', '$4.000000'],
  ])
})

test('changes compare whole hours with as many hours of the range before', async () => {
  const ann = await visitor(Role.user, QUOTA)
  // Yesterday 10:30 is later than the whole hours of today.
  await spend(ann, { quota: usd(4), at: MONDAY - DAY - HOUR })
  await spend(ann, { quota: usd(50), at: MONDAY - DAY })
  await spend(ann, { quota: usd(6), at: MONDAY - HOUR })
  await spend(ann, { quota: usd(70), at: MONDAY })
  expect(figuresIn((await open(ann, '?range=today')).html)['Spent today']).toBe('$76.00 +50% vs yesterday')
  expect(figuresIn((await open(ann, '?range=yesterday')).html).Spent).toBe('$54.00')
  expect(figuresIn((await open(ann, '?range=7d')).html).Spent).toBe('$130.00')
  moveTo(MONDAY + 6 * DAY)
  expect(figuresIn((await open(ann, '?range=7d')).html).Spent).toBe('$76.00 ×19 vs the 7 days before')
  moveTo(MONDAY)
})

test('everyone is summed for administrators, from roll-ups as from hours, with a way to one user', async () => {
  const people = [await visitor(Role.user, QUOTA), await visitor(Role.user, QUOTA)]
  const start = at('2027-03-30T00:00:00')
  for (let hour = 0; hour < 30; hour++)
    await spend(people[hour % 2]!, { quota: usd(1), model: `m${hour % 10}`, at: start + hour * HOUR, channel_id: 77 })
  moveTo(start + 34 * HOUR)
  const admin = await visitor(Role.admin)
  const query = '?range=custom&from=2027-03-30&to=2027-03-31&as=table'
  const shows = async () => {
    const [users, channels, models, hours] = await Promise.all(
      ['user', 'channel', 'model', 'hour'].map(async rows => (await open(admin, `${query}&rows=${rows}`)).html),
    )
    expect(figuresIn(users!)).toMatchObject({ Spent: expect.stringMatching(/^\$30\.00/), Success: '100.0%' })
    expect(tableOf(users!, 'By user').slice(1, -1)).toEqual(
      people.map(person => [person.username, '15', '–', '150', '–', '–', '75', '$15.000000']),
    )
    expect(tableOf(channels!, 'By channel').slice(1, -1)).toEqual([
      ['#77', '30', '–', '300', '–', '–', '150', '$30.000000'],
    ])
    expect(tableOf(models!, 'By model').length).toBe(1 + 10 + 1)
    expect(spendIn(hours!, 'hour').filter(([, total]) => total === '$1.000000').length).toBe(30)
  }
  await shows()
  await rollUpUsage()
  await shows()
  const one = await open(admin, `${query}&of=${people[0]!.id}`)
  expect(figuresIn(one.html)).toMatchObject({ Spent: '$15.00', Calls: '15' })
  expect(one.html).toContain(`<option value="${people[0]!.id}" selected="">${people[0]!.username}</option>`)
  expect(figuresIn((await open(admin, `${query}&of=own`)).html)).toMatchObject({ Spent: '$0.00', Balance: '$0.00' })
})

test('failed attempts are counted by user and channel while they are not logged', async () => {
  await setOption('LogErrorEnabled', false)
  const caller = await client()
  const failing = await served(refuses(500))
  for (let call = 0; call < 3; call++) expect((await caller.chat()).status).toBe(502)
  await flushBuffers()
  await spend(caller.person, { quota: 1, channel_id: failing.id })
  const rowOf = async (rows: string, label: string, name: string) =>
    tableOf((await open(root, `?range=today&as=table&rows=${rows}`)).html, label).find(([cell]) => cell === name)!
  expect((await rowOf('user', 'By user', caller.person.username)).slice(1, 3)).toEqual(['1', '3'])
  expect((await rowOf('channel', 'By channel', `#${failing.id} ${failing.name}`)).slice(1, 3)).toEqual(['1', '3'])
  const one = await open(root, `?range=today&of=${caller.person.id}`)
  expect(figuresIn(one.html).Success).toBe('25.0%')
  expect((await open(caller.person, '?range=today')).html).toContain('1 served, 3 failed.')
})

test('usage of others is refused to users, and an unknown user does not exist', async () => {
  const ann = await visitor()
  for (const of of ['all', root.id]) expect((await open(ann, `?of=${of}`)).status).toBe(403)
  expect((await open(ann, '?of=own')).status).toBe(200)
  expect((await open(root, '?of=987654321')).status).toBe(404)
  expect((await open(await visitor(Role.admin), '?of=all')).status).toBe(200)
})

test('the charts are drawings with a title and a description, and the filters a form', async () => {
  const ann = await visitor(Role.user, QUOTA)
  await spend(ann, { quota: usd(3), model: '<b>', at: now() })
  for (const language of ['en', 'zh'] as const) {
    const { html } = await open(ann, '?range=today', 'UTC', language)
    expect(html.match(/<svg class="chart/g)?.length).toBe(4)
    const drawing = /role="img" aria-labelledby="(\S+)" aria-describedby="(\S+)"/.exec(html)!
    for (const id of drawing.slice(1)) expect(html).toContain(`id="${id}"`)
    expect(html).toContain('&lt;b&gt;')
    expect(html).not.toContain('<b>')
    expect(/<form[^>]*action="\/app\/dashboard" method="get"/.test(html)).toBe(true)
  }
})

test('the calls chart draws what was made: to the running hour it is dashed, and never scaled', async () => {
  const ann = await visitor(Role.user, QUOTA)
  for (const ago of [HOUR, HOUR, 0]) await spend(ann, { quota: 28, at: MONDAY - ago })
  const { html } = await open(ann, '?range=today')
  const calls = html.slice(html.indexOf('<small>per hour</small>'))
  expect(textOf(calls)).toContain('1 served')
  expect(calls).toContain('class="line running"')
  expect((await open(ann, '?range=yesterday')).html).not.toContain('class="line running"')
  // $0.000168 is not $0.00.
  expect(figuresIn(html)['Spent today']).toBe('$0.000168')
})

test('the rows of a ranking lead to their calls, and to those alone', async () => {
  const ann = await visitor(Role.user, QUOTA)
  const { data: key } = await ann.post('/api/token/', { name: 'crawler', unlimited_quota: true })
  await spend(ann, { quota: 9, model: 'gpt-4o', at: MONDAY - 2 * DAY })
  await spend(ann, { quota: 8, model: 'o3', at: MONDAY })
  await spend(ann, { quota: 7, model: 'gpt-4o', at: MONDAY, token_id: key.id, token_name: 'crawler' })
  const { html } = await open(ann, '?range=today')
  for (const name of ['gpt-4o', 'crawler']) {
    const [, href] = new RegExp(`href="([^"]*/logs/[^"]*)"[^>]*>${name}<`).exec(html)!
    const log = await (await ann.page(href!.replaceAll('&amp;', '&'))).text()
    expect([7, 8, 9].filter(quota => log.includes(`class="money" value="${quota}"`))).toEqual([7])
  }
})

test('the granularity of the option opens the dashboard in its range', async () => {
  const ann = await visitor(Role.user, QUOTA)
  await spend(ann, { quota: 1, at: now() })
  const chosen = async (query = '') => {
    const { html } = await open(ann, query)
    return [...html.matchAll(/<option value="(\w+)" selected="">/g)].map(([, value]) => value)
  }
  for (const [grain, range] of [
    ['day', '7d'],
    ['week', '30d'],
    ['hour', 'today'],
  ]) {
    await setOption('DataExportDefaultTime', grain)
    expect(await chosen()).toEqual([range, grain])
  }
  expect(await chosen('?range=90d&by=hour')).toEqual(['90d', 'day'])
  expect(await chosen('?by=week')).toEqual(['30d', 'week'])
  expect(await chosen('?range=never&by=year')).toEqual(['today', 'hour'])
  await setOption('DataExportInterval', 3)
  expect((await open(ann)).html).toContain('hx-trigger="every 180s"')
  await setOption('DataExportInterval', 5)
})

test('a user without calls sees the first steps, later an empty range with a way to a longer one', async () => {
  const ann = await visitor(Role.user, QUOTA)
  const text = textOf((await open(ann)).html)
  expect([text.includes('Create API key'), text.includes('Add a channel')]).toEqual([true, false])
  await spend(ann, { quota: 1, at: now() })
  shiftClock(3 * DAY)
  const { html } = await open(ann)
  expect(textOf(html)).toContain('No calls in this range.')
  expect(html).toContain('Show the last 7 days')
})
