/** The editor of model prices: its lists and its drawer, without scripts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { option } from '../../src/domain/options/service.ts'
import { priceChanges } from '../../src/domain/pricing/table.ts'
import { setOption } from '../support/app/options.ts'
import { MODEL } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { PRICES, SETTINGS, sendPrices, textOf, unescaped } from '../support/people/price-forms.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'

let admin: Person

beforeAll(async () => {
  await setUp()
  admin = await visitor(Role.admin)
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

const send = (path: string, fields: Record<string, string | string[]>) => sendPrices(admin, path, fields)

/** Values of the drawer's inputs, as a browser sends them. */
async function drawerFields(path: string): Promise<Record<string, string>> {
  const html = await (await admin.page(path)).text()
  const inputs = [...html.slice(html.indexOf('<tollgate-drawer')).matchAll(/<input([^>]*)>/g)].map(([, text]) => text!)
  const sent = inputs.filter(text => !text.includes('type="radio"') || text.includes('checked'))
  const attribute = (text: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1]
  return Object.fromEntries(
    sent.flatMap(text => {
      const name = attribute(text, 'name')
      return name ? [[name, unescaped(attribute(text, 'value') ?? '')]] : []
    }),
  )
}

const versions = () => db.$count(priceChanges)

test('the visual editor adds a model as ratios, in USD and per call, and deletes it', async () => {
  const tier = { tier_0_from: '1000', tier_0_model_ratio: '3' }
  await send('models', { name: 'by-ratio', mode: 'ratio', model_ratio: '1.5', completion_ratio: '5', ...tier })
  expect([option('ModelRatio')['by-ratio'], option('CompletionRatio')['by-ratio']]).toEqual([1.5, 5])
  expect(option('TierRatio')['by-ratio']).toEqual([{ from: 1000, model_ratio: 3 }])

  const usd = { mode: 'usd', usd_input: '2.5', usd_output: '10', usd_input_audio: '40', usd_output_audio: '80' }
  expect((await send('models', { name: 'in-usd', ...usd })).toast).toBe('Price of in-usd saved')
  const figures = (['ModelRatio', 'CompletionRatio', 'AudioRatio', 'AudioCompletionRatio'] as const).map(
    table => option(table)['in-usd'],
  )
  expect(figures).toEqual([1.25, 4, 16, 2])

  await send('models', { edit: 'in-usd', mode: 'call', model_price: '0.04' })
  expect([option('ModelPrice')['in-usd'], option('ModelRatio')['in-usd'], option('AudioRatio')['in-usd']]).toEqual([
    ...[0.04, undefined, undefined],
  ])
  const list = textOf(await (await admin.page(`${SETTINGS}&view=models&keyword=in-usd`)).text())
  expect(/in-usd \$0\.04 per call/.test(list)).toBe(true)
  expect((await send('models/delete?delete=in-usd', {})).toast).toBe('Price of in-usd deleted')
  expect([option('ModelPrice'), Object.keys(option('ModelRatio')).sort()]).toEqual([
    ...[{}, ['by-ratio', MODEL, 'other'].sort()],
  ])
})

test.each([
  [
    'a word for a number',
    { name: 'new', mode: 'ratio', model_ratio: 'much' },
    { model_ratio: 'Please enter a number' },
  ],
  ['no ratio', { name: 'new', mode: 'ratio', model_ratio: '' }, { model_ratio: 'Please enter a number' }],
  [
    'a negative ratio',
    { name: 'new', mode: 'ratio', model_ratio: '-1' },
    { model_ratio: 'Enter a number of at least 0' },
  ],
  ['Infinity', { name: 'new', mode: 'call', model_price: '1e999' }, { model_price: 'Please enter a number' }],
  ['a token price of 0', { name: 'new', mode: 'usd', usd_input: '0' }, { usd_input: 'Model price cannot be 0' }],
  ['a known name', { name: MODEL, mode: 'call', model_price: '1' }, { name: 'Model name already exists' }],
  ['no name', { name: ' ', mode: 'call', model_price: '1' }, { name: 'Enter the name of the model' }],
  [
    'a tier from half a token',
    { name: 'new', mode: 'ratio', tier_0_from: '0.5', model_ratio: '1', tier_0_model_ratio: '2' },
    { tier_0_from: 'Enter a whole number of at least 1' },
  ],
  [
    'a tier without a length',
    { name: 'new', mode: 'usd', tier_0_usd_output: '7.25', usd_input: '1', tier_0_from: '' },
    { tier_0_from: 'Please enter a number' },
  ],
])('the visual editor refuses %s at its field and keeps what was typed', async (_, fields, expected) => {
  const before = await versions()
  const { status, errors, html } = await send('models', fields as Record<string, string>)
  expect([status, errors, await versions()]).toEqual([422, expected, before] as never)
  const typed = Object.values(fields)[2]!
  expect(unescaped(html).includes(typed)).toBe(true)
})

