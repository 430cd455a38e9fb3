// @engine sqlite
/** The token page by its links and forms, as a browser without JavaScript uses it. */
import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { TokenStatus } from '../../src/contracts/token.ts'
import { db } from '../../src/db/database.ts'
import { setOptionAsSystem } from '../../src/domain/options/service.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { now } from '../../src/process/clock.ts'
import { exact } from '../../src/pure/time.ts'
import { anyone, type Person, visitor } from '../support/people/person.ts'

const make = async (person: Person, fields = {}) =>
  (await person.post('/api/token/', { name: 'laptop', ...fields })).data
const listOf = async (person: Person) => (await person.get('/api/token/?size=100')).data
/** The page, without the comments by which React tells two texts apart. */
const textOf = async (response: Response | Promise<Response>) =>
  (await (await response).text()).replaceAll('<!-- -->', '')

/** What the drawer sends when nothing in it is touched but the name. */
const untouched = {
  name: 'laptop',
  group: '',
  count: '1',
  remain_quota: '1',
  remain_quota_was: '1',
  used_quota: '0',
  expired_time: '',
  rate_limit_period: '60',
  rate_limit_count: '1000',
  rate_limit_success: '10',
  tokens_per_minute: '',
  concurrency_limit: '',
  model_limits: '',
  allow_ips: '',
}

test('the list says what each token is, in both languages', async () => {
  const ann = await visitor()
  await make(ann, { name: 'web-chat', model_limits_enabled: true, model_limits: 'a,b,c,d', allow_ips: '10.0.0.1' })
  const { key } = await make(ann, { name: 'batch', remain_quota: 0 })
  const english = await textOf(ann.page('/app/tokens'))
  for (const words of [
    'API keys are for your own use',
    'web-chat',
    '4 models · 1 IP',
    'Exhausted',
    `sk-…${key.slice(-4)}`,
    `data-copy="sk-${key}"`,
  ])
    expect(english).toContain(words)
  const chinese = await textOf(ann.page('/app/tokens', { language: 'zh' }))
  for (const words of ['API 密钥仅供本人使用，请勿转售或分享。', '4 个模型 · 1 个 IP', '已用尽'])
    expect(chinese).toContain(words)
})

test('a search finds by name or key, and says when nothing is found', async () => {
  const ann = await visitor()
  await make(ann, { name: 'laptop' })
  const { key } = await make(ann, { name: 'desk' })
  expect(await textOf(ann.page('/app/tokens?keyword=lap'))).not.toContain('Select desk')
  expect(await textOf(ann.page(`/app/tokens?keyword=sk-${key}`))).toContain('Select desk')
  expect(await textOf(ann.page('/app/tokens?keyword=<b>'))).toContain('No API key has “&lt;b&gt;”')
})

test('the form creates a token and shows its key', async () => {
  const ann = await visitor(Role.user, 106_200_000)
  expect(await textOf(ann.page('/app/tokens'))).toContain('No API keys yet')
  expect(await textOf(ann.page('/app/tokens?new'))).toContain('Your balance is $212.40')
  const expires = exact(now() + 3600, 'UTC')
  const answer = await ann.form('/app/tokens?new', {
    ...untouched,
    remain_quota: '1,000.5',
    expired_time: expires,
    model_limits: 'gpt-4o, o3',
    rate_limit_enabled: 'true',
    rate_limit_count: '0',
    tokens_per_minute: '90,000',
    concurrency_limit: '12',
  })
  const [token] = await listOf(ann)
  expect(token).toMatchObject({
    remain_quota: 500_250_000,
    tokens_per_minute: 90_000,
    concurrency_limit: 12,
    model_limits_enabled: true,
    model_limits: 'gpt-4o,o3',
    rate_limit_enabled: true,
    rate_limit_count: 0,
  })
  expect(exact(token.expired_time, 'UTC')).toBe(expires)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/app/tokens?created=${token.id}`])
  const shown = await textOf(ann.page(answer.headers.get('location')!))
  expect(shown).toContain('Created laptop')
  expect(shown).toContain(`>sk-${token.key}<`)
})

test('a form that is sent twice creates one token and shows it both times', async () => {
  const ann = await visitor()
  const [, form_id] = /name="form_id" value="([^"]+)"/.exec(await textOf(ann.page('/app/tokens?new')))!
  const send = (fields = {}) => ann.form('/app/tokens?new', { ...untouched, form_id: form_id!, ...fields })
  expect((await send({ name: ' ' })).status).toBe(422)
  expect((await send({ name: ' ' })).status).toBe(422)
  const [first, second] = await Promise.all([send(), send()])
  const [token, ...others] = await listOf(ann)
  expect(others).toEqual([])
  for (const answer of [first, second])
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/app/tokens?created=${token.id}`])
  await send({ name: 'another' })
  expect(await listOf(ann)).toHaveLength(2)
})

