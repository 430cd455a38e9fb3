/** The usage explorer: two levels, kinds of tokens, sorting, rights, CSV, and figures that open their calls. */
import { beforeAll, expect, test } from 'bun:test'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { DASHBOARD_PATH } from '../../src/contracts/dashboard.ts'
import { LogType } from '../../src/contracts/log.ts'
import { auditRollUps, countFailure, rollUpUsage } from '../../src/domain/usage/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { spend, write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const USD = 500_000
const START = Date.parse('2027-05-03T00:00:00Z') / 1000
const RANGE = '?range=custom&from=2027-05-03&to=2027-05-04&as=table'

let admin: Person
let ann: Person
let bob: Person
let channel: { id: number; name: string }

const moveTo = (moment: number) => shiftClock(moment - now())

/** Counts and logs a failed attempt. */
async function fail(person: Person, model: string, token: { id: number; name: string } | undefined, at: number) {
  moveTo(at)
  const { id: token_id, name: token_name } = token ?? { id: 0, name: 'playground-default' }
  countFailure({ user_id: person.id, token_id, channel_id: channel.id, model, group: 'default' })
  await write(person, {
    ...{ type: LogType.error, created_at: at, token_id, token_name, model_name: model, group: 'default' },
    channel: channel.id,
  })
}

beforeAll(async () => {
  holdClock(true)
  moveTo(START - DAY)
  const root = await setUp()
  channel = await makeChannel(root, { name: 'hidden-upstream' })
  admin = await visitor(Role.admin)
  ann = await visitor(Role.user, 1000 * USD)
  bob = await visitor(Role.user, 1000 * USD)
  const token = async (person: Person) =>
    (await person.post('/api/token/', { name: 'crawler', unlimited_quota: true })).data as { id: number; name: string }
  const [annKey, bobKey] = [await token(ann), await token(bob)]
  const of = ({ id, name }: { id: number; name: string }) => ({
    token_id: id,
    token_name: name,
    channel_id: channel.id,
  })
  const played = { token_name: 'playground-default', channel_id: channel.id }
  await spend(ann, { ...of(annKey), quota: USD, model: 'gpt-4o', input: 25, cached: 75, output: 10, at: START + 60 })
  await spend(ann, { ...of(annKey), quota: USD, model: 'gpt-4o', input: 100, output: 10, at: START + 5 * HOUR })
  await spend(ann, { ...of(annKey), quota: 5 * USD, model: 'o3', input: 50, output: 20, at: START + DAY + HOUR })
  await spend(ann, { ...played, quota: 2 * USD, model: 'o3', input: 40, output: 20, at: START + 6 * HOUR })
  await spend(bob, { ...of(bobKey), quota: 20 * USD, model: 'gpt-4o', input: 400, output: 40, at: START + 7 * HOUR })
  await fail(ann, 'o3', annKey, START + 8 * HOUR)
  await fail(ann, 'o3', undefined, START + 8 * HOUR)
  await fail(bob, 'gemini', bobKey, START + DAY + 2 * HOUR)
  await flushBuffers()
  // Of the second day some hours are not rolled up.
  moveTo(START + DAY + 12 * HOUR)
})

async function open(person: Person, query: string, language: 'en' | 'zh' = 'en') {
  const headers = { cookie: `${person.cookie}; zone=UTC; page-size=50` }
  const response = await person.page(`${DASHBOARD_PATH}${RANGE}${query}`, { language, headers })
  const html = await response.text()
  return html.slice(html.indexOf('<main'), html.indexOf('</main>'))
}

const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

interface Cell {
  text: string
  href?: string
}

/** Lines of the table without its head. */
async function lines(person: Person, query: string): Promise<Cell[][]> {
  const html = await open(person, query)
  const body = html.slice(html.indexOf('<tbody'), html.indexOf('</tbody>'))
  return body
    .split('<tr')
    .slice(1)
    .map(row =>
      [...row.matchAll(/<td(?![^>]*sm:hidden)[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => ({
        text: textOf(cell!),
        href: /href="([^"]*)"/.exec(cell!)?.[1]?.replaceAll('&amp;', '&'),
      })),
    )
}

const texts = async (person: Person, query: string) =>
  (await lines(person, query)).map(line => line.map(({ text }) => text))

/** Number of the entries that an address of the usage log shows. */
async function entriesAt(person: Person, address: string): Promise<number> {
  const html = await (await person.page(address, { headers: { cookie: `${person.cookie}; zone=UTC` } })).text()
  return html.match(/id="row-\d+"/g)?.length ?? 0
}

