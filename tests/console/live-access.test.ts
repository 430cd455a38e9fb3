/** Session, access token, API key and a running stream of one user, while the user loses access over HTTP. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { resetStores } from '../../src/process/stores.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, clientOf, MODEL, RICH } from '../support/people/client.ts'
import { configureReset, OLD_PASSWORD, tokenFor } from '../support/people/password-reset.ts'
import { anyone, cheapHash, type Person, setUp, signIn, visitor } from '../support/people/person.ts'
import { configureMail, register } from '../support/people/registration.ts'
import { readStream, textArrives } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { chat, hangsAfter } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const root = await setUp()
await configureReset()
const upstream = await startUpstream(chat())
const channel = await channelTo(upstream)
beforeEach(() => resetStores('login-failures'))
afterAll(() => setOption('QuotaForNewUser', 0))

/** All that opens something in the name of a user. */
interface Access {
  person: Person
  email: string
  /** A session that another device has. */
  phone: Person
  client: Client
  token: string
}

async function access(): Promise<Access> {
  const person = await visitor(Role.admin, RICH)
  const email = `${person.username}@example.com`
  const password = await cheapHash(OLD_PASSWORD)
  await db.update(users).set({ email, password }).where(eq(users.id, person.id))
  const phone = await signIn(person.username, OLD_PASSWORD)
  const { data: token } = await phone.get('/api/user/token')
  return { person, email, phone, token, client: await clientOf(person) }
}

/** What each of the four says; a call with the key is whole or refused. */
async function statusesOf({ person, phone, token, client }: Access) {
  const headers = { authorization: token, 'tollgate-user': String(person.id) }
  return {
    own: (await person.get('/api/user/self')).status,
    phone: (await phone.get('/api/user/self')).status,
    token: (await anyone.get('/api/user/self', { headers })).status,
    key: (await client.get('/v1/models')).status,
  }
}

const alive = { own: 200, phone: 200, token: 200, key: 200 }
const gone = { own: 401, phone: 401, token: 401 }
const manage =
  (action: string) =>
  ({ person }: Access) =>
    root.post('/api/user/manage', { id: person.id, action })

type Loss = (access: Access) => Promise<{ success: boolean }>

test.each([
  ['is banned', manage('disable'), { ...gone, key: 403 }, 'user_banned'],
  ['is deregistered', manage('delete'), { ...gone, key: 401 }, 'key_invalid'],
  ['deletes the account', ({ person }) => person.delete('/api/user/self'), { ...gone, key: 401 }, 'key_invalid'],
] as [string, Loss, Record<string, number>, string][])(
  'a user who %s: sessions, access token and key are dead at once, and the running stream ends with a bill',
  async (_, lose, dead, code) => {
    const ann = await access()
    expect(await statusesOf(ann)).toEqual(alive)
    upstream.scripts(MODEL, hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 }))
    const response = await ann.client.stream()
    await textArrives(response, 'word')
    expect((await lose(ann)).success).toBe(true)
    expect(await statusesOf(ann)).toEqual({ ...alive, ...dead })
    expect(await readStream(response)).toMatchObject({ done: false, error: { code } })
    const entry = await until(async () => (await logsOf(ann.person))[0])
    expect([entry.quota > 0, entry.other.stream_status]).toEqual([true, 'stopped'])
    upstream.scripts(MODEL, chat())
  },
)

test.each([
  ['is demoted', manage('demote'), gone],
  [
    'gets a new password from an administrator',
    ({ person }) => root.put('/api/user/', { id: person.id, password: 'a new secret' }),
    gone,
  ],
  [
    'resets the password by mail',
    async ({ email }) => anyone.post('/api/user/reset', { email, token: await tokenFor(email) }),
    gone,
  ],
  [
    'sets a new password',
    ({ person }) => person.put('/api/user/self', { password: 'a new secret', original_password: OLD_PASSWORD }),
    { own: 200, phone: 401, token: 401 },
  ],
  ['signs out', ({ person }) => person.get('/api/user/logout'), { own: 401, phone: 200, token: 200 }],
] as [string, Loss, Record<string, number>][])(
  'a user who %s: the sessions and the access token that end are dead at once',
  async (_, lose, dead) => {
    const ann = await access()
    expect(await statusesOf(ann)).toEqual(alive)
    expect((await lose(ann)).success).toBe(true)
    expect(await statusesOf(ann)).toEqual({ ...alive, ...dead })
    const page = await ann.phone.page('/app/tokens')
    expect([page.status, page.headers.get('location')?.startsWith('/login')]).toEqual(
      dead.phone === 200 ? [200, undefined] : [303, true],
    )
  },
)

test('the key of a demoted administrator names no channel from the next call on', async () => {
  const ann = await access()
  const named = { headers: { authorization: `Bearer sk-${ann.client.key}-${channel.id}` } }
  expect((await ann.client.chat({}, named)).status).toBe(200)
  await manage('demote')(ann)
  expect((await ann.client.chat({}, named)).status).toBe(403)
})

test('an address and a name of a deleted account give no second welcome credit', async () => {
  await configureMail()
  await setOption('QuotaForNewUser', 500)
  const ann = await access()
  await ann.person.delete('/api/user/self')
  const before = await db.$count(ledger)
  expect(await register({ username: ann.person.username })).toMatchObject({ code: 'account.username_taken' })
  const code = await anyone.get(`/api/verification?${new URLSearchParams({ email: ann.email })}`)
  expect(code).toMatchObject({ success: false, code: 'account.email_taken' })
  expect(await db.$count(ledger)).toBe(before)
  expect((await root.get(`/api/user/${ann.person.id}`)).data.quota).toBe(RICH)
})
