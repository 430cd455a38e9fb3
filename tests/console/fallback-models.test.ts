/** Models that a key falls back to, as its owner sets them, and those of groups, as the operator does. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { setOption } from '../support/app/options.ts'
import { resetPrices, setPrice } from '../support/app/prices.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { openSettings, sendSection } from '../support/people/settings-form.ts'

beforeEach(() => setPrice('ModelRatio', { a: 1, b: 1, c: 1 }))
afterAll(async () => {
  await setOption('GroupFallbacks', '{}')
  await resetPrices()
})

const keys = (ann: Person) => ann.get('/api/token/').then(({ data }: { data: Record<string, unknown>[] }) => data)

describe('fallback models of a key', () => {
  const limits = { model_limits_enabled: true, model_limits: 'a' }
  const bad: [name: string, fields: object, english: string, chinese: string][] = [
    ['a model without a price', { fallback_models: 'a,nowhere' }, '“nowhere” has no price', '“nowhere”没有价格'],
    [
      'one that the key may not use',
      { fallback_models: 'a,b', ...limits },
      'may not call the model “b”',
      '不能调用模型“b”',
    ],
    ['too many', { fallback_models: Array.from({ length: 9 }, (_, at) => `m${at}`).join() }, 'at most 8', '最多设置 8'],
    ['a list that is no text', { fallback_models: ['a'] }, '', ''],
  ]

  test.each(bad)('%s is refused in both languages, and nothing is stored', async (_name, fields, english, chinese) => {
    const ann = await visitor()
    for (const [language, words] of [
      ['en', english],
      ['zh', chinese],
    ] as const) {
      const { success, message, field } = await ann.post('/api/token/', { name: 'key', ...fields }, { language })
      expect([success, message, field]).toEqual([false, expect.stringContaining(words), 'fallback_models'])
    }
    expect(await keys(ann)).toEqual([])
  })

  test('order and limits are kept by the API, and by an edit without them', async () => {
    const ann = await visitor()
    await ann.post('/api/token/', { name: 'key', fallback_models: ' b, a ,,b' })
    const [made] = await keys(ann)
    expect(made).toMatchObject({ fallback_models: 'b,a' })
    await ann.put('/api/token/', { id: made!.id, name: 'other' })
    expect((await keys(ann))[0]).toMatchObject({ name: 'other', fallback_models: 'b,a' })
    expect((await ann.put('/api/token/', { id: made!.id, ...limits })).success).toBe(false)
    expect((await ann.put('/api/token/', { id: made!.id, ...limits, fallback_models: '' })).success).toBe(true)
  })

  test('a model that has lost its price stays while the key is edited, and cannot be added again', async () => {
    const ann = await visitor()
    await ann.post('/api/token/', { name: 'key', fallback_models: 'a,b' })
    const [made] = await keys(ann)
    await setPrice('ModelRatio', { a: 1 })
    const edit = (fallback_models: string) => ann.put('/api/token/', { id: made!.id, fallback_models })
    expect((await edit('b,a')).success).toBe(true)
    expect((await edit('a')).success).toBe(true)
    expect((await edit('a,b')).success).toBe(false)
    expect((await keys(ann))[0]).toMatchObject({ fallback_models: 'a' })
  })

  test('the form has them as a list without scripts, and shows what is wrong at the field', async () => {
    const ann = await visitor()
    const typed = { name: 'typed', count: '1', used_quota: '0', rate_limit_period: '60', rate_limit_count: '0' }
    const post = (path: string, fallback_models: string) =>
      ann.form(path, { ...typed, rate_limit_success: '0', unlimited_quota: 'on', fallback_models })
    await post('/app/tokens?new', 'c,a')
    const [made] = await keys(ann)
    expect(made).toMatchObject({ name: 'typed', fallback_models: 'c,a' })
    const page = await (await ann.page(`/app/tokens?edit=${made!.id}`)).text()
    expect(page).toMatch(/<textarea[^>]*name="fallback_models"[^>]*>c,a</)
    const refused = await (await post(`/app/tokens/${made!.id}`, 'nowhere')).text()
    expect(refused).toContain('“nowhere” has no price')
    expect((await keys(ann))[0]).toMatchObject({ fallback_models: 'c,a' })
  })
})

describe('fallback models of groups', () => {
  const bad: [name: string, value: unknown, english: string, chinese: string][] = [
    ['a model that falls back to itself', { vip: { a: ['b', 'a'] } }, 'to itself: vip → a', '自身为备用：vip → a'],
    ['two in a circle', { vip: { a: ['b'], b: ['a'] } }, 'vip → a lead back', 'vip → a 的备用模型又指回'],
    ['three in a circle', { vip: { a: ['b'], b: ['c'], c: ['a'] } }, 'lead back', '又指回'],
    ['a model without a price', { vip: { a: ['nowhere'] } }, 'nowhere of the group vip', '分组 vip 的备用模型 nowhere'],
    ['a list that is too long', { vip: { a: [...'12345678x'] } }, 'At most 8', '最多设置 8'],
    ['* in the place of a model', { vip: { a: ['*'] } }, 'enter JSON', '请输入 JSON'],
    ['a blank name', { vip: { a: [' '] } }, 'enter JSON', '请输入 JSON'],
    ['a list without a group', { a: ['b'] }, 'enter JSON', '请输入 JSON'],
    ['no JSON', 'a: b', '', ''],
  ]

  test.each(bad)('%s is refused in both languages, and nothing changes', async (_name, value, english, chinese) => {
    await setOption('GroupFallbacks', '{"vip":{"a":["b"]}}')
    const root = await setUp()
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    for (const [language, words] of [
      ['en', english],
      ['zh', chinese],
    ] as const) {
      const sent = { key: 'GroupFallbacks', value: text }
      const { success, message, field } = await root.put('/api/option/', sent, { language })
      expect([success, message, field]).toEqual([false, expect.stringContaining(words), 'GroupFallbacks'])
    }
    expect(await stored(root)).toBe('{"vip":{"a":["b"]}}')
  })

  test('lists that share models without a circle, and * with all of them, are kept; repetitions count once', async () => {
    const value = { vip: { a: ['b', 'c'], b: ['c', 'c'], '*': ['a', 'b'] }, default: { b: ['a'] } }
    await setOption('GroupFallbacks', JSON.stringify(value))
    expect(JSON.parse(await stored(await setUp()))).toEqual({ ...value, vip: { ...value.vip, b: ['c'] } })
  })

  test('the settings page edits them as rows, and shows what is wrong at the field', async () => {
    await setOption('GroupFallbacks', '{"vip":{"a":["b"]}}')
    const root = await setUp()
    const { html, forms } = await openSettings(root, 'models')
    expect(html).toContain('Falls back to')
    const fields = forms.fallbackModels!
    const save = (...cells: string[]) => sendSection(root, fields, { 'rows_GroupFallbacks[]': cells })
    const { errors } = await save('vip', 'a', 'b', 'vip', 'a', 'nowhere')
    expect(errors.GroupFallbacks).toContain('nowhere of the group vip has no price')
    expect((await save('vip', 'a', 'b', 'vip', 'a', 'c')).status).toBe(303)
    expect(await stored(root)).toBe('{"vip":{"a":["b","c"]}}')
  })
})

async function stored(root: Person): Promise<string> {
  const { data } = (await root.get('/api/option/')) as { data: { key: string; value: string }[] }
  return data.find(({ key }) => key === 'GroupFallbacks')!.value
}