test('a refused form shows errors at its fields, keeps typed values and stores nothing', async () => {
  const ann = await visitor()
  const typed = {
    ...untouched,
    name: ' ',
    count: '0',
    remain_quota: 'many',
    expired_time: '2026-13-01 00:00:00',
    allow_ips: '10.0.0.1',
    tokens_per_minute: '-1',
  }
  const answer = await ann.form('/app/tokens?new', typed)
  expect(answer.status).toBe(422)
  const page = await answer.text()
  for (const words of [
    'Please enter a name',
    'Expiry time format error',
    'Quota must be a whole number',
    'positive whole number',
    'A limit must not be negative',
    'value="2026-13-01 00:00:00"',
  ])
    expect(page).toContain(words)
  expect(await textOf(ann.form('/app/tokens?new', { ...untouched, allow_ips: 'localhost' }))).toContain(
    '“localhost” is neither an IP address',
  )
  expect(
    await textOf(
      ann.form('/app/tokens?new', { ...untouched, expired_time: '2020-01-01 00:00:00' }, { language: 'zh' }),
    ),
  ).toContain('过期时间必须晚于现在')
  expect(await listOf(ann)).toEqual([])
})

test('times are read in the time zone of the browser', async () => {
  const ann = await visitor()
  const shanghai = { headers: { cookie: `${ann.cookie}; zone=Asia/Shanghai` } }
  await ann.form('/app/tokens?new', { ...untouched, expired_time: '2099-01-01 08:00:00' }, shanghai)
  const [token] = await listOf(ann)
  expect(exact(token.expired_time, 'UTC')).toBe('2099-01-01 00:00:00')
  expect(await textOf(ann.page(`/app/tokens?edit=${token.id}`, shanghai))).toContain('value="2099-01-01 08:00:00"')
})

test('an edit keeps the usage of concurrent calls', async () => {
  const ann = await visitor()
  const { id } = await make(ann, { remain_quota: 1_000_000 })
  expect(await textOf(ann.page(`/app/tokens?edit=${id}`))).toContain('name="remain_quota_was" value="2"')
  await db
    .update(tokens)
    .set({ remain_quota: sql`${tokens.remain_quota} - 300000`, used_quota: 300_000 })
    .where(eq(tokens.id, id))
  const renamed = { ...untouched, name: 'desk', remain_quota: '2', remain_quota_was: '2', returnTo: '/app/tokens?p=1' }
  const answer = await ann.form(`/app/tokens/${id}`, renamed)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/app/tokens?p=1'])
  expect((await listOf(ann))[0]).toMatchObject({ name: 'desk', remain_quota: 700_000 })
  const refused = await ann.form(`/app/tokens/${id}?keyword=lap&p=1`, { ...renamed, name: '' })
  expect([refused.status, refused.headers.get('hx-replace-url')]).toEqual([422, `/app/tokens?keyword=lap&edit=${id}`])
  expect((await ann.page(`/app/tokens/${id}`)).headers.get('location')).toBe(`/app/tokens?edit=${id}`)

  await ann.form(`/app/tokens/${id}`, { ...renamed, remain_quota: '10', used_quota: '0' })
  expect((await listOf(ann))[0]).toMatchObject({ remain_quota: 4_700_000 })
})

test('the drawer of a key shows its limit of successful calls while that is off, and a new one has none', async () => {
  const ann = await visitor()
  const { id } = await make(ann, { name: 'laptop' })
  const limitIn = async (query: string) =>
    /name="rate_limit_success"[^>]*?value="(\d+)"/.exec(await (await ann.page(`/app/tokens?${query}`)).text())?.[1]
  expect(await limitIn(`edit=${id}`)).toBe('10')
  expect(await limitIn('new=')).toBe('0')
})

test('quota presets are dollars, or quota when currency is off', async () => {
  const ann = await visitor()
  const fill = async (label: string) =>
    new RegExp(`data-fill="(\\d+)"[^>]*>\\${label}<`).exec(await textOf(ann.page('/app/tokens?new')))?.[1]
  expect(await fill('$50')).toBe('50')
  await setOptionAsSystem('DisplayInCurrencyEnabled', 'false')
  expect(await fill('$50')).toBe('25000000')
  await setOptionAsSystem('DisplayInCurrencyEnabled', 'true')
})