const userByModel = () => [
  [bob.username, '1', '1', '400', '–', '–', '40', '$20.000000'],
  ['gpt-4o', '1', '–', '400', '–', '–', '40', '$20.000000'],
  ['gemini', '–', '1', '–', '–', '–', '–', '–'],
  [ann.username, '4', '2', '290', '75', '25.9%', '60', '$9.000000'],
  ['o3', '2', '2', '90', '–', '–', '40', '$7.000000'],
  ['gpt-4o', '2', '–', '200', '75', '37.5%', '20', '$2.000000'],
  ['Total', '5', '3', '690', '75', '10.9%', '100', '$29.000000'],
]

test('two levels have the same figures from hourly usage, from roll-ups, and from both', async () => {
  const queries = ['&rows=user&split=model', '&rows=model&split=channel', '&rows=group&split=channel', '&rows=token']
  const shown = () => Promise.all(queries.map(query => texts(admin, query)))
  const live = await shown()
  expect(live[0]).toEqual(userByModel())
  expect(live[1]!.slice(0, 2).map(([name, calls]) => [name, calls])).toEqual([
    ['gpt-4o', '3'],
    [`#${channel.id} ${channel.name}`, '3'],
  ])
  expect(live[2]!.map(([name, calls, failed]) => [name, calls, failed])).toEqual([
    ['default', '5', '3'],
    [`#${channel.id} ${channel.name}`, '5', '3'],
    ['Total', '5', '3'],
  ])
  expect(live[3]!.map(([name, calls, failed]) => [name, calls, failed])).toEqual([
    [`crawler · ${bob.username}`, '1', '1'],
    [`crawler · ${ann.username}`, '3', '1'],
    ['Playground · default', '1', '1'],
    ['Total', '5', '3'],
  ])
  await rollUpUsage()
  expect(await shown()).toEqual(live)
  moveTo(START + 3 * DAY)
  await rollUpUsage()
  expect(await shown()).toEqual(live)
  expect(await auditRollUps()).toBeUndefined()
})

test('every figure opens exactly its calls', async () => {
  for (const query of ['&rows=user&split=model', '&rows=day&split=token', '&rows=token&split=model', '&rows=channel']) {
    for (const [name, calls, failed, ...others] of await lines(admin, query)) {
      const count = async ({ text, href }: Cell) => (text === '–' ? '–' : String(await entriesAt(admin, href!)))
      expect([query, name!.text, await count(calls!), await count(failed!)]).toEqual([
        query,
        name!.text,
        calls!.text,
        failed!.text,
      ])
      for (const { text, href } of others) expect(href).toBe(text === '–' ? undefined : calls!.href)
    }
  }
})

test('a user sees the own rows alone and never channels', async () => {
  const own = await texts(ann, '&rows=model&split=token')
  expect(own).toEqual([
    ['o3', '2', '2', '90', '–', '–', '40', '$7.000000'],
    ['crawler', '1', '1', '50', '–', '–', '20', '$5.000000'],
    ['Playground · default', '1', '1', '40', '–', '–', '20', '$2.000000'],
    ['gpt-4o', '2', '–', '200', '75', '37.5%', '20', '$2.000000'],
    ['crawler', '2', '–', '200', '75', '37.5%', '20', '$2.000000'],
    ['Total', '4', '2', '290', '75', '25.9%', '60', '$9.000000'],
  ])
  for (const query of ['&rows=channel&split=user', '&rows=user', '&split=channel']) {
    const html = await open(ann, query)
    expect([html.includes(channel.name), html.includes(bob.username), html.includes('value="channel"')]).toEqual([
      false,
      false,
      false,
    ])
    expect(html).toContain('aria-label="By model"')
  }
  expect((await ann.page(`${DASHBOARD_PATH}/export.csv${RANGE}&of=all`)).status).toBe(403)
  const csv = await (await ann.page(`${DASHBOARD_PATH}/export.csv${RANGE}&rows=channel`)).text()
  expect(csv).not.toContain(channel.name)
})

