/** Invitations: what a new user and the inviter receive, and how the code comes along. */
import { expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { LogType } from '../../src/contracts/log.ts'
import { db } from '../../src/db/database.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { setOption } from '../support/app/options.ts'
import { stranger } from '../support/people/crowd.ts'
import { anyone, Person, setUp, visitor } from '../support/people/person.ts'
import { PASSWORD, register, registrationFields, userNamed } from '../support/people/registration.ts'

await setUp()
const [forNew, forInvitee, forInviter] = [700, 50, 9]
await setOption('QuotaForNewUser', forNew)
await setOption('QuotaForInvitee', forInvitee)
await setOption('QuotaForInviter', forInviter)
await setOption('AffEnabled', true)

const codeOf = async (person: Person): Promise<string> => (await person.get('/api/user/aff')).data
const inviterOf = async (person: Person) => (await userNamed(person.username))!
const creditsOf = (user_id: number) => db.select().from(ledger).where(eq(ledger.user_id, user_id)).orderBy(ledger.id)
const notesOf = (user_id: number) =>
  db
    .select()
    .from(logs)
    .where(and(eq(logs.user_id, user_id), eq(logs.type, LogType.system)))
    .orderBy(logs.id)

test('the invitation code of a user is made once, also by twenty calls', async () => {
  const ann = await visitor()
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(ann)))
  expect(new Set(codes)).toEqual(new Set([codes[0]!]))
  expect(codes[0]).toMatch(/^[0-9A-Za-z]{8}$/)
  expect((await inviterOf(ann)).aff_code).toBe(codes[0]!)
})

test('an invited user and the inviter are credited in the ledger and in the log', async () => {
  const ann = await visitor(Role.user, 3)
  const fields = registrationFields({ aff_code: await codeOf(ann) })
  expect(await anyone.post('/api/user/register', fields)).toMatchObject({ success: true })
  const user = (await userNamed(fields.username))!
  expect(user).toMatchObject({ quota: forNew + forInvitee, inviter_id: ann.id })
  expect(await creditsOf(user.id)).toMatchObject([
    { kind: 'reward', reference: 'welcome', delta: forNew, balance_after: forNew },
    { kind: 'reward', reference: 'invited', delta: forInvitee, balance_after: forNew + forInvitee },
  ])
  expect((await notesOf(user.id)).map(({ content, quota }) => [content, quota])).toEqual([
    ['log.reward_welcome', forNew],
    ['log.reward_invited', forInvitee],
  ])
  // What the inviter earns is moved to the balance later.
  expect(await inviterOf(ann)).toMatchObject({ quota: 3, aff_count: 1, aff_quota: 9, aff_history_quota: 9 })
  expect((await notesOf(ann.id)).map(({ content, quota }) => [content, quota])).toEqual([
    ['log.reward_inviting', forInviter],
  ])
})

test('twenty registrations with one code are credited exactly', async () => {
  const ann = await visitor()
  const aff_code = await codeOf(ann)
  const fields = Array.from({ length: 20 }, () => registrationFields({ aff_code }))
  // Of one address, two passwords are hashed at a time.
  const from = (index: number) => ({ headers: { 'x-forwarded-for': stranger(index) } })
  const answers = await Promise.all(fields.map((one, index) => anyone.post('/api/user/register', one, from(index))))
  expect(answers.map(({ success }) => success)).toEqual(Array(20).fill(true))
  const invited = await db.select().from(users).where(eq(users.inviter_id, ann.id))
  expect(invited.map(({ quota }) => quota)).toEqual(Array(20).fill(forNew + forInvitee))
  for (const { id } of invited) expect((await creditsOf(id)).map(({ delta }) => delta)).toEqual([forNew, forInvitee])
  const earned = 20 * forInviter
  expect(await inviterOf(ann)).toMatchObject({ aff_count: 20, aff_quota: earned, aff_history_quota: earned, quota: 0 })
  expect(await notesOf(ann.id)).toHaveLength(20)
  expect((await auditWallets()).difference).toBeUndefined()
})

test.each(['unknown0', "' or 1=1 --", 'x'.repeat(1000), '邀请'])(
  'the invitation code %s is ignored',
  async aff_code => {
    const fields = registrationFields({ aff_code })
    expect(await anyone.post('/api/user/register', fields)).toMatchObject({ success: true })
    expect(await userNamed(fields.username)).toMatchObject({ inviter_id: 0, quota: forNew })
  },
)

test('invitations that are switched off count for nothing, and count without a reward when it is 0', async () => {
  const ann = await visitor()
  const aff_code = await codeOf(ann)
  await setOption('AffEnabled', false)
  const off = registrationFields({ aff_code })
  await anyone.post('/api/user/register', off)
  expect(await userNamed(off.username)).toMatchObject({ inviter_id: 0, quota: forNew })
  expect(await inviterOf(ann)).toMatchObject({ aff_count: 0, aff_quota: 0 })
  await setOption('AffEnabled', true)
  await setOption('QuotaForInviter', 0)
  await register({ aff_code })
  expect(await inviterOf(ann)).toMatchObject({ aff_count: 1, aff_quota: 0, aff_history_quota: 0 })
  expect(await notesOf(ann.id)).toEqual([])
  await setOption('QuotaForInviter', forInviter)
})

/** The cookie that a response sets, as a browser sends it back. */
const cookieIn = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

test.each(['/register', '/login'])('an invite link to %s is kept in a cookie until a sign-up uses it', async path => {
  const ann = await visitor()
  const code = await codeOf(ann)
  const arrival = await anyone.page(`${path}?aff=${code}&returnTo=%2Fapp%2Fme`)
  expect([arrival.status, arrival.headers.get('location')]).toEqual([303, `${path}?returnTo=%2Fapp%2Fme`])
  expect(arrival.headers.getSetCookie()).toEqual([`aff=${code}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`])
  const guest = new Person(0, '', cookieIn(arrival))
  const refused = await guest.form('/register', registrationFields({ password: 'short' }) as Record<string, string>)
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([422, []])
  const fields = registrationFields()
  const made = await guest.form('/register', fields)
  expect(made.headers.getSetCookie()).toContain('aff=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
  expect(await userNamed(fields.username)).toMatchObject({ inviter_id: ann.id })
})

test('a code in the body comes before the cookie of an invite link', async () => {
  const [ann, bea] = [await visitor(), await visitor()]
  const headers = { cookie: `aff=${await codeOf(ann)}` }
  const both = registrationFields({ aff_code: await codeOf(bea) })
  await anyone.post('/api/user/register', both, { headers })
  expect(await userNamed(both.username)).toMatchObject({ inviter_id: bea.id })
  const link = registrationFields()
  await anyone.post('/api/user/register', link, { headers })
  expect(await userNamed(link.username)).toMatchObject({ inviter_id: ann.id })
})

test.each(['%0d%0aset-cookie:x=1', 'a;b', '', '<b>', 'x'.repeat(33)])(
  'an invite link with %j sets no cookie',
  async aff => {
    const response = await anyone.page(`/register?aff=${aff}`)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/register'])
    expect(response.headers.getSetCookie()).toEqual([])
  },
)

test('a password shorter than allowed leaves no trace of the invitation', async () => {
  const ann = await visitor()
  const credits = await db.$count(ledger)
  await register({ aff_code: await codeOf(ann), password: PASSWORD.slice(0, 7) })
  expect(await inviterOf(ann)).toMatchObject({ aff_count: 0 })
  expect(await db.$count(ledger)).toBe(credits)
})
