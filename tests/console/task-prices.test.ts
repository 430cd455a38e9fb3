/** Prices of tasks: rows of the price editor without scripts, and what the price page shows of them. */
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { option } from '../../src/domain/options/service.ts'
import { setOption } from '../support/app/options.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { SETTINGS, sendPrices, textOf, unescaped } from '../support/people/price-forms.ts'

let admin: Person

const film = {
  ...{ unit: 'second', price: 0.05 },
  when: [
    { resolution: '1080p', price: 0.09 },
    { input: 'video', sound: 'on', times: 0.6 },
  ],
  add: { image: 0.01, web_search: 0.003 },
  min: 4,
}

beforeAll(async () => {
  const root = await setUp()
  admin = await visitor(Role.admin)
  await root.post('/api/channel/', {
    name: 'films',
    type: 55,
    base_url: 'http://127.0.0.1:9',
    key: 'sk-1',
    models: 'film,drama,short,plain',
  })
})
beforeEach(() => setOption('TaskPrice', JSON.stringify({ film })))

const send = (fields: Record<string, string>, path = 'models') => sendPrices(admin, path, fields)

/** Values of the drawer's rows, as a browser without scripts sends them. */
async function drawer(model: string): Promise<Record<string, string>> {
  const html = await (await admin.page(`${SETTINGS}&edit=${model}`)).text()
  return { ...rowsIn(html), ...(/value="task" checked=""|checked="" value="task"/.test(html) && { mode: 'task' }) }
}

function rowsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const fields = inputs.flatMap(tag => {
    const name = / name="((?:task|when|add)_\w+)"/.exec(tag)?.[1]
    return name ? [[name, unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')]] : []
  })
  const unit =
    /name="task_unit".*?<option[^>]*value="([^"]+)"[^>]*selected|name="task_unit".*?<option[^>]*selected=""[^>]*value="([^"]+)"/s.exec(
      html,
    )
  return Object.fromEntries([...fields, ['task_unit', unit?.[1] ?? unit?.[2] ?? 'call']])
}

test('the drawer has a row for each rule and each addition, and one more to fill in', async () => {
  expect(await drawer('film')).toMatchObject({
    ...{ mode: 'task', task_price: '0.05', task_min: '4' },
    ...{ when_0_if: 'resolution = 1080p', when_0_price: '0.09', when_0_times: '' },
    ...{ when_1_if: 'input = video, sound = on', when_1_price: '', when_1_times: '0.6', when_2_if: '' },
    ...{ add_0_name: 'image', add_0_usd: '0.01', add_1_name: 'web_search', add_1_usd: '0.003', add_2_name: '' },
  })
})

test('a drawer that is sent back as it is changes nothing', async () => {
  const odd = {
    ...{ unit: '1k_tokens', price: 0 },
    when: [{ seconds: 10, size: '10', 'a = b': 'x, "y"', price: 1e-7, times: 1.5 }, { times: 2 }],
  }
  await setOption('TaskPrice', JSON.stringify({ film, odd }))
  for (const edit of ['film', 'odd']) {
    const fields = { edit, ...(await drawer(edit)), task_unit: { film: 'second', odd: '1k_tokens' }[edit]! }
    const before = JSON.stringify(option('TaskPrice'))
    const { toast } = await send(fields)
    expect(JSON.stringify(option('TaskPrice'))).toBe(before)
    expect(toast).toBe('You seem not to have changed anything')
  }
})

test('a new price is stored, in place of every other kind of price', async () => {
  await setOption('ModelPrice', JSON.stringify({ drama: 0.3 }))
  const fields = {
    ...{ edit: 'drama', mode: 'task', task_unit: 'second', task_price: '0.02', task_min: '' },
    ...{ when_3_if: ' resolution=4k ,input= image', when_3_price: '0.1', when_3_times: '2' },
    ...{ when_1_if: '', when_1_price: '', when_1_times: '', add_0_name: '', add_0_usd: '' },
    ...{ add_7_name: 'image', add_7_usd: '0' },
  }
  expect((await send(fields)).toast).toBe('Price of drama saved')
  expect(option('TaskPrice').drama).toEqual({
    ...{ unit: 'second', price: 0.02, add: { image: 0 } },
    when: [{ resolution: '4k', input: 'image', price: 0.1, times: 2 }],
  })
  expect(option('ModelPrice')).toEqual({})
  const list = textOf(await (await admin.page(`${SETTINGS}&view=models&keyword=drama`)).text())
  expect(list).toMatch(/drama \$0\.02 per second by choice/)
  expect((await send({ edit: 'drama', mode: 'call', model_price: '0.4' })).toast).toBe('Price of drama saved')
  expect([option('TaskPrice').drama, option('ModelPrice').drama]).toEqual([undefined, 0.4])
  expect((await send({}, 'models/delete?delete=film')).toast).toBe('Price of film deleted')
  expect(option('TaskPrice')).toEqual({})
})

test('every wrong value is named at its field, and nothing is saved', async () => {
  const fields = {
    ...{ name: 'short', mode: 'task', task_unit: 'day', task_price: 'cheap', task_min: '-1' },
    ...{ when_0_if: 'resolution', when_0_price: '1', when_0_times: '' },
    ...{ when_1_if: 'input = video', when_1_price: '', when_1_times: '' },
    ...{ when_2_if: 'price = 3', when_2_price: '1', when_2_times: '' },
    ...{ when_3_if: '', when_3_price: '', when_3_times: '1e999' },
    ...{ when_4_if: 'a = b, a = c', when_4_price: '1', when_4_times: '' },
    ...{ add_0_name: 'image', add_0_usd: '' },
    ...{ add_1_name: '', add_1_usd: '1' },
    ...{ add_2_name: 'sound', add_2_usd: '1' },
    ...{ add_3_name: 'sound', add_3_usd: '2' },
  }
  const { status, errors, html } = await send(fields)
  const condition = 'Write name = value; several are separated by commas'
  expect([status, errors]).toEqual([
    422,
    {
      task_unit: expect.any(String),
      ...{ task_price: 'Please enter a number', task_min: 'Enter a number of at least 0' },
      ...{ when_0_if: condition, when_1_price: 'Enter a price or a factor', when_2_if: condition },
      ...{ when_3_times: 'Please enter a number', when_4_if: condition },
      ...{ add_0_usd: 'Please enter a number', add_1_name: 'Enter what is counted' },
      add_3_name: 'There is a row for this already',
    },
  ])
  expect(rowsIn(html)).toMatchObject({ task_price: 'cheap', when_0_if: 'resolution', add_3_usd: '2' })
  expect(option('TaskPrice')).toEqual({ film } as never)
})

test('rows are added by a button that keeps what was typed', async () => {
  const fields = { name: 'short', mode: 'task', task_price: 'cheap', when_0_if: 'a = b', when_0_price: '1' }
  const added = await send({ ...fields, when_0_times: '', add_0_name: '', add_0_usd: '', action: 'add_when' })
  expect([added.status, added.errors]).toEqual([200, {}])
  expect(rowsIn(added.html)).toMatchObject({ task_price: 'cheap', when_0_if: 'a = b', when_1_if: '', add_0_name: '' })
  const { html } = await send({ ...fields, when_0_times: '', add_0_name: '', add_0_usd: '', action: 'add_add' })
  expect(rowsIn(html)).toMatchObject({ add_1_name: '', add_1_usd: '' })
  expect(rowsIn(html)).not.toHaveProperty('when_1_if')
})

test('words of both languages name the fields', async () => {
  for (const [language, words] of [
    ['en', ['By the units of a task', 'Fewest units', 'Add a rule']],
    ['zh', ['按任务单位', '最少单位', '添加规则']],
  ] as const) {
    const html = await (await admin.page(`${SETTINGS}&edit=film`, { language })).text()
    expect([language, words.filter(word => !html.includes(word))]).toEqual([language, []])
  }
})

test('the price page shows the price of a unit, and its conditions in the group of the visitor', async () => {
  await setOption('GroupRatio', JSON.stringify({ default: 2 }))
  const html = await (await anyone.page('/pricing?open=film')).text()
  const row = textOf(/<tr id="row-film".*?<\/tr>/s.exec(html)![0])
  expect(row).toContain('$0.10 per second by choice')
  const detail = textOf(html)
  for (const line of [
    'resolution = 1080p $0.18 per second',
    'input = video, sound = on × 0.6',
    'image + $0.02 each',
    'Fewest units 4 seconds',
  ])
    expect(detail).toContain(line)
  const listed = (await anyone.get('/api/pricing')).data.find((model: any) => model.model_name === 'film')
  expect(listed).toMatchObject({ quota_type: 1, model_price: 0.05, unpriced: false, task_price: film })
  await setOption('GroupRatio', JSON.stringify({ default: 1 }))
})

test('models are found by the unit of their price, and one with a price counts as priced', async () => {
  const tokens = { unit: '1k_tokens', price: 0.01 }
  await setOption('TaskPrice', JSON.stringify({ film, drama: tokens, short: { unit: 'call', price: 0.4 } }))
  const names = async (kind: string) =>
    [...(await (await anyone.page(`/pricing?kind=${kind}`)).text()).matchAll(/<tr id="row-([^"]+)"/g)].map(
      ([, name]) => name,
    )
  expect([await names('second'), await names('1k_tokens'), await names('call'), await names('none')]).toEqual([
    ...[['film'], ['drama'], ['short'], ['plain']],
  ])
  const unset = textOf(await (await admin.page(`${SETTINGS}&view=unset`)).text())
  expect([unset.includes('plain'), unset.includes('film')]).toEqual([true, false])
  const { data } = await admin.post('/api/channel/unpriced', { models: 'film,plain' })
  expect(data).toEqual(['plain'])
})
