/** A user who is banned, demoted, deregistered, signed out or given a new password loses access at once. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { digest } from '../../src/crypto/sealing.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { setOption } from '../support/app/options.ts'
import { client, MODEL } from '../support/people/client.ts'
import { anyone, type Person, setUp, visitor } from '../support/people/person.ts'
import { errorOf, readStream } from '../support/people/responses.ts'
import { Browser, PASSWORD, withPassword } from '../support/people/second-factors.ts'
import { chat, gate } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const root = await setUp()
const upstream = await startUpstream(chat())
await channelTo(upstream)

const manage = (user: Person, action: string) => root.post('/api/user/manage', { id: user.id, action })
const newPassword = (user: Person) => root.put('/api/user/', { id: user.id, password: 'a new secret' })

async function withAccessToken(person: Person) {
  const token = `token-of-${person.username}`
  await db
    .update(users)
    .set({ access_token_hash: digest(token) })
    .where(eq(users.id, person.id))
  const headers = { authorization: token, 'tollgate-user': String(person.id) }
  return async () => (await anyone.get('/api/user/self', { headers })).status
}

test.each([
  ['banned', (user: Person) => manage(user, 'disable')],
  ['demoted', (user: Person) => manage(user, 'demote')],
  ['deregistered', (user: Person) => manage(user, 'delete')],
  ['given a new password', newPassword],
])('a user who was %s has no session and no access token', async (_, end) => {
  const ann = await visitor(Role.admin)
  const status = await withAccessToken(ann)
  expect([(await ann.get('/api/user/self')).status, await status()]).toEqual([200, 200])
  expect((await end(ann)).success).toBe(true)
  expect([(await ann.get('/api/user/self')).status, await status()]).toEqual([401, 401])
  expect((await ann.page('/app/tokens')).headers.get('location')).toStartWith('/login')
})

test('a deregistered user signs in by no name, address or access token, whatever the row still has', async () => {
  const ann = await withPassword()
  const email = `${ann.username}@example.com`
  await db.update(users).set({ email }).where(eq(users.id, ann.id))
  const signIn = (username: string) => new Browser().send('/api/user/login', { username, password: PASSWORD })
  for (const name of [ann.username, email]) expect(await signIn(name)).toMatchObject({ data: { id: ann.id } })
  expect((await manage(ann, 'delete')).success).toBe(true)
  // As a database that was moved in may have it.
  const status = await withAccessToken(ann)
  for (const name of [ann.username, email])
    expect(await signIn(name)).toMatchObject({ success: false, code: 'account.login_wrong' })
  expect(await status()).toBe(401)
})

test('signing out everywhere ends the sessions and is refused above the own role', async () => {
  const [ann, admin] = [await visitor(), await visitor(Role.admin)]
  const path = (person: Person) => `/admin/users/${person.id}/sign-out`
  await admin.form(path(root), {})
  expect((await root.get('/api/user/self')).status).toBe(200)
  await admin.form(path(ann), {})
  expect((await ann.get('/api/user/self')).status).toBe(401)
  expect(await db.select().from(sessions).where(eq(sessions.user_id, ann.id))).toEqual([])
})

test('API keys of a banned user are refused until the user is enabled, those of a deregistered one for ever', async () => {
  const ann = await client()
  const ask = async () => (await ann.chat()).status
  expect(await ask()).toBe(200)
  await manage(ann.person, 'disable')
  expect(await ask()).toBe(403)
  await manage(ann.person, 'enable')
  expect(await ask()).toBe(200)
  await manage(ann.person, 'delete')
  expect(await ask()).toBe(401)
  const kept = await db.select().from(ledger).where(eq(ledger.user_id, ann.person.id))
  expect(kept).toHaveLength(1)
  expect((await root.get(`/api/log/?username=${ann.person.username}`)).data.total).toBe(2)
})

test('calls with a key follow each change of its owner at once, of one user and of several', async () => {
  const ann = await client()
  const { id } = ann.person
  const edit = (group: string) => root.put('/api/user/', { id, group })
  const regroup = (group: string) => root.form(`/admin/users/${id}/group`, { group })
  const ask = async () => (await ann.chat()).status
  expect(await ask()).toBe(200)
  // No channel serves this group.
  for (const move of [edit, regroup]) {
    await move('vip')
    expect(await ask()).toBe(404)
    await move('default')
    expect(await ask()).toBe(200)
  }
  await root.form('/admin/users/selected', { 'ids[]': [String(id)], action: 'disable' })
  expect(await ask()).toBe(403)
})

test("a user's own limit of concurrent calls comes before the limit of the site", async () => {
  await setOption('UserConcurrencyLimit', 1)
  const [ann, bob] = [await client(), await client()]
  await root.put('/api/user/', { id: ann.person.id, concurrency_limit: 2 })
  const held = gate()
  upstream.scripts(MODEL, held.script)
  const running = await Promise.all([ann.stream(), ann.stream(), bob.stream()])
  expect(running.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const caller of [ann, bob]) {
    const refused = await caller.stream()
    expect(refused.status).toBe(429)
    expect(await errorOf(refused)).toMatchObject({ code: 'too_many_at_once' })
  }
  held.open()
  for (const answer of running) expect(await readStream(answer)).toMatchObject({ done: true })
  await setOption('UserConcurrencyLimit', 0)
})

/** Between two events of a stream that runs until its caller has gone. */
const PAUSE_MS = 50

test('a stream of a user who is banned meanwhile ends with the next step of its reservation', async () => {
  const ann = await client()
  const words = 'word '.repeat(8000)
  const banned = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (_call, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
    const event = (content: string) =>
      `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content } }] })}\n\n`
    await answer.write(event('first'))
    await banned.promise
    while (!answer.gone) await Promise.all([answer.write(event(words)), Bun.sleep(PAUSE_MS)])
  })
  const answer = await ann.stream({ max_tokens: 100_000 })
  await manage(ann.person, 'disable')
  banned.resolve()
  const text = await answer.text()
  expect(text).toContain('This account is banned')
  expect(text).not.toContain('[DONE]')
})
