/** The public price page, and what the API lists of it. */
import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { flushBuffers } from '../../src/cluster/write-behind.ts'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { countFailure } from '../../src/domain/usage/index.ts'
import { users } from '../../src/domain/users/table.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { textOf } from '../support/people/price-forms.ts'
import { spend } from '../support/people/usage-log.ts'

let root: Person
let ann: Person

const addChannel = (models: string, group: string, change: object = {}) =>
  root.post('/api/channel/', { name: group, type: 1, key: 'sk-upstream', models, group, ...change })

const setTable = (key: string, value: object) => setOption(key, JSON.stringify(value))

beforeAll(async () => {
  root = await setUp()
  ann = await visitor()
  await db.update(users).set({ group: 'vip' }).where(eq(users.id, ann.id))
  await setTable('GroupRatio', { default: 1, vip: 0.5, hidden: 9 })
  await setTable('UserUsableGroups', { default: 'everyone' })
  await setTable('ModelRatio', { 'gpt-4o': 1.25, 'claude-opus': 7.5, 'gemini-2.5-pro': 0.625 })
  await setTable('CompletionRatio', { 'gpt-4o': 4, 'claude-opus': 5, 'gemini-2.5-pro': 8 })
  await setTable('CacheRatio', { 'gpt-4o': 0.5 })
  await setTable('AudioRatio', { 'gpt-4o': 20 })
  await setTable('TierRatio', { 'gemini-2.5-pro': [{ from: 200_001, model_ratio: 1.25, completion_ratio: 6 }] })
  await addChannel('gpt-4o,claude-opus,gemini-2.5-pro,dall-e-3,brand-new-model', 'default')
  await addChannel('gpt-4o,secret-model', 'vip,hidden')
})

const pageOf = async (path: string, person = anyone) => (await person.page(path)).text()

/** Names of the listed models, in order. */
const namesIn = (html: string) => [...html.matchAll(/<tr id="row-([^"]+)"/g)].map(([, name]) => name)

const rowOf = (html: string, name: string) =>
  textOf(new RegExp(`<tr id="row-${name}".*?</tr>`, 's').exec(html)?.[0] ?? '')

test('a visitor is told, without an alarm, that the prices are those of the default group', async () => {
  const html = await pageOf('/pricing')
  expect(textOf(html)).toContain('Prices for visitors, at the group ratio default ×1')
  expect(html).not.toContain('note warning')
  expect(rowOf(html, 'gpt-4o')).toContain('$2.50 $1.25 $10.00')
  expect(namesIn(html)).toEqual(['brand-new-model', 'claude-opus', 'dall-e-3', 'gemini-2.5-pro', 'gpt-4o'])
})

test('a user sees the prices of the own group, and those of a group that was chosen', async () => {
  const own = await pageOf('/pricing', ann)
  expect(textOf(own).includes('Your group: vip ×0.5')).toBe(true)
  expect(namesIn(own)).toEqual(['gpt-4o', 'secret-model'])
  expect(rowOf(own, 'gpt-4o')).toContain('$1.25')

  const chosen = await pageOf('/pricing?group=default', ann)
  expect(rowOf(chosen, 'gpt-4o')).toContain('$2.50')
  expect(namesIn(chosen)).toHaveLength(5)
  const forbidden = await pageOf('/pricing?group=hidden', ann)
  expect(rowOf(forbidden, 'gpt-4o')).toContain('$1.25')
  await setTable('GroupGroupRatio', { vip: { default: 0.9 } })
  expect(rowOf(await pageOf('/pricing?group=default', ann), 'gpt-4o')).toContain('$2.25')
  await setTable('GroupGroupRatio', {})
})

test.each([
  ['keyword=g4', ['gpt-4o']],
  ['keyword=pro', ['gemini-2.5-pro']],
  ['kind=call', ['dall-e-3']],
  ['kind=none', ['brand-new-model']],
  ['kind=tokens&vendor=Anthropic', ['claude-opus']],
  ['vendor=OpenAI', ['dall-e-3', 'gpt-4o']],
  ['keyword=nothing-like-it', []],
])('the price list narrowed by %s has the models that fit', async (query, names) => {
  expect(namesIn(await pageOf(`/pricing?${query}`))).toEqual(names as string[])
})

test('htmx gets only the content of the price list', async () => {
  const headers = { 'hx-request-type': 'partial', 'hx-target': 'main#main' }
  const html = await (await anyone.page('/pricing?keyword=g4', { headers })).text()
  expect([html.includes('<html'), namesIn(html)]).toEqual([false, ['gpt-4o']])
})

test('a ratio has a colour and a word, a price per call its unit, a model without a price a note in amber', async () => {
  const html = await pageOf('/pricing', root)
  const tag = (name: string) =>
    /class="tag ratio (\w+)" title="([^"]+)"/.exec(html.slice(html.indexOf(`id="row-${name}"`)))?.slice(1)
  expect([tag('claude-opus'), tag('gpt-4o'), tag('gemini-2.5-pro')]).toEqual([
    ['red', 'very high ratio'],
    ['blue', 'raised ratio'],
    ['green', 'low ratio'],
  ])
  expect(rowOf(html, 'dall-e-3')).toContain('$0.04 per call')
  expect(/class="state limited">No price/.test(html)).toBe(true)
  for (const person of [anyone, ann]) expect(await pageOf('/pricing', person)).not.toContain('class="tag ratio')
})

