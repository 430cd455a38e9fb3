/** The steps from an empty installation to its first call, on the page of API keys. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { now } from '../../src/process/clock.ts'
import { visitor } from '../support/people/person.ts'

/** HTML without the comments by which React separates texts. */
const textOf = async (response: Promise<Response>) => (await (await response).text()).replaceAll('<!-- -->', '')

test('first steps: administrators see them until the second call, with the receipt of the first', async () => {
  const [admin, ann] = [await visitor(Role.admin), await visitor()]
  expect(await textOf(ann.page('/app/tokens'))).not.toContain('First steps')
  expect(await textOf(admin.page('/app/tokens'))).toContain('First steps')
  const { key } = (await admin.post('/api/token/', { name: 'laptop' })).data
  const channel = await admin.post('/api/channel/', {
    name: 'mock',
    type: 1,
    key: 'sk-upstream',
    base_url: 'http://9.9.9.9:9',
    models: 'o3',
  })
  const steps = await textOf(
    admin.page('/app/tokens/first-steps', { headers: { 'hx-request': 'true', 'hx-request-type': 'partial' } }),
  )
  expect(steps).toContain('every 3s')
  expect(steps).toContain(`Bearer sk-${key}`)
  const testing = steps.split(`action="/admin/channels/${channel.data.id}/test"`)[1]!.split('</form>')[0]!
  expect([testing.includes('value="/app/tokens"'), testing.includes('Test it')]).toEqual([true, true])
  await db.update(users).set({ request_count: 1 }).where(eq(users.id, admin.id))
  const done = await textOf(admin.page('/app/tokens/first-steps'))
  expect(done).toContain('It works')
  expect(done).not.toContain('every 3s')
  expect(await textOf(admin.page('/app/tokens'))).not.toContain('First steps')

  const [entry] = await db
    .insert(logs)
    .values({ user_id: admin.id, type: LogType.consume, model_name: 'o3', created_at: now() })
    .returning()
  for (const [language, label] of [
    ['en', 'See its receipt'],
    ['zh', '查看小票'],
  ] as const) {
    const page = await textOf(admin.page('/app/tokens', { language }))
    expect(page).toContain(`href="/app/logs/api-usage?open=${entry!.id}">${label}</a>`)
  }
  expect(await textOf(admin.page('/app/tokens/first-steps'))).toContain(
    '<div id="token-table" hx-swap-oob="outerMorph">',
  )
  await db.update(users).set({ request_count: 2 }).where(eq(users.id, admin.id))
  expect(await textOf(admin.page('/app/tokens'))).not.toContain('See its receipt')
})

test('first steps: a user whose balance is used up begins with the top-up', async () => {
  const [broke, funded] = [await visitor(), await visitor(Role.user, 500_000)]
  for (const [language, label] of [
    ['en', 'Top up'],
    ['zh', '充值'],
  ] as const) {
    const first = (await textOf(broke.page('/app/dashboard', { language }))).split('<ol class="todo"')[1]!
    expect(first).toMatch(new RegExp(`^[^>]*><li class="now"[^>]*><span class="step-number">1</span><span>${label} `))
    expect(first).toContain(`<a class="btn btn-primary" href="/app/wallet">${label}</a>`)
  }
  const steps = (await textOf(funded.page('/app/dashboard'))).split('<ol class="todo"')[1]!
  expect(steps).not.toContain('href="/app/wallet">Top up')
})
