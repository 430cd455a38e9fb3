/** The guard of the console's routes: roles, banned users, forged forms, demo mode. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { Person, setUp, visitor } from '../support/people/person.ts'

const location = (response: Response) => response.headers.get('location')

test('signed-in users skip the sign-in page; only administrators see admin pages', async () => {
  const ann = await visitor()
  expect(location(await ann.page('/login'))).toBe('/app/tokens')
  expect(location(await ann.page('/admin/channels'))).toBe('/')
  const admin = await visitor(Role.admin)
  expect((await admin.page('/admin/channels')).status).toBe(200)
})

test('a form of a signed-in user requires its CSRF token', async () => {
  const ann = await visitor()
  const forged = new Person(ann.id, ann.username, ann.cookie, 'f'.repeat(64))
  expect((await forged.form('/logout')).status).toBe(403)
  expect((await ann.get('/api/user/self')).status).toBe(200)

  const left = await ann.form('/logout')
  expect([left.status, location(left)]).toEqual([303, '/login'])
  expect((await ann.get('/api/user/self')).status).toBe(401)
})

test('a user who is banned while a session lasts is refused by the API and led to sign-in by pages', async () => {
  const ann = await visitor()
  await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, ann.id))
  invalidate('user', ann.id)
  expect(await ann.get('/api/user/self')).toMatchObject({ status: 403, code: 'account.banned' })
  expect(location(await ann.page('/app/tokens'))).toStartWith('/login')
})

test('a demo site lets every user read and only root change', async () => {
  const root = await setUp()
  const admin = await visitor(Role.admin)
  await root.put('/api/option/', { key: 'DemoSiteEnabled', value: true })
  expect(await admin.post('/api/token/', { name: 'mine' })).toMatchObject({
    status: 405,
    message: 'This site is for demo only',
  })
  expect((await admin.form('/app/tokens?new', { name: 'mine' })).status).toBe(405)
  expect((await admin.put('/api/option/', { key: 'CheckInQuota', value: 5 })).status).toBe(405)
  expect((await admin.get('/api/token/')).total).toBe(0)
  expect((await admin.page('/app/tokens')).status).toBe(200)
  expect((await root.post('/api/token/', { name: 'mine' })).success).toBe(true)
  expect((await admin.form('/logout')).status).toBe(303)
  await root.put('/api/option/', { key: 'DemoSiteEnabled', value: false })
})
