/** Users, as administrators see them. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { LOGS_PATH } from '../../src/contracts/log.ts'
import { anyone, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)
const other = await visitor(Role.admin)
const ann = await visitor(Role.user, 700)

test('administrators see themselves and users below their role', async () => {
  expect(await admin.get(`/api/user/${ann.id}`)).toMatchObject({
    success: true,
    data: { id: ann.id, username: ann.username, quota: 700, used_quota: 0, request_count: 0, DeletedAt: null },
  })
  expect((await admin.get(`/api/user/${admin.id}/`)).success).toBe(true)
  expect((await root.get(`/api/user/${admin.id}`)).success).toBe(true)
  expect((await root.get(`/api/user/${root.id}`)).success).toBe(true)
})

test('administrators see no users of their own role or above, users see none', async () => {
  for (const { id } of [other, root]) {
    expect(await admin.get(`/api/user/${id}`)).toMatchObject({
      status: 403,
      message: 'You cannot view users of your own role or a higher one',
      data: null,
    })
  }
  expect((await ann.get(`/api/user/${ann.id}`)).status).toBe(403)
  expect((await anyone.get(`/api/user/${ann.id}`)).status).toBe(401)
  expect((await root.get('/api/user/4711')).status).toBe(404)
})

test("a user's secrets and settings are not shown", async () => {
  const { data } = await root.get(`/api/user/${ann.id}`)
  for (const name of ['password', 'access_token', 'access_token_hash', 'setting']) expect(data).not.toHaveProperty(name)
})

test('the user dialog of the usage log follows the same roles', async () => {
  expect(await (await admin.page(`${LOGS_PATH}?user=${ann.id}`)).text()).toContain('<dialog open=""')
  const refused = await admin.page(`${LOGS_PATH}?user=${other.id}`)
  expect([refused.status, refused.headers.get('location')]).toEqual([303, LOGS_PATH])
  expect(decodeURIComponent(refused.headers.get('set-cookie')!)).toContain('You cannot view users of your own role')
})