test('tiers that overlap are refused at their field', async () => {
  const tiers = { tier_0_from: '5', tier_0_model_ratio: '1', tier_1_from: '5', tier_1_model_ratio: '2' }
  const { errors } = await send('models', { name: 'new', mode: 'ratio', model_ratio: '1', ...tiers })
  expect(errors.tier_0_from?.includes('the tiers of new overlap')).toBe(true)
})

test('tiers are rows in USD or ratios, in ascending order, and ratios without a field are kept', async () => {
  await setTable('TierRatio', { [MODEL]: [{ from: 1000, model_ratio: 2.5, completion_ratio: 6, audio_ratio: 7 }] })
  const drawer = `${SETTINGS}&edit=${MODEL}`
  const fields = await drawerFields(drawer)
  expect([fields.mode, fields.tier_0_usd_input, fields.tier_0_usd_output, fields.tier_0_completion_ratio]).toEqual([
    ...['usd', '5', '30', '6'],
  ])
  const more = await send('models', { ...fields, usd_input: '4', usd_output: '12', action: 'add_tier' })
  // Without a script the other spelling follows too.
  expect([
    more.status,
    /name="tier_1_from"/.test(more.html),
    /name="model_ratio"[^>]*value="2"/.test(more.html),
  ]).toEqual([...[200, true, true]])
  expect(textOf(more.html)).toContain('= ×2')
  const second = { tier_1_from: '500', tier_1_usd_input: '', tier_1_usd_output: '20', tier_1_usd_cache_read: '1' }
  await send('models', { ...fields, ...second, action: 'save' })
  expect(option('TierRatio')[MODEL]).toEqual([
    { from: 500, completion_ratio: 8, cache_ratio: 0.4 },
    { from: 1000, model_ratio: 2.5, completion_ratio: 6, audio_ratio: 7 },
  ])
})

test('the drawer opens in USD, says both spellings, and remembers the one that was used', async () => {
  const drawer = `${SETTINGS}&edit=${MODEL}`
  const html = await (await admin.page(drawer)).text()
  expect(/value="usd"[^>]*checked/.test(html) || /checked[^>]*value="usd"/.test(html)).toBe(true)
  expect(textOf(html)).toContain('= ×1.25')
  expect(textOf(html)).toContain('= $2.5')
  const ratio = { edit: MODEL, mode: 'ratio', model_ratio: '1.25', action: 'simulate' }
  const saved = await admin.form(`${PRICES}/models`, ratio)
  const [cookie] = saved.headers.getSetCookie().filter(text => text.startsWith('price-spelling='))
  expect(cookie).toStartWith('price-spelling=ratio;')
  const again = await (
    await admin.page(drawer, { headers: { cookie: `${admin.cookie}; price-spelling=ratio` } })
  ).text()
  expect(/value="ratio"[^>]*checked/.test(again) || /checked[^>]*value="ratio"/.test(again)).toBe(true)
})

test('served models come first, with counts, and a model without a price leads to its drawer', async () => {
  await admin.post('/api/channel/', { name: 'own', type: 1, key: 'sk-1', models: `${MODEL},house-model` })
  const html = await (await admin.page(`${SETTINGS}&area=prices`)).text()
  const text = textOf(html)
  expect(text).toMatch(/Served 1 Without a price \d+ All \d+ JSON tables/)
  expect(text).toContain('Model Input Cache read Output Ratio')
  expect(html).toContain(`row-${MODEL}`)
  expect(html).not.toContain('row-other')
  expect(await (await admin.page(`${SETTINGS}&area=prices&view=models`)).text()).toContain('row-other')
  const unset = await (await admin.page(`${SETTINGS}&area=prices&view=unset&keyword=house-model`)).text()
  const [, href] = /href="([^"]*)"[^>]*aria-label="Set the price of house-model"/.exec(unset)!
  const drawer = await (await admin.page(unescaped(href!))).text()
  expect(/name="name"[^>]*value="house-model"/.test(drawer)).toBe(true)
})

test('an address that edits a model without a price of its own opens no drawer', async () => {
  const drawerOf = async (name: string) =>
    (await (await admin.page(`${SETTINGS}&edit=${name}`)).text()).includes('<tollgate-drawer')
  expect([await drawerOf('other'), await drawerOf('unlisted')]).toEqual([true, false])
})