test('a token is disabled and enabled by a button, and the toast says so', async () => {
  const ann = await visitor()
  const { id } = await make(ann)
  const answer = await ann.form(`/app/tokens/${id}/disable`, { returnTo: '/app/tokens?keyword=lap' })
  expect(answer.headers.get('location')).toBe('/app/tokens?keyword=lap')
  const notice = answer.headers.get('set-cookie')!.split(';')[0]!
  expect(await textOf(ann.page('/app/tokens', { headers: { cookie: `${ann.cookie}; ${notice}` } }))).toContain(
    'Disabled laptop',
  )
  expect((await listOf(ann))[0].status).toBe(TokenStatus.disabled)
  await ann.form(`/app/tokens/${id}/enable`)
  expect((await listOf(ann))[0].status).toBe(TokenStatus.enabled)
  await db.update(tokens).set({ remain_quota: 0 }).where(eq(tokens.id, id))
  expect(await textOf(ann.page('/app/tokens'))).toContain('Change expiry or quota first')
  expect((await ann.form(`/app/tokens/${id}/enable`, { returnTo: '//evil.example' })).status).toBe(400)
  expect((await ann.form(`/app/tokens/${id}/disable`, { returnTo: '//evil.example' })).headers.get('location')).toBe(
    '/app/tokens',
  )
})

test('more than five tokens are deleted after “delete” and their number were typed', async () => {
  const ann = await visitor()
  const ids = (await make(ann, { count: 6 })).map((token: { id: number }) => token.id).join(',')
  const dialog = `/app/tokens?delete=${encodeURIComponent(ids)}`
  expect(await textOf(ann.page(dialog))).toContain('Type <b>delete 6</b> to confirm')
  expect(await textOf(ann.page(dialog, { language: 'zh' }))).toContain('<b>删除 6</b>')
  const refused = await ann.form(`/app/tokens/${ids}/delete`, { confirm: '6' })
  expect([refused.status, refused.headers.get('hx-replace-url')]).toEqual([422, dialog])
  expect(await refused.text()).toContain('Type “delete 6” to confirm')
  expect(await listOf(ann)).toHaveLength(6)
  expect((await ann.form(`/app/tokens/${ids}/delete`, { confirm: 'delete 6' })).status).toBe(303)
  expect(await listOf(ann)).toEqual([])
})

test("several tokens are copied, disabled and deleted together, one's own only", async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const mine = await make(ann, { count: 2 })
  const his = await make(bob)
  const ids = [...mine, his].map(token => String(token.id))
  const send = (action: string, chosen = ids) => ann.form('/app/tokens/selected', { action, 'ids[]': chosen })

  const keys = await textOf(ann.page((await send('keys')).headers.get('location')!))
  for (const { key } of mine) expect(keys).toContain(`sk-${key}`)
  expect(keys).not.toContain(his.key)

  await send('disable')
  expect((await listOf(ann)).map((token: { status: number }) => token.status)).toEqual([2, 2])
  expect((await listOf(bob))[0].status).toBe(1)

  await send('delete')
  expect([(await listOf(ann)).length, (await listOf(bob)).length]).toEqual([0, 1])

  const none = await send('disable', [])
  expect(decodeURIComponent(none.headers.get('set-cookie')!)).toContain('Please select API keys first')
})

test('hidden columns stay hidden', async () => {
  const ann = await visitor()
  await make(ann)
  const answer = await ann.form('/app/tokens/columns', {
    'columns[]': ['key', 'state', 'left'],
    returnTo: '/app/tokens',
  })
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  const page = await textOf(ann.page('/app/tokens', { headers: { cookie: `${ann.cookie}; ${cookie}` } }))
  expect(page.match(/<small class="ink-3 min-\[77rem\]:hidden">no room<\/small>/g)).toHaveLength(2)
  expect(page).toContain('>State</th>')
  expect(page).not.toContain('>Spent</th>')
})

test('tokens of another user are not found, and a wrong CSRF token is refused', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const { id } = await make(ann)
  const away = await anyone.page('/app/tokens?new')
  expect(away.headers.get('location')).toBe(`/login?returnTo=${encodeURIComponent('/app/tokens?new')}`)
  for (const path of [`?edit=${id}`, `?keys=${id}`])
    expect(await textOf(bob.page(`/app/tokens${path}`))).not.toContain('laptop')
  expect((await bob.form(`/app/tokens/${id}`, untouched)).status).toBe(404)
  expect((await bob.form(`/app/tokens/${id}/delete`)).status).toBe(404)
  expect((await bob.form(`/app/tokens/${id}/disable`)).status).toBe(404)
  expect((await ann.form(`/app/tokens/${id}/disable`, { csrf: 'forged' })).status).toBe(403)
  expect((await listOf(ann))[0]).toMatchObject({ name: 'laptop', status: 1 })
})

test('groups are offered with their ratios', async () => {
  const ann = await visitor()
  await setOptionAsSystem('GroupRatio', '{"default":1,"vip":0.8}')
  await setOptionAsSystem('UserUsableGroups', '{"default":"standard","vip":"faster channels"}')
  expect(await textOf(ann.page('/app/tokens?new'))).toContain('vip ×0.8 · faster channels')
  await ann.form('/app/tokens?new', { ...untouched, group: 'vip' })
  expect((await listOf(ann))[0].group).toBe('vip')
})