test('the headings sort by price, context and success, and models without the figure come last', async () => {
  const sortedBy = async (sort: string) => namesIn(await pageOf(`/pricing?sort=${sort}`))
  const without = ['brand-new-model', 'dall-e-3']
  expect(await sortedBy('input')).toEqual(['gemini-2.5-pro', 'gpt-4o', 'claude-opus', ...without])
  expect(await sortedBy('-output')).toEqual(['claude-opus', 'gemini-2.5-pro', 'gpt-4o', ...without])
  expect((await sortedBy('-name'))[0]).toBe('gpt-4o')
  expect((await sortedBy('-context')).slice(2)).toEqual(['gpt-4o', ...without])
  const html = await pageOf('/pricing?sort=input')
  expect(/aria-sort="ascending"[^>]*><a href="\/pricing\?sort=-input"/.test(html)).toBe(true)
  expect(rowOf(html, 'gpt-4o')).toContain('128k')
})

test('the share of attempts that succeeded in 24 hours stands beside a model, once there are some', async () => {
  const success = async () =>
    // The dash behind it is the first token of calls that were not streamed.
    /(\d+\.\d%|—) —$/.exec(
      rowOf(await pageOf('/pricing'), 'gpt-4o')
        .split('Input')[0]!
        .trim(),
    )?.[1]
  const caller = await visitor(Role.user, 1_000_000)
  const hour = now() - (now() % 3600)
  await spend(caller, { quota: 1, model: 'gpt-4o' })
  expect(await success()).toBe('—')
  for (let call = 0; call < 29; call++) await spend(caller, { quota: 1, model: 'gpt-4o', at: hour })
  for (let attempt = 0; attempt < 10; attempt++)
    countFailure({ user_id: caller.id, token_id: 0, channel_id: 1, model: 'gpt-4o', group: 'default' })
  await flushBuffers()
  // Read once in a minute.
  shiftClock(61)
  expect(await success()).toBe('75.0%')
})

test('an open model shows each kind of token, its ratios, its tiers and where to try it', async () => {
  const gemini = await pageOf('/pricing?open=gemini-2.5-pro')
  const text = textOf(gemini)
  expect(text.includes('below 200,001 from 200,001')).toBe(true)
  expect(text.includes('Output $10.00 $15.00 0.625 × 8 × 1')).toBe(true)
  expect(gemini.includes('href="/playground?model=gemini-2.5-pro"')).toBe(true)
  const audio = textOf(await pageOf('/pricing?open=gpt-4o'))
  expect(audio.includes('Audio input $50.00 1.25 × 20 × 1')).toBe(true)
})

test('ticked names are listed to copy where no script runs', async () => {
  const html = await (await anyone.form('/pricing/selected', { 'ids[]': ['gpt-4o', 'dall-e-3'] })).text()
  expect(/<textarea[^>]*>gpt-4o,dall-e-3<\/textarea>/.test(html)).toBe(true)
  const none = await anyone.form('/pricing/selected', { returnTo: '/pricing?kind=call' })
  expect([none.status, none.headers.get('location')]).toEqual([303, '/pricing?kind=call'])
})

test('the list of prices has the figures of all kinds, and no model of a group that the caller cannot use', async () => {
  const { data, group_ratio } = await anyone.get('/api/pricing')
  expect(group_ratio).toEqual({ default: 1 })
  expect(data.map((model: { model_name: string }) => model.model_name)).toEqual([
    ...['brand-new-model', 'claude-opus', 'dall-e-3', 'gemini-2.5-pro', 'gpt-4o'],
  ])
  expect(data[3]).toMatchObject({
    owner_by: 'Google',
    cache_creation_ratio: 1.25,
    cache_creation_hour_ratio: 2,
    tiers: [{ from: 200_001, model_ratio: 1.25, completion_ratio: 6 }],
    enable_groups: ['default'],
  })
  expect(data[4]).toMatchObject({ owner_by: 'OpenAI', audio_ratio: 20, enable_groups: ['default'] })
})

test('a prefixed name replaces the bare one, in the groups that the caller can use', async () => {
  const { data } = await addChannel('claude-opus', 'default', { model_prefix: 'fast/' })
  await addChannel('gpt-4o', 'hidden', { model_prefix: 'hidden/' })
  const names = (await anyone.get('/api/pricing')).data.map((model: { model_name: string }) => model.model_name)
  expect(names).toEqual(['brand-new-model', 'dall-e-3', 'fast/claude-opus', 'gemini-2.5-pro', 'gpt-4o'])
  await root.delete(`/api/channel/${data.id}`)
})

test('a model says what it takes beside text, and whether it thinks, where that is known', async () => {
  const html = await pageOf('/pricing')
  const marksOf = (name: string) => {
    const row = html.slice(html.indexOf(`title="${name}"`))
    const titles = row.slice(0, row.indexOf('</tr>')).matchAll(/title="(Image input|Audio input|Reasoning)"/g)
    return Array.from(titles, ([, title]) => title)
  }
  expect(marksOf('gemini-2.5-pro')).toEqual(['Image input', 'Audio input', 'Reasoning'])
  expect(marksOf('gpt-4o')).toEqual(['Image input'])
  expect([...marksOf('dall-e-3'), ...marksOf('brand-new-model')]).toEqual([])
  const open = textOf(await pageOf('/pricing?open=gemini-2.5-pro'))
  expect(open).toContain('Capabilities Image input Audio input Reasoning')
})

test('a long price list shows its first 50 models, and all where they are wanted', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `many-${String(index).padStart(3, '0')}`)
  const { data } = await addChannel(many.join(','), 'default')
  const counts = [await pageOf('/pricing'), await pageOf('/pricing?all=1'), await pageOf('/pricing?keyword=many-499')]
  expect(counts.map(html => namesIn(html).length)).toEqual([50, 505, 1])
  await root.delete(`/api/channel/${data.id}`)
})
