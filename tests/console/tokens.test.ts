// @engine both
/** Tokens through the API: their owner creates, edits, switches and deletes them. */
import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { NEVER, TokenStatus } from '../../src/contracts/token.ts'
import { db } from '../../src/db/database.ts'
import { setOptionAsSystem } from '../../src/domain/options/service.ts'
import { tokenByKey, touchToken, writeLastUsed } from '../../src/domain/tokens/lookup.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { now, shiftClock } from '../../src/process/clock.ts'
import { anyone, type Person, visitor } from '../support/people/person.ts'

const make = async (person: Person, fields = {}) =>
  (await person.post('/api/token/', { name: 'laptop', ...fields })).data

/** What a call does to a token's quota. */
const spend = (id: number, quota: number) =>
  db
    .update(tokens)
    .set({ remain_quota: sql`${tokens.remain_quota} - ${quota}`, used_quota: sql`${tokens.used_quota} + ${quota}` })
    .where(eq(tokens.id, id))

test('a new token has a key, the defaults and its owner', async () => {
  const ann = await visitor()
  const { success, data } = await ann.post('/api/token/', { name: '  laptop ' })
  expect(success).toBe(true)
  expect(data).toMatchObject({
    user_id: ann.id,
    name: 'laptop',
    status: TokenStatus.enabled,
    remain_quota: 500_000,
    used_quota: 0,
    unlimited_quota: false,
    expired_time: NEVER,
    accessed_time: 0,
    rate_limit_enabled: false,
    rate_limit_period: 60,
    rate_limit_count: 1000,
    rate_limit_success: 10,
    tokens_per_minute: 0,
    concurrency_limit: 0,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
    DeletedAt: null,
  })
  expect(data.key).toMatch(/^[0-9A-Za-z]{48}$/)
  expect(Object.keys(data).filter(name => /key_|deleted_time/.test(name))).toEqual([])
  expect((await ann.get(`/api/token/${data.id}`)).data).toEqual(data)
})

test('a new token keeps zeros and cleans up lists', async () => {
  const ann = await visitor()
  const token = await make(ann, {
    remain_quota: 0,
    rate_limit_period: 0,
    rate_limit_count: 0,
    rate_limit_success: 0,
    model_limits_enabled: true,
    model_limits: ' gpt-4o, ,o3,gpt-4o',
    allow_ips: '203.0.113.7, 10.0.0.0/8\r\n\n 2001:db8::/32',
    group: 'default',
  })
  expect(token).toMatchObject({
    remain_quota: 0,
    status: TokenStatus.exhausted,
    rate_limit_period: 0,
    rate_limit_count: 0,
    rate_limit_success: 0,
    model_limits: 'gpt-4o,o3',
    allow_ips: '203.0.113.7\n10.0.0.0/8\n2001:db8::/32',
    group: 'default',
  })
})

