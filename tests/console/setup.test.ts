// @engine both
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { users } from '../../src/domain/users/table.ts'
import { anyone, balance, ROOT, signIn } from '../support/people/person.ts'

const form = (change: object = {}) => ({ ...ROOT, confirmPassword: ROOT.password, ...change })

test('before setup every page leads to /setup, and the status is false', async () => {
  const status = await anyone.get('/api/setup')
  expect(status).toMatchObject({ success: true, data: { status: false, root_init: false, database_type: dialect } })
  expect((await anyone.get('/api/status')).data.setup).toBe(false)
  for (const path of ['/', '/login', '/app/tokens', '/pricing']) {
    const page = await anyone.page(path)
    expect([path, page.status, page.headers.get('location')]).toEqual([path, 303, '/setup'])
  }
})

test.each([
  [{ username: '  ' }, 'username', 'Please enter a username'],
  [{ username: 'thirteenchars' }, 'username', 'A username has at most 12 characters'],
  [{ password: 'short', confirmPassword: 'short' }, 'password', 'Password length must not be less than 8'],
  [{ confirmPassword: 'something else' }, 'confirmPassword', 'The two passwords do not match'],
])('setup refuses %j and creates nothing', async (change, field, message) => {
  expect(await anyone.post('/api/setup', form(change))).toMatchObject({ status: 400, success: false, field, message })
  expect((await anyone.get('/api/setup')).data.root_init).toBe(false)
})

test('setup refuses forms of other sites', async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
    string,
    string
  >[]) {
    expect(await anyone.post('/api/setup', form(), { headers })).toMatchObject({ status: 403, code: 'error.csrf' })
  }
  expect((await anyone.get('/api/setup')).data.root_init).toBe(false)
})

test('twelve concurrent setups create one root', async () => {
  const names = Array.from({ length: 12 }, (_, index) => (index ? `root${index}` : ROOT.username))
  const calls = names.map(username => anyone.post('/api/setup', form({ username, SelfUseModeEnabled: true })))
  const twice = [1, 2].map(() => anyone.form('/setup', { ...form({ username: 'byform' }), mode: 'self' }))
  const answers = await Promise.all(calls)
  // One click too many shows no error: either way there is somewhere to sign in now.
  for (const page of await Promise.all(twice)) {
    expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/(?:login)?$/)])
  }
  const roots = await db.select({ name: users.username }).from(users).where(eq(users.role, Role.root))
  expect(roots).toHaveLength(1)
  const winners = names.filter((_, index) => answers[index]!.success)
  expect(['byform', ...winners]).toContain(roots[0]!.name)
  expect(new Set(answers.filter(answer => !answer.success).map(answer => answer.message))).toEqual(
    new Set(['The setup has already been completed']),
  )

  const root = await signIn(roots[0]!.name, ROOT.password)
  expect((await root.get('/api/user/self')).data).toMatchObject({
    username: roots[0]!.name,
    role: 100,
    display_name: 'Root User',
  })
  expect(await balance(root)).toBe(100_000_000)
})

test('after setup the form is gone and the mode is public', async () => {
  expect(await anyone.post('/api/setup', form())).toMatchObject({ status: 400, success: false })
  expect((await anyone.get('/api/setup')).data).toEqual({ status: true, root_init: false, database_type: '' })
  expect((await anyone.get('/api/status')).data).toMatchObject({
    setup: true,
    self_use_mode_enabled: true,
    demo_site_enabled: false,
  })
  expect((await anyone.page('/setup')).headers.get('location')).toBe('/login')
})
