/** Price administration: its forms, without scripts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { option } from '../../src/domain/options/service.ts'
import { priceChanges } from '../../src/domain/pricing/table.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL } from '../support/people/client.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { PRICES, priceFields, SETTINGS, sendPrices, textOf, unescaped } from '../support/people/price-forms.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

let admin: Person
let ann: Client

beforeAll(async () => {
  await setUp()
  admin = await visitor(Role.admin)
  ann = await client()
  await served(chat({ usage: { prompt_tokens: 1000, completion_tokens: 500 } }))
})

const setTable = (key: string, value: object) => setOption(key, JSON.stringify(value))

beforeEach(async () => {
  await setTable('ModelRatio', { [MODEL]: 1.25, other: 2 })
  await setTable('CompletionRatio', { [MODEL]: 4 })
  for (const key of ['ModelPrice', 'CacheRatio', 'AudioRatio', 'AudioCompletionRatio', 'TierRatio'])
    await setTable(key, {})
  await setTable('GroupRatio', { default: 1, vip: 1 })
})
afterAll(async () => void (await admin.post('/api/option/rest_model_ratio')))

const fieldsOf = (path: string) => priceFields(admin, path)
const send = (path: string, fields: Record<string, string | string[]>) => sendPrices(admin, path, fields)

const versions = () => db.$count(priceChanges)

test('a bad JSON text is refused at its field, and nothing of the form is saved', async () => {
  const fields = await fieldsOf(`${SETTINGS}&view=tables`)
  const before = await versions()
  const typed = { ...fields, ModelRatio: '{"gpt-4o": 9', ModelPrice: '{"a": -1}', CacheRatio: '{"gpt-4o": 0.1}' }
  const { status, errors, html } = await send('tables', typed)
  expect(status).toBe(422)
  expect(errors).toEqual({
    ModelPrice: 'Price per call: enter a JSON object whose values are numbers, at least 0',
    ModelRatio: 'Model ratio: not a valid JSON string',
  })
  expect([typed.ModelRatio, typed.ModelPrice, typed.CacheRatio].map(text => unescaped(html).includes(text))).toEqual([
    ...[true, true, true],
  ])
  expect([option('ModelRatio'), option('CacheRatio'), await versions()]).toEqual([
    { [MODEL]: 1.25, other: 2 },
    {},
    before,
  ])
})

test('an empty table is refused: it would leave every model without a price', async () => {
  const fields = await fieldsOf(`${SETTINGS}&view=tables`)
  expect((await send('tables', { ...fields, ModelRatio: '' })).errors).toEqual({
    ModelRatio: 'Model ratio: not a valid JSON string',
  })
})

test('changed tables are one version with its author, which the history undoes', async () => {
  const fields = await fieldsOf(`${SETTINGS}&view=tables`)
  const before = await versions()
  await db.delete(auditLog)
  const saved = await send('tables', { ...fields, ModelRatio: '{"gpt-4o": 3}', CacheRatio: '{"gpt-4o": 0.5}' })
  expect([saved.status, saved.toast]).toEqual([303, 'Prices saved'])
  expect([option('ModelRatio'), option('CacheRatio'), await versions()]).toEqual([
    ...[{ [MODEL]: 3 }, { [MODEL]: 0.5 }, before + 1],
  ])
  const written = await db.select().from(auditLog).where(eq(auditLog.actor_id, admin.id))
  expect(written.map(row => row.target_id).sort()).toEqual(['CacheRatio', 'ModelRatio'])

  const history = await (await admin.page(`${SETTINGS}&area=history`)).text()
  const [, id] = /undo=(\d+)/.exec(history)!
  const opened = textOf(await (await admin.page(`${SETTINGS}&area=history&open=${id}`)).text())
  expect(opened.includes('Model ratio gpt-4o 1.25 3')).toBe(true)
  expect(opened.includes(admin.username)).toBe(true)
  expect((await send(`${id}/undo`, {})).toast).toBe('The change is undone')
  expect([option('ModelRatio'), option('CacheRatio')]).toEqual([{ [MODEL]: 1.25, other: 2 }, {}])
  expect((await send('tables', await fieldsOf(`${SETTINGS}&view=tables`))).toast).toBe(
    'You seem not to have changed anything',
  )
})

test('a table that was changed since the form was opened is refused at its field, and an untouched one is left', async () => {
  const fields = await fieldsOf(`${SETTINGS}&view=tables`)
  await setTable('ModelRatio', { [MODEL]: 7 })
  const { status, errors } = await send('tables', { ...fields, ModelRatio: '{"gpt-4o": 3}' })
  expect([status, errors.ModelRatio?.startsWith('Model ratio has been changed since you opened this page')]).toEqual([
    ...[422, true],
  ])
  expect((await send('tables', { ...fields, CacheRatio: '{"gpt-4o": 0.5}' })).toast).toBe('Prices saved')
  expect(option('ModelRatio')).toEqual({ [MODEL]: 7 })
})

test('ratios of tariffs are a table like others, and the price list tells them', async () => {
  const fields = await fieldsOf(`${SETTINGS}&area=prices&view=tables`)
  expect(JSON.parse(fields.TariffRatio!)).toMatchObject({ priority: 2, flex: 0.5 })
  for (const wrong of ['{"priority": -1}', '{"priority": "2"}', '[]', ''])
    expect(Object.keys((await send('tables', { ...fields, TariffRatio: wrong })).errors)).toEqual(['TariffRatio'])
  const ratios = { priority: 1.7, 'priority:gpt-5*': 2 }
  expect((await send('tables', { ...fields, TariffRatio: JSON.stringify(ratios) })).toast).toBe('Prices saved')
  expect(await anyone.get('/api/pricing')).toMatchObject({ tariff_ratio: ratios, tool_price: option('ToolPrice') })
})

test('group ratios, usable groups and ratios by user group are one form', async () => {
  const fields = await fieldsOf(`${SETTINGS}&area=groups`)
  expect((await send('groups', { ...fields, GroupRatio: '{"default": -1}' })).errors).toEqual({
    GroupRatio: 'Group ratio: the ratio of default must not be negative',
  })
  const ratios = '{"vip": {"default": 0.9}}'
  expect((await send('groups', { ...fields, GroupGroupRatio: ratios })).toast).toBe('Prices saved')
  expect(option('GroupGroupRatio')).toEqual({ vip: { default: 0.9 } })
  await setTable('GroupGroupRatio', {})
})

test('models without a price get one together: a ratio, a price per call, or both ratios', async () => {
  await admin.post('/api/channel/', { name: 'new', type: 1, key: 'sk-1', models: 'new-a,new-b,new-c' })
  const listed = async () =>
    textOf(await (await admin.page(`${SETTINGS}&view=unset&keyword=new-`)).text()).match(/new-[abc](?= )/g) ?? []
  expect([...new Set(await listed())]).toEqual(['new-a', 'new-b', 'new-c'])
  expect((await send('unset', { action: 'choose' })).toast).toBe('Tick at least one model')
  const chosen = await send('unset', { action: 'choose', 'ids[]': ['new-a', 'new-b'] })
  expect(chosen.html.includes('Set the prices of 2 models')).toBe(true)

  const both = { 'ids[]': ['new-a', 'new-b'], mode: 'both', ratio: '2', completion_ratio: '' }
  expect((await send('unset', both)).errors).toEqual({ completion_ratio: 'Please enter a number' })
  expect((await send('unset', { ...both, completion_ratio: '3' })).toast).toBe('Prices of 2 models saved')
  expect([option('ModelRatio')['new-b'], option('CompletionRatio')['new-a']]).toEqual([2, 3])
  await send('unset', { 'ids[]': ['new-c'], mode: 'price', price: '0.1' })
  expect([option('ModelPrice')['new-c'], await listed()]).toEqual([0.1, []])
})

test('a contradictory fallback price is refused, and a complete one is one version', async () => {
  const contradiction = { fallback_pricing_enabled: 'true', fallback_single_price: '1', fallback_input_ratio: '2' }
  const refused = await send('fallback', contradiction)
  expect([refused.status, refused.html.includes('with ratios both input and completion are required')]).toEqual([
    ...[422, true],
  ])
  expect((await send('fallback', { fallback_single_price: 'a lot' })).errors).toEqual({
    fallback_single_price: 'Please enter a number',
  })
  const before = await versions()
  const pair = { fallback_pricing_enabled: 'true', fallback_input_ratio: '2', fallback_completion_ratio: '3' }
  expect((await send('fallback', { fallback_single_price: '', ...pair })).toast).toBe('Prices saved')
  expect([option('fallback_pricing_enabled'), option('fallback_input_ratio'), await versions()]).toEqual([
    ...[true, 2, before + 1],
  ])
  await send('fallback', { fallback_single_price: '', fallback_input_ratio: '', fallback_completion_ratio: '' })
  expect(option('fallback_pricing_enabled')).toBe(false)
})

test('model ratios are reset after a question', async () => {
  const question = await (await admin.page(`${SETTINGS}&reset`)).text()
  expect(question.includes(`action="${PRICES}/reset"`)).toBe(true)
  expect((await send('reset', {})).toast).toBe('Model ratios are back at their defaults')
  expect(Object.keys(option('ModelRatio')).length).toBeGreaterThan(100)
})

test("another gateway's prices are shown as differences, of which only the ticked ones are taken over", async () => {
  expect((await send('import', { address: '', table: '' })).errors).toEqual({
    address: 'Enter an address or a JSON text',
  })
  expect((await send('import', { table: '{"a":' })).errors).toEqual({
    table: 'This address does not answer with prices of a known form',
  })
  const table = JSON.stringify({ success: true, data: { model_ratio: { [MODEL]: 1, other: 3, third: 5 } } })
  const { html } = await send('import', { table })
  expect(textOf(html).includes(`3 differences`)).toBe(true)
  const picks = [...html.matchAll(/name="ids\[\]" value="([^"]+)"/g)].map(([, value]) => value!)
  const all = [...html.matchAll(/name="all\[\]" value="([^"]+)"/g)].map(([, value]) => value!)
  expect(picks).toEqual([`ModelRatio:1:${MODEL}`, 'ModelRatio:3:other', 'ModelRatio:5:third'])
  expect((await send('import/take', { 'all[]': all })).toast).toBe('Tick at least one model')
  const taken = await send('import/take', { 'all[]': all, 'ids[]': [picks[0]!, picks[2]!] })
  expect(taken.toast).toBe('2 differences taken over')
  expect(option('ModelRatio')).toEqual({ [MODEL]: 1, other: 2, third: 5 })
})

test('a simulation shows what past calls would have cost whom, and saves nothing', async () => {
  await setOption('DisplayInCurrencyEnabled', false)
  await ann.chat()
  const fields = await fieldsOf(`${SETTINGS}&view=tables`)
  const before = await versions()
  const draft = { ...fields, ModelRatio: `{"${MODEL}": 2.5}`, action: 'simulate', days: '1' }
  const { status, html } = await send('tables', draft)
  expect([status, await versions(), option('ModelRatio')[MODEL]]).toEqual([200, before, 1.25])
  const text = textOf(html)
  expect(text.includes(`${MODEL} 1 3,750 7,500 +3,750`)).toBe(true)
  expect(text.includes(`${ann.person.username} 1 3,750 7,500 +3,750`)).toBe(true)
  expect(unescaped(html).includes(`{"${MODEL}": 2.5}`)).toBe(true)

  const edit = { edit: MODEL, mode: 'ratio', model_ratio: '0', action: 'simulate' }
  expect(textOf((await send('models', edit)).html).includes(`${MODEL} 1 3,750 0 −3,750`)).toBe(true)
  await setOption('DisplayInCurrencyEnabled', true)
})

test('two administrators who save different models at once both succeed or are told', async () => {
  for (let round = 0; round < 50; round++) {
    const names = [`left-${round}`, `right-${round}`]
    const answers = await Promise.all(names.map(name => send('models', { name, mode: 'ratio', model_ratio: '1' })))
    for (const [index, { status, html }] of answers.entries()) {
      const isSaved = Object.hasOwn(option('ModelRatio'), names[index]!)
      const isTold = status === 422 && html.includes('has been changed since you opened this page')
      expect([isSaved, isTold]).toEqual(status === 303 ? [true, false] : [false, true])
    }
  }
})

test('users are sent home', async () => {
  const response = await ann.person.page(SETTINGS)
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
})