test.each([
  [{ name: undefined }, 'name', 'Please enter a name', '请输入名称'],
  [{ name: '   ' }, 'name', 'Please enter a name', '请输入名称'],
  [{ name: 7 }, 'name', 'Please enter a name', '请输入名称'],
  [{ name: '字'.repeat(31) }, 'name', "An API key's name has at most 30 characters", 'API 密钥的名称最多 30 个字符'],
  [{ remain_quota: -1 }, 'remain_quota', 'Quota must not be negative', '额度不能为负数'],
  [{ remain_quota: 0.5 }, 'remain_quota', /^Quota must be a whole number/, /^额度必须是整数/],
  [{ remain_quota: 2 ** 53 }, 'remain_quota', /^Quota must be a whole number/, /^额度必须是整数/],
  [{ remain_quota: '5' }, 'remain_quota', /^Quota must be a whole number/, /^额度必须是整数/],
  [{ remain_quota: null }, 'remain_quota', /^Quota must be a whole number/, /^额度必须是整数/],
  [{ expired_time: 0 }, 'expired_time', 'The expiry time must be in the future', '过期时间必须晚于现在'],
  [{ expired_time: 1_000_000_000 }, 'expired_time', 'The expiry time must be in the future', '过期时间必须晚于现在'],
  [{ expired_time: -2 }, 'expired_time', /^Expiry time format error/, /^过期时间格式错误/],
  [{ expired_time: 253_402_300_800 }, 'expired_time', /^Expiry time format error/, /^过期时间格式错误/],
  [{ expired_time: '2030-01-01' }, 'expired_time', /^Expiry time format error/, /^过期时间格式错误/],
  [{ rate_limit_count: -1 }, 'rate_limit_count', /^A limit must not be negative/, /^限制不能为负数/],
  [{ rate_limit_period: 1.5 }, 'rate_limit_period', 'A limit must be a whole number', '限制必须是整数'],
  [{ count: 0 }, 'count', /positive whole number/, /正整数/],
  [{ count: 101 }, 'count', 'At most 100 API keys can be created at once', '一次最多新建 100 个 API 密钥'],
  [{ allow_ips: '10.0.0.1\nlocalhost' }, 'allow_ips', /^“localhost” is neither/, /^“localhost”不是 IP 地址/],
  [{ allow_ips: '10.0.0.0/33' }, 'allow_ips', /^“10\.0\.0\.0\/33” is neither/, /网段$/],
  [{ group: 'nobody' }, 'group', 'You cannot use the group “nobody”', '您不能使用分组“nobody”'],
  [{ unlimited_quota: 'yes' }, 'unlimited_quota', 'Invalid parameter: unlimited_quota', '参数无效：unlimited_quota'],
])('a new token with %j is refused in both languages', async (fields, field, english, chinese) => {
  const ann = await visitor()
  const body = { name: 'laptop', ...fields }
  const refused = await ann.post('/api/token/', body)
  expect(refused).toMatchObject({ status: 400, success: false, field, data: null })
  expect(refused.message).toMatch(english)
  expect((await ann.post('/api/token/', body, { language: 'zh' })).message).toMatch(chinese)
  expect(await ann.get('/api/token/')).toMatchObject({ data: [], total: 0 })
})

test.each(['[]', 'null', '"x"', '{"name":"a"', '{"name":"\\ud800"}', '{"name":"a\\u0000b"}'])(
  'a body that is no token is refused: %s',
  async body => {
    const ann = await visitor()
    expect(await ann.post('/api/token/', body)).toMatchObject({ status: 400, success: false })
    expect((await ann.get('/api/token/')).data).toEqual([])
  },
)

test('several new tokens differ only in key and name suffix', async () => {
  const ann = await visitor()
  const long = 'n'.repeat(30)
  const made = await make(ann, { name: long, count: 3, remain_quota: 7 })
  expect(made.map((token: { name: string }) => token.name)).toEqual([
    long,
    expect.stringMatching(/^n{23}-[0-9A-Za-z]{6}$/),
    expect.stringMatching(/^n{23}-[0-9A-Za-z]{6}$/),
  ])
  expect(new Set(made.map((token: { key: string }) => token.key)).size).toBe(3)
  expect(made.every((token: { remain_quota: number }) => token.remain_quota === 7)).toBe(true)
})

test('an edit of a token changes only the given fields', async () => {
  const ann = await visitor()
  const token = await make(ann, { rate_limit_enabled: true, model_limits: 'gpt-4o', group: 'default' })
  const { data } = await ann.put('/api/token/', {
    id: token.id,
    name: 'desk',
    model_limits: '',
    user_id: 1,
    key: 'mine',
    status: 2,
    used_quota: 0,
  })
  expect(data).toEqual({ ...token, name: 'desk', model_limits: '' })
  expect((await ann.put('/api/token/', { id: token.id })).data).toEqual(data)
  expect(await ann.put('/api/token/', { id: token.id, name: '' })).toMatchObject({ status: 400, field: 'name' })
})

