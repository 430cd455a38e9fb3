// @engine both
/** Changes of prices: versions, history, undo, and texts that are refused. */
import { expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import type { Actor } from '../../src/contracts/actor.ts'
import type { PriceTexts } from '../../src/contracts/pricing.ts'
import type { Refusal } from '../../src/contracts/refusal.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { option } from '../../src/domain/options/service.ts'
import { priceFor, priceHistory, savePrices, undoPrices } from '../../src/domain/pricing/index.ts'
import { priceChanges, priceVersions } from '../../src/domain/pricing/table.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const put = (person: Person, key: string, value: unknown) =>
  person.put('/api/option/', { key, value: typeof value === 'object' ? JSON.stringify(value) : value })

const actorOf = ({ id, username }: Person, role: number = Role.admin): Actor => ({
  ...{ id, username, role, address: '', request_id: 'test' },
})

const NEWEST = { page: 1, size: 10, offset: 0 }
const newest = async () => (await priceHistory(NEWEST)).items[0]!
const versionNow = () => priceFor('gpt-4o', { group: 'default' })!.price_version
const isStored = async (version: string) =>
  (await db.select().from(priceVersions).where(eq(priceVersions.version, version))).length === 1

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Refusal) => `${error.status} ${error.code}`,
  )

test('the tables in force are stored before the first bill', async () => {
  await setUp()
  expect(await isStored(versionNow())).toBe(true)
})

test('each save of prices is one version with its actor, and other options make none', async () => {
  const admin = await visitor(Role.admin)
  const before = versionNow()
  await put(admin, 'ModelRatio', { 'gpt-4o': 3 })
  const change = await newest()
  expect(change).toMatchObject({
    actor: admin.username,
    version: versionNow(),
    previous_version: before,
    keys: ['ModelRatio'],
    after: { ModelRatio: '{"gpt-4o":3}' },
    can_undo: true,
  })
  expect(await isStored(change.version)).toBe(true)
  await put(admin, 'ModelRatio', { 'gpt-4o': 3 })
  await put(admin, 'RetryTimes', 2)
  expect((await newest()).id).toBe(change.id)

  await put(admin, 'GroupRatio', { default: 1, vip: 0.9 })
  const groups = await newest()
  expect([groups.version, groups.previous_version, groups.keys]).toEqual([
    change.version,
    change.version,
    ['GroupRatio'],
  ])
})

test('several tables are saved together, as one version with an audit entry each', async () => {
  const admin = await visitor(Role.admin)
  const before = await newest()
  const texts: PriceTexts = {
    ModelRatio: '{"gpt-4o":4,"new-model":1}',
    TierRatio: '{"new-model":[{"from":1000,"model_ratio":2}]}',
    fallback_pricing_enabled: 'true',
    fallback_input_ratio: '3',
    fallback_completion_ratio: '2',
  }
  await savePrices(actorOf(admin), texts)
  const change = await newest()
  expect(change).toMatchObject({ id: before.id + 1, keys: Object.keys(texts) })
  const entries = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(Object.keys(texts).length)
  expect(entries.map(entry => [entry.action, entry.actor_name, entry.target_id]).reverse()).toEqual(
    Object.keys(texts).map(key => ['option.change', admin.username, key]),
  )
  expect(priceFor('new-model', { group: 'default' })!.tiers).toMatchObject([{ from: 1000, model_ratio: 2 }])
})

const bad: [texts: Record<string, string>, code: string, field: string][] = [
  [{ ModelRatio: '{"a":1}', CompletionRatio: '{"a":-1}' }, '400 option.not_number_map', 'CompletionRatio'],
  [{ ModelRatio: '{"a":1}', CacheRatio: '' }, '400 option.not_json', 'CacheRatio'],
  [{ ModelRatio: '{"a":1}', SystemName: 'x' }, '400 option.unknown', 'SystemName'],
  [
    { ModelRatio: '{"a":1}', fallback_pricing_enabled: 'true', fallback_single_price: '1', fallback_input_ratio: '1' },
    '200 option.fallback_contradiction',
    'fallback_pricing_enabled',
  ],
]

test.each(bad)('nothing of %j is saved', async (texts, code, field) => {
  const admin = await visitor(Role.admin)
  const [before, ratios] = [await newest(), option('ModelRatio')]
  const error = await savePrices(actorOf(admin), texts).catch((refusal: Refusal) => refusal)
  expect(error).toMatchObject({ field })
  expect(await codeOf(savePrices(actorOf(admin), texts))).toBe(code)
  expect((await newest()).id).toBe(before.id)
  expect(option('ModelRatio')).toBe(ratios)
})