test('each column sorts both levels, and its heading turns the order round', async () => {
  const names = async (sort: string) =>
    (await texts(admin, `&rows=user&split=model&sort=${sort}`)).slice(0, -1).map(([name]) => name)
  const [a, b] = [ann.username, bob.username]
  expect(await names('calls')).toEqual([a, 'gpt-4o', 'o3', b, 'gpt-4o', 'gemini'])
  expect(await names('-calls')).toEqual([b, 'gemini', 'gpt-4o', a, 'gpt-4o', 'o3'])
  expect(await names('failed')).toEqual([a, 'o3', 'gpt-4o', b, 'gemini', 'gpt-4o'])
  expect(await names('input')).toEqual([b, 'gpt-4o', 'gemini', a, 'gpt-4o', 'o3'])
  expect(await names('hit')).toEqual([a, 'gpt-4o', 'o3', b, 'gemini', 'gpt-4o'])
  expect(await names('-output')).toEqual([b, 'gemini', 'gpt-4o', a, 'gpt-4o', 'o3'])
  const [first, second] = [a, b].sort(new Intl.Collator('en', { numeric: true }).compare)
  expect((await names('name')).filter(name => name === a || name === b)).toEqual([first, second])
  expect((await names('-name')).filter(name => name === a || name === b)).toEqual([second, first])
  const html = await open(admin, '&rows=user&sort=calls')
  expect(/aria-sort="descending"><a href="[^"]*sort=-calls/.test(html)).toBe(true)
})

test('a long second level is cut, and opens in its row', async () => {
  const eve = await visitor(Role.user, 1000 * USD)
  for (let model = 0; model < 9; model++)
    await spend(eve, { quota: (9 - model) * USD, model: `model-${model}`, at: START + 4 * DAY, channel_id: channel.id })
  const query = '&range=custom&from=2027-05-07&to=2027-05-07&rows=user&split=model'
  const cut = await lines(admin, query)
  expect(cut.map(([name]) => name!.text)).toEqual([
    eve.username,
    ...[0, 1, 2, 3, 4].map(model => `model-${model}`),
    'Other (4)',
    'Total',
  ])
  expect([cut[6]![1], cut[6]![7]!.text]).toEqual([{ text: '4', href: undefined }, '$10.000000'])
  const opened = await (await admin.page(cut[6]![0]!.href!)).text()
  for (let model = 0; model < 9; model++) expect(opened).toContain(`model-${model}`)
  expect(opened).not.toContain('Other (4)')
})

test('a second level is not cut where that would hide one row alone', async () => {
  const cai = await visitor(Role.user, 1000 * USD)
  for (let model = 0; model < 6; model++)
    await spend(cai, { quota: (9 - model) * USD, model: `model-${model}`, at: START + 5 * DAY, channel_id: channel.id })
  const cut = await lines(admin, '&range=custom&from=2027-05-08&to=2027-05-08&rows=user&split=model')
  expect(cut.map(([name]) => name!.text)).toEqual([
    cai.username,
    ...[0, 1, 2, 3, 4, 5].map(model => `model-${model}`),
    'Total',
  ])
})

test('keys are sorted by their names, in whatever order they were made', async () => {
  const dan = await visitor(Role.user, 1000 * USD)
  for (const name of ['zebra', 'ant']) {
    const { data } = await dan.post('/api/token/', { name, unlimited_quota: true })
    await spend(dan, { quota: USD, model: 'o3', at: START + 6 * DAY, token_id: data.id, token_name: name })
  }
  const sorted = await texts(dan, '&range=custom&from=2027-05-09&to=2027-05-09&rows=token&sort=name')
  expect(sorted.map(([name]) => name)).toEqual(['ant', 'zebra', 'Total'])
})

test('a custom range has its last 366 days at most', async () => {
  const html = await open(admin, '&from=2020-01-01')
  expect(html).toContain('value="2026-05-04"')
})

test('the CSV has every pair with its figures', async () => {
  const response = await admin.page(`${DASHBOARD_PATH}/export.csv${RANGE}&rows=user&split=model`)
  expect(response.headers.get('content-disposition')).toContain('usage-by-user-model-')
  const rows = (await response.text()).trim().split('\r\n')
  expect(rows).toEqual([
    'User,Model,Calls,Failed,Input,Cache read,Cache hit,Output,Cost,Cost in quota',
    `${bob.username},gpt-4o,1,0,400,0,0,40,20,10000000`,
    `${bob.username},gemini,0,1,0,0,0,0,0,0`,
    `${ann.username},o3,2,2,90,0,0,40,7,3500000`,
    `${ann.username},gpt-4o,2,0,200,75,0.375,20,2,1000000`,
  ])
})

test('the table is a page of links and a form in both languages', async () => {
  const html = await open(admin, '&rows=user&split=model', 'zh')
  expect(html).toContain('aria-label="按用户，再按模型"')
  for (const field of ['range', 'rows', 'split', 'of']) expect(html).toContain(`<select name="${field}"`)
  expect(html).toContain('<input type="hidden" name="as" value="table"/>')
})
