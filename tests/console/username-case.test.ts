// @engine both
/** Usernames in another case: one name for new users, while twins of earlier versions stay and are shown to root. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { foldUsernames } from '../../src/domain/users/names.ts'
import { users } from '../../src/domain/users/table.ts'
import { anyone, cheapHash, setUp, visitor } from '../support/people/person.ts'
import { register } from '../support/people/registration.ts'

const root = await setUp()
const TAKEN = { success: false, code: 'account.username_taken', field: 'username' }
const PASSWORD = 'a-long-password'

const login = async (username: string) =>
  (await anyone.post('/api/user/login', { username, password: PASSWORD })).data?.id as number | undefined

/** Users as an earlier version has left them. */
async function twins(...names: string[]): Promise<number[]> {
  const password = await cheapHash(PASSWORD)
  const rows = names.map(username => ({ username, password, created_time: 1 }))
  const made = await db.insert(users).values(rows).returning()
  await foldUsernames()
  return made.map(({ id }) => id)
}

test('a name in another case is taken at every way to a name', async () => {
  await register({ username: 'viktor' })
  const other = await visitor()
  expect(await register({ username: 'VIKTOR' })).toMatchObject(TAKEN)
  expect(await root.post('/api/user/', { username: 'Viktor', password: PASSWORD })).toMatchObject(TAKEN)
  expect(await root.put('/api/user/', { id: other.id, username: 'vIKTOR' })).toMatchObject(TAKEN)
  expect(await other.put('/api/user/self', { username: 'viktoR' })).toMatchObject(TAKEN)
  const all = await db.select({ name: users.username }).from(users)
  expect(all.filter(({ name }) => name.toLowerCase() === 'viktor')).toHaveLength(1)
})

test('twenty registrations of one name in different cases create one user', async () => {
  const answers = []
  for (let round = 0; round < 5; round++)
    answers.push(...(await Promise.all(['Racer', 'rACER', 'RACER', 'racer'].map(username => register({ username })))))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  expect(answers.filter(({ success }) => !success).every(({ code }) => code === TAKEN.code)).toBe(true)
})

test('a user signs in with the name in any case, and may change its case', async () => {
  const [id] = await twins('Nora')
  expect([await login('Nora'), await login('nora'), await login('NORA'), await login('ＮＯＲＡ')]).toEqual([
    id,
    id,
    id,
    id,
  ])
  expect(await root.put('/api/user/', { id, username: 'NORA' })).toMatchObject({ data: { username: 'NORA' } })
  expect(await login('nora')).toBe(id)
  expect(await root.get(`/api/user/${id}`)).toMatchObject({ data: expect.not.objectContaining({ username_twin: 0 }) })
})

test('twins stay, sign in with their exact spelling alone, and no third one joins them', async () => {
  const [first, second, third] = await twins('Olga', 'olga', 'ｏｌｇａ')
  expect([await login('Olga'), await login('olga'), await login('ｏｌｇａ'), await login('OLGA')]).toEqual([
    ...[first, second, third],
    undefined,
  ])
  const kept = { id: second, username: 'olga', display_name: 'Olga the second' }
  expect(await root.put('/api/user/', kept)).toMatchObject({ success: true, data: { username: 'olga' } })
  expect(await root.put('/api/user/', { id: first, username: 'Helga' })).toMatchObject({ success: true })
  expect(await register({ username: 'OLGA' })).toMatchObject(TAKEN)
  expect(await root.put('/api/user/', { id: third, username: 'Inga' })).toMatchObject({ success: true })
  expect(await login('OLGA')).toBe(second)
})

test('twins are shown to root on the page of users, and to no administrator', async () => {
  const [first, second] = await twins('Pavel', 'PAVEL')
  const page = async (person = root, language: 'en' | 'zh' = 'en') =>
    (await person.page('/admin/users?keyword=none-of-them', { language })).text()
  expect(await page()).toContain('These names differ in case only')
  for (const id of [first, second]) expect(await page()).toContain(`edit=${id}`)
  expect(await page(root, 'zh')).toContain('以下用户名仅大小写不同')
  expect(await page(await visitor(Role.admin))).not.toContain('differ in case only')
  await root.put('/api/user/', { id: second, username: 'Paul' })
  expect(await page()).not.toContain(`edit=${second}`)
})