test('an edit of a token follows the rules of a new one and may keep its group', async () => {
  const ann = await visitor()
  const groups = (offered: object) => setOptionAsSystem('UserUsableGroups', JSON.stringify(offered))
  await groups({ default: 'Default', vip: 'VIP' })
  const token = await make(ann, { group: 'vip' })
  await groups({ default: 'Default' })
  const edit = (fields: object) => ann.put('/api/token/', { id: token.id, ...fields })
  expect(await edit({ group: 'nobody' })).toMatchObject({ status: 400, field: 'group' })
  expect(await edit({ allow_ips: 'localhost' })).toMatchObject({ status: 400, field: 'allow_ips' })
  expect(await edit({ name: 'desk', group: 'vip' })).toMatchObject({ data: { name: 'desk', group: 'vip' } })
})

test('quota entered for an unlimited token is not reduced by its spending', async () => {
  const ann = await visitor()
  const seen = await make(ann, { unlimited_quota: true })
  await db.update(tokens).set({ used_quota: 300 }).where(eq(tokens.id, seen.id))
  const limited = await ann.put('/api/token/', { ...seen, unlimited_quota: false, remain_quota: 1000 })
  expect(limited.data).toMatchObject({ unlimited_quota: false, remain_quota: 1000, used_quota: 300 })
})

test('an edit with the whole token keeps what was spent meanwhile', async () => {
  const ann = await visitor()
  const seen = await make(ann, { remain_quota: 1000 })
  await spend(seen.id, 300)
  expect((await ann.put('/api/token/', { ...seen, name: 'desk' })).data).toMatchObject({
    name: 'desk',
    remain_quota: 700,
    used_quota: 300,
  })
  await spend(seen.id, 100)
  expect((await ann.put('/api/token/', { ...seen, remain_quota: 5000 })).data).toMatchObject({
    remain_quota: 4600,
    used_quota: 400,
  })
  expect((await ann.put('/api/token/', { id: seen.id, remain_quota: 50 })).data).toMatchObject({
    remain_quota: 50,
    used_quota: 400,
  })
})

test('an amount may have commas, and an unchanged one is not stored', async () => {
  const ann = await visitor()
  const limits = { rate_limit_period: '60', rate_limit_count: '0', rate_limit_success: '0' }
  const typed = { name: 'typed', count: '1', used_quota: '0', ...limits }
  await ann.form('/app/tokens?new', { ...typed, remain_quota: '1,000.5', remain_quota_was: '' })
  const [made] = (await ann.get('/api/token/')).data
  expect(made).toMatchObject({ name: 'typed', remain_quota: 500_250_000 })
  await ann.form(`/app/tokens/${made.id}`, { ...typed, name: 'kept', remain_quota: '3', remain_quota_was: '3' })
  expect((await ann.get('/api/token/')).data).toMatchObject([{ name: 'kept', remain_quota: 500_250_000 }])
})

test('a token is disabled and enabled by its owner', async () => {
  const ann = await visitor()
  const { id, key } = await make(ann)
  expect((await tokenByKey(key))!.status).toBe(TokenStatus.enabled)
  expect((await ann.put('/api/token/?status_only=true', { id, status: 2, name: 'ignored' })).data).toMatchObject({
    status: 2,
    name: 'laptop',
  })
  expect((await tokenByKey(key))!.status).toBe(TokenStatus.disabled)
  expect((await ann.put('/api/token/?status_only=true', { id, status: 1 })).data.status).toBe(1)
  expect((await tokenByKey(key))!.status).toBe(TokenStatus.enabled)
  for (const status of [0, 3, 4, '1', null])
    expect(await ann.put('/api/token/?status_only=true', { id, status })).toMatchObject({
      status: 400,
      field: 'status',
    })
})

test('an expired token is enabled only after its expiry has changed', async () => {
  const ann = await visitor()
  const { id } = await make(ann, { expired_time: now() + 60 })
  shiftClock(61)
  expect((await ann.get(`/api/token/${id}`)).data.status).toBe(TokenStatus.expired)
  expect(await ann.put('/api/token/?status_only=true', { id, status: 1 })).toMatchObject({
    success: false,
    message: 'This API key has expired. Change its expiry first',
  })
  expect((await ann.put('/api/token/', { id, name: 'renamed' })).data.status).toBe(TokenStatus.expired)
  expect((await ann.put('/api/token/', { id, expired_time: now() + 60 })).data.status).toBe(TokenStatus.enabled)
})

