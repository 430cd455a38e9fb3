/** The form of a budget: what is invalid is answered at its field, in the reader's language. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { budgetsOf, makeBudget } from '../support/people/budgets.ts'
import { setUp, visitor, withTokens } from '../support/people/person.ts'

const DAY = 86_400
const valid = { name: 'Plan', amount: '10', unit: 'calls', window: 'month', zone: 'UTC', refuses: 'true' }
const rolling = { window: 'rolling', length_unit: 'days' }

async function sent(fields: Record<string, string>, language: 'en' | 'zh' = 'en') {
  const ann = await withTokens('crawler')
  const id: number = (await ann.get('/api/token/')).data[0].id
  await makeBudget('token', id, { name: 'Old', unit: 'calls', amount: 3, window: 'day', zone: 'UTC' })
  const response = await ann.form(`/app/tokens/${id}/budgets`, { ...valid, ...fields }, { language })
  const made = (await budgetsOf('token', id)).slice(1)
  return { status: response.status, html: await response.text(), made }
}

test.each([
  ['amount', { amount: '0' }, 'en', 'Enter an amount above 0'],
  ['amount', { amount: '-4' }, 'zh', '请填写大于 0 的数值'],
  ['amount', { amount: '1.5' }, 'en', 'Enter an amount above 0'],
  ['name', { name: ' ' }, 'en', 'Please enter a name'],
  ['zone', { zone: 'Mars/Olympus' }, 'en', 'This time zone is unknown'],
  ['zone', { zone: 'Mars/Olympus' }, 'zh', '未知的时区'],
  ['length', { ...rolling, length: '0' }, 'en', 'Enter a length of 1 second to 10 years'],
  ['length', { ...rolling, length: '3661' }, 'zh', '请填写 1 秒到 10 年的时长'],
  ['anchor', { window: 'fixed', length: '1', length_unit: 'days', anchor: 'soon' }, 'en', 'Enter a time such as'],
  ['window', { window: 'day' }, 'en', 'Old has this unit and window already'],
] as const)('a budget with a wrong %s is refused at the field: %p, %s', async (field, fields, language, words) => {
  const { status, html, made } = await sent(fields, language)
  expect(status).toBe(422)
  const error = html.slice(html.indexOf(`id="field-${field}-error"`))
  expect(html).toInclude(`id="field-${field}-error"`)
  expect(error.slice(0, 600)).toInclude(words)
  expect(made).toEqual([])
})

test.each([0, -4, 1.5, '7', null, 1e300])(
  'a budget of %p is refused by the API at its field, as by the forms',
  async amount => {
    const ann = await withTokens('crawler')
    const owner_id: number = (await ann.get('/api/token/')).data[0].id
    const body = { owner: 'token', owner_id, name: 'Plan', unit: 'calls', window: 'all' }
    const { data } = await ann.post('/api/budget/self', { ...body, amount: 3 })
    const refusals = [
      await ann.post('/api/budget/self', { ...body, amount }),
      await ann.put(`/api/budget/self/${data.id}`, { amount }),
    ]
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ success: false, message: 'Enter an amount above 0', field: 'amount' })
    expect(await budgetsOf('token', owner_id)).toMatchObject([{ id: data.id, amount: 3 }])
  },
)

test.each([
  ['a second', { window: 'rolling', length: '1', length_unit: 'seconds' }, { seconds: 1 }],
  ['ten years', { ...rolling, length: '3652' }, { seconds: 3652 * DAY }],
  [
    'every week from a start',
    { window: 'fixed', length: '7', length_unit: 'days', anchor: '2026-01-05 00:00' },
    { seconds: 7 * DAY, anchor: 1_767_571_200 },
  ],
  ['a day of models', { window: 'day', models: 'gpt-4o, o3' }, { models: ['gpt-4o', 'o3'] }],
] as const)('a budget of %s is made in the form', async (_, fields, wanted) => {
  const { status, made } = await sent(fields)
  expect([status, made]).toMatchObject([303, [{ name: 'Plan', amount: 10, ...wanted }]])
})

test('budgets of others are neither shown, changed nor deleted through the pages of keys and channels', async () => {
  const [ann, bob, admin] = [await withTokens('crawler'), await visitor(), await visitor(Role.admin)]
  const id: number = (await ann.get('/api/token/')).data[0].id
  const { id: budget } = await makeBudget('token', id, { name: 'Old' })
  const statuses = [
    await bob.page(`/app/tokens?budget=${budget}`),
    await bob.page(`/app/tokens?new_budget=${id}`),
    await bob.form(`/app/tokens/budgets/${budget}`, { ...valid, amount: '9' }),
    await bob.form(`/app/tokens/budgets/${budget}/delete`),
    await bob.form(`/app/tokens/${id}/budgets`, valid),
    await admin.form(`/admin/channels/budgets/${budget}/delete`),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
  expect(await budgetsOf('token', id)).toMatchObject([{ name: 'Old', amount: 7 }])
})

test('budgets of a deleted key are neither shown, changed nor deleted until it is restored', async () => {
  const [ann, root] = [await withTokens('crawler'), await setUp()]
  const id: number = (await ann.get('/api/token/')).data[0].id
  const { id: budget } = await makeBudget('token', id, { name: 'Old' })
  expect((await ann.delete(`/api/token/${id}`)).success).toBe(true)
  const statuses = [
    await ann.page(`/app/tokens?budget=${budget}`),
    await ann.form(`/app/tokens/budgets/${budget}`, { ...valid, amount: '9' }),
    await ann.form(`/app/tokens/budgets/${budget}/delete`),
    await ann.form(`/app/tokens/${id}/budgets`, valid),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 404, 404])
  for (const [person, path] of [
    [ann, '/api/budget/self'],
    [root, '/api/budget'],
  ] as const) {
    expect((await person.put(`${path}/${budget}`, { amount: 9 })).success).toBe(false)
    expect((await person.delete(`${path}/${budget}`)).success).toBe(false)
  }
  await db.update(tokens).set({ deleted_time: null }).where(eq(tokens.id, id))
  expect(await budgetsOf('token', id)).toMatchObject([{ name: 'Old', amount: 7 }])
})
