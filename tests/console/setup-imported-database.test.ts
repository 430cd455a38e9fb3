// @engine both
/** Setup of an imported database, which has users. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { atomic } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { addUser } from '../../src/domain/users/service.ts'
import { users } from '../../src/domain/users/table.ts'
import { anyone } from '../support/people/person.ts'

test('setup of a database with a root asks only for the mode and creates no other root', async () => {
  await atomic(tx => addUser(tx, { username: 'boss', password: '', role: Role.root }))
  expect((await anyone.get('/api/setup')).data).toMatchObject({ status: false, root_init: true })
  const intruder = { username: 'intruder', password: 'opensesame', confirmPassword: 'opensesame' }
  expect(await anyone.post('/api/setup', { ...intruder, SelfUseModeEnabled: true })).toMatchObject({ success: true })
  const roots = await db.select({ name: users.username }).from(users).where(eq(users.role, Role.root))
  expect(roots).toEqual([{ name: 'boss' }])
  expect((await anyone.get('/api/status')).data.self_use_mode_enabled).toBe(true)
})