const flawed: [key: string, text: string, en: string, zh: string][] = [
  ['ModelRatio', '', 'Model ratio: not a valid JSON string', '模型倍率：不是合法的 JSON 字符串'],
  ['ModelRatio', '{"a":NaN}', 'Model ratio: not a valid JSON string', '模型倍率：不是合法的 JSON 字符串'],
  [
    'GroupRatio',
    '{"default":1,"vip":-0.5}',
    'Group ratio: the ratio of vip must not be negative',
    '分组倍率：vip 的倍率不能为负数',
  ],
  [
    'GroupGroupRatio',
    '{"vip":{"default":-1}}',
    'Group ratio: the ratio of vip → default must not be negative',
    '分组倍率：vip → default 的倍率不能为负数',
  ],
  [
    'GroupGroupRatio',
    '{"vip":1}',
    'Group ratio by user group: enter JSON such as {"user group": {"group used": 0.9}}',
    '用户分组的分组倍率：请输入 JSON，例如 {"用户分组": {"使用分组": 0.9}}',
  ],
  [
    'TierRatio',
    '{"m":[{"from":5,"model_ratio":1},{"from":5,"model_ratio":2}]}',
    'Ratios by prompt length: the tiers of m overlap; each from must be greater than the one before',
    '按提示长度的阶梯倍率：m 的阶梯重叠；每一档的 from 必须大于前一档',
  ],
  [
    'TierRatio',
    '{"m":[{"from":9,"model_ratio":1},{"from":5,"model_ratio":2}]}',
    'Ratios by prompt length: the tiers of m overlap; each from must be greater than the one before',
    '按提示长度的阶梯倍率：m 的阶梯重叠；每一档的 from 必须大于前一档',
  ],
]

test.each(flawed)('%s refuses %j in both languages', async (key, value, en, zh) => {
  const [admin, before] = [await visitor(Role.admin), await newest()]
  expect(await admin.put('/api/option/', { key, value })).toMatchObject({ status: 400, message: en, field: key })
  const inChinese = await admin.put('/api/option/', { key, value }, { language: 'zh' })
  expect(inChinese).toMatchObject({ status: 400, message: zh })
  expect((await newest()).id).toBe(before.id)
})

test.each([
  ['{"from":0,"model_ratio":1}'],
  ['{"from":1.5,"model_ratio":1}'],
  ['{"from":5}'],
  ['{"from":5,"model_ratio":-1}'],
  ['{"from":5,"model_ratio":"2"}'],
  ['{"from":5,"to":9,"model_ratio":1}'],
  ['{"model_ratio":1}'],
  [''],
  ['7'],
])('tiers with %s are refused', async tier => {
  const admin = await visitor(Role.admin)
  const answer = await put(admin, 'TierRatio', `{"m":[${tier}]}`)
  expect(answer).toMatchObject({ status: 400, field: 'TierRatio' })
  expect(answer.message).toContain('each model has a list such as')
})

test('a change is undone unless a later one touched the same tables', async () => {
  const admin = await visitor(Role.admin)
  const actor = actorOf(admin)
  await savePrices(actor, { ModelRatio: '{"gpt-4o":1}', CacheRatio: '{}' })
  const first = versionNow()
  await savePrices(actor, { ModelRatio: '{"gpt-4o":2}' })
  const second = (await newest()).id
  await savePrices(actor, { CompletionRatio: '{"gpt-4o":4}' })
  const third = (await newest()).id
  await savePrices(actor, { ModelRatio: '{"gpt-4o":9}' })
  const last = (await newest()).id

  expect((await priceHistory(NEWEST)).items.slice(0, 4).map(change => change.can_undo)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(await codeOf(undoPrices(actor, second))).toBe('409 option.price_changed_later')
  expect(await codeOf(undoPrices(actor, 999_999))).toBe('404 error.not_found')
  await undoPrices(actor, third)
  await undoPrices(actor, last)
  expect(option('ModelRatio')).toEqual({ 'gpt-4o': 2 })
  expect(await codeOf(undoPrices(actor, last))).toBe('409 option.price_changed_later')
  await undoPrices(actor, (await newest()).id)
  expect(option('ModelRatio')).toEqual({ 'gpt-4o': 9 })
  await put(admin, 'ModelRatio', { 'gpt-4o': 1 })
  expect(versionNow()).toBe(first)
})

test('the history is read in pages, newest first', async () => {
  const [all] = [await db.select().from(priceChanges)]
  const { items, total } = await priceHistory({ page: 2, size: 2, offset: 2 })
  expect([total, items.map(change => change.id)]).toEqual([all.length, [all.length - 2, all.length - 3]])
})

test('the reset of the model ratios is a change like any other', async () => {
  const admin = await visitor(Role.admin)
  const before = option('ModelRatio')
  expect(await admin.post('/api/option/rest_model_ratio')).toMatchObject({
    ...{ success: true, message: 'Model ratios are back at their defaults' },
  })
  expect(await newest()).toMatchObject({ actor: admin.username, keys: ['ModelRatio'] })
  await undoPrices(actorOf(admin), (await newest()).id)
  expect(option('ModelRatio')).toEqual(before)
})