test('an exhausted token is enabled only after its quota has changed', async () => {
  const ann = await visitor()
  const { id, key } = await make(ann, { remain_quota: 10 })
  await tokenByKey(key)
  await spend(id, 10)
  await db.update(tokens).set({ status: TokenStatus.exhausted }).where(eq(tokens.id, id))
  expect(await ann.put('/api/token/?status_only=true', { id, status: 1 }, { language: 'zh' })).toMatchObject({
    success: false,
    message: 'API 密钥额度已用尽，请先修改额度',
  })
  expect((await ann.put('/api/token/', { id, remain_quota: 5 })).data.status).toBe(TokenStatus.enabled)
  expect((await tokenByKey(key))!.status).toBe(TokenStatus.enabled)

  await db.update(tokens).set({ status: TokenStatus.disabled, remain_quota: 0 }).where(eq(tokens.id, id))
  expect((await ann.put('/api/token/', { id, unlimited_quota: true })).data.status).toBe(TokenStatus.disabled)
  expect((await ann.put('/api/token/?status_only=true', { id, status: 1 })).data.status).toBe(TokenStatus.enabled)
})

test('a deleted token is gone for its owner and for calls', async () => {
  const ann = await visitor()
  const { id, key } = await make(ann)
  expect(await tokenByKey(key)).toMatchObject({ id, name: 'laptop' })
  expect(await ann.delete(`/api/token/${id}/`)).toMatchObject({ success: true })
  expect(await tokenByKey(key)).toBeUndefined()
  expect(await ann.get('/api/token/')).toMatchObject({ data: [], total: 0 })
  expect(await ann.get(`/api/token/${id}`)).toMatchObject({ status: 404 })
  expect(await ann.put('/api/token/?status_only=true', { id, status: 1 })).toMatchObject({ status: 404 })
  expect(await ann.delete(`/api/token/${id}/`)).toMatchObject({ status: 404, success: false })
})

test("other people's tokens do not exist", async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const { id } = await make(ann)
  const missing = { status: 404, success: false, message: 'This API key does not exist' }
  expect(await bob.get(`/api/token/${id}`)).toMatchObject(missing)
  expect(await bob.put('/api/token/', { id, name: 'mine' })).toMatchObject(missing)
  expect(await bob.put('/api/token/?status_only=1', { id, status: 1 })).toMatchObject(missing)
  expect(await bob.put('/api/token/?status_only=1', { id, status: 2 })).toMatchObject(missing)
  expect(await bob.delete(`/api/token/${id}`)).toMatchObject(missing)
  expect((await bob.get('/api/token/')).data).toEqual([])
  expect((await bob.get('/api/token/search?keyword=laptop')).data).toEqual([])
  expect((await ann.get(`/api/token/${id}`)).data).toMatchObject({ name: 'laptop', status: 1 })
  expect(await anyone.get('/api/token/')).toMatchObject({ status: 401, success: false })
})

test('a key that was guessed before its creation is found', async () => {
  const ann = await visitor()
  const key = 'k'.repeat(48)
  expect(await tokenByKey(key)).toBeUndefined()
  expect(await tokenByKey((await make(ann)).key)).toBeDefined()
})

test('last used is written at most once a minute', async () => {
  const ann = await visitor()
  const { id, key } = await make(ann)
  await tokenByKey(key)
  const use = async () => {
    touchToken(id)
    await writeLastUsed()
    return (await ann.get(`/api/token/${id}`)).data.accessed_time
  }
  const first = await use()
  expect(first).toBeGreaterThan(0)
  shiftClock(30)
  expect(await use()).toBe(first)
  shiftClock(31)
  expect(await use()).toBeGreaterThanOrEqual(first + 61)
})
