// @engine sqlite
/** Shares of password work: what one account, one address or a crowd of strangers cannot keep others from. */
import { afterEach, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { CONFIRM_PATH } from '../../src/contracts/security-paths.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { configureReset, tokenFor, userAt } from '../support/people/password-reset.ts'
import { type Answer, anyone, type Person, ROOT, setUp, visitor } from '../support/people/person.ts'
import { registrationFields } from '../support/people/registration.ts'
import { PASSWORD, withPassword } from '../support/people/second-factors.ts'
import { until } from '../support/until.ts'

const root = await setUp()
await configureReset()
afterEach(() => resetStores('login-failures', 'password-work'))

const messages = {
  en: 'Many passwords are being checked at the moment. Try again in 5 seconds',
  zh: '当前验证密码的请求过多，请 5 秒后再试',
}

/** Password work that takes until it is released, in the order of its begin. */
function heldWork() {
  const waiting: ((right: boolean) => void)[] = []
  const begun: string[] = []
  const hold = (what: string) => {
    begun.push(what)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting.push(resolve)
    return promise
  }
  const verify = spyOn(Bun.password, 'verify').mockImplementation((_, against) => hold(String(against)))
  const hash = spyOn(Bun.password, 'hash').mockImplementation(async password => {
    await hold('new')
    return `$argon2id$v=19$m=19456,t=2,p=1$${password}`
  })
  const release = (right = false) => waiting.shift()!(right)
  const end = async (calls: Promise<unknown>[]) => {
    const timer = setInterval(() => waiting.length && release(), 1)
    await Promise.all(calls)
    clearInterval(timer)
  }
  const dispose = () => {
    verify.mockRestore()
    hash.mockRestore()
  }
  return { begun, release, end, [Symbol.dispose]: dispose }
}

const login = (username: string, from: string, cookie = '', password = 'wrong') =>
  anyone.post('/api/user/login', { username, password }, { headers: { 'x-forwarded-for': from, cookie } })

const confirm = (person: Person, from: string) =>
  person.post('/api/user/confirm', { password: PASSWORD }, { headers: { 'x-forwarded-for': from } })

const stranger = (index: number) => `198.18.${index >> 8}.${index & 255}`

const storedHash = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0]!.password

/** Someone whose hash tells the checks of their password apart. */
async function marked() {
  const person = await withPassword()
  return { person, hash: await storedHash(person.id) }
}

// Makes the hash that stands for unknown users.
await login('no-such-user', '203.0.113.250')

test('one account with 24 confirmations at once over 8 addresses takes four places, and others go before it', async () => {
  const [ann, bea, carl] = [await marked(), await marked(), await marked()]
  using work = heldWork()
  const answers: Answer[] = []
  const flood = Array.from({ length: 24 }, async (_, index) => {
    answers.push(await confirm(ann.person, stranger(index % 8)))
  })
  await until(() => answers.length === 20)
  expect(answers.every(({ status, code }) => status === 503 && code === 'account.passwords_busy')).toBe(true)
  expect(work.begun).toEqual([ann.hash, ann.hash])

  // Of three each the third has no place: then the others have theirs.
  let refused = 0
  const honest = [0, 1, 2].flatMap(() => [
    confirm(bea.person, '203.0.113.1'),
    login(carl.person.username, '203.0.113.2'),
  ])
  for (const call of honest) void call.then(({ status }) => (refused += Number(status === 503)))
  await until(() => refused === 2)
  work.release(true)
  work.release(true)
  await until(() => work.begun.length === 4)
  expect(work.begun.slice(2).sort()).toEqual([bea.hash, carl.hash].sort())
  await work.end([...flood, ...honest])
})

test('resets without a link compute no hash, whatever others do', async () => {
  await userAt('dan@example.com')
  using work = heldWork()
  const flood = Array.from({ length: 8 }, (_, index) => login(`stranger${index}`, stranger(index)))
  await until(() => work.begun.length === 2)
  for (const email of ['dan@example.com', 'unknown@example.com']) {
    const headers = { 'x-forwarded-for': stranger(99) }
    expect(await anyone.post('/api/user/reset', { email, token: 'x' }, { headers })).toMatchObject({
      ...{ status: 200, code: 'reset.link_invalid' },
    })
  }
  expect(work.begun).toHaveLength(2)
  await work.end(flood)
})

test('a registration with a taken name or a wrong code computes no hash', async () => {
  using work = heldWork()
  expect(await anyone.post('/api/user/register', registrationFields({ username: ROOT.username }))).toMatchObject({
    success: false,
  })
  const ann = await visitor()
  expect(await anyone.post('/api/user/register', registrationFields({ username: ann.username }))).toMatchObject({
    code: 'account.username_taken',
  })
  expect(await root.post('/api/user/', { username: ann.username, password: PASSWORD })).toMatchObject({
    code: 'account.username_taken',
  })
  await setOption('EmailVerificationEnabled', true)
  const proof = { email: 'eve@example.com', verification_code: '123456' }
  expect(await anyone.post('/api/user/register', registrationFields(proof))).toMatchObject({
    code: 'registration.code_wrong',
  })
  await setOption('EmailVerificationEnabled', false)
  expect(work.begun).toEqual([])
})

test('a hundred strangers wait at most; known browsers, root and addresses without failures go before them', async () => {
  const [ann, bea] = [await marked(), await marked()]
  const signedIn = await anyone.form('/login', { username: ann.person.username, password: PASSWORD })
  const known = signedIn.headers.getSetCookie().find(cookie => cookie.startsWith('known-'))!
  const cookie = known.split(';')[0]!
  using work = heldWork()
  const crowd = (from = 0, count = 120) =>
    Array.from({ length: count }, (_, index) => login(`name${from + index}`, stranger(from + index)))
  // Every address has failed once.
  await work.end(crowd(0, 60))
  await work.end(crowd(60, 60))
  const before = work.begun.length
  const refused: Answer[] = []
  const flood = crowd().map(async call => {
    const answer = await call
    if (answer.status === 503) refused.push(answer)
  })
  await until(() => refused.length > 0 && work.begun.length === before + 2)

  const count = refused.length
  const honest = [login(ann.person.username, stranger(1), cookie), login(bea.person.username, '203.0.113.3')]
  const asRoot = login(ROOT.username, '203.0.113.4')
  // The last strangers lose their places to the two of them that are strangers too.
  await until(() => refused.length === count + 2)
  for (let turn = 0; turn < 3; turn++) {
    work.release()
    await until(() => work.begun.length === before + 3 + turn)
  }
  const next = work.begun.slice(before + 2)
  expect(next).toContain(await storedHash(ann.person.id))
  expect(next).toContain((await storedHash(root.id))!)
  expect(next).toContain(bea.hash)
  await work.end([...flood, ...honest, asRoot])
})

type Way = [name: string, send: () => Promise<Response>]

const sends = (person: Person, method: string, path: string, body: object) => () =>
  person.fetch(path, { method, body: JSON.stringify(body) })

test('every use of a password is refused with 503 and the seconds to wait, over its own share alone', async () => {
  const ann = await withPassword()
  await userAt('kim@example.com')
  const token = await tokenFor('kim@example.com')
  const password = 'a new password'
  const fields = registrationFields()
  const link = { email: 'kim@example.com', token }
  const ways: Way[] = [
    ['sign-in', sends(anyone, 'POST', '/api/user/login', ROOT)],
    ['sign-in page', () => anyone.form('/login', ROOT)],
    ['registration', sends(anyone, 'POST', '/api/user/register', fields)],
    ['registration page', () => anyone.form('/register', fields as Record<string, string>)],
    ['reset', sends(anyone, 'POST', '/api/user/reset', link)],
    ['reset page', () => anyone.form('/user/reset', link)],
    ['confirmation', sends(ann, 'POST', '/api/user/confirm', { password: PASSWORD })],
    ['confirmation page', () => ann.form(CONFIRM_PATH, { password: PASSWORD })],
    ['own password', sends(ann, 'PUT', '/api/user/self', { password, original_password: PASSWORD })],
    ['new user', sends(root, 'POST', '/api/user/', { username: 'somebody', password })],
    ['password of a user', sends(root, 'PUT', '/api/user/', { id: ann.id, password })],
  ]
  using work = heldWork()
  const held: Promise<unknown>[] = []
  for (const [way, send] of ways) {
    let refused: Response | undefined
    const calls = Array.from({ length: 5 }, async () => {
      const response = await send()
      if (response.status === 503) refused = response
      await response.text()
    })
    held.push(...calls)
    await until(() => refused)
    expect([way, refused!.headers.get('retry-after')]).toEqual([way, '5'])
  }
  const page = await anyone.form('/login', ROOT, { language: 'zh' })
  expect(await page.text()).toContain(messages.zh)
  expect(await login(ROOT.username, '127.0.0.1')).toMatchObject({ message: messages.en })
  await work.end(held)
})

test('right confirmations count as wrong ones do: the eleventh in a quarter of an hour is refused', async () => {
  const ann = await withPassword()
  const statuses: number[] = []
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await confirm(ann, '127.0.0.1')).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
})

test('a counted attempt that loses its place in the queue was not checked, and does not count', async () => {
  const { person, hash } = await marked()
  const late = '203.0.113.40'
  const wrong = (from: string) => login(person.username, from)
  // Its address has work behind it: others go before it.
  expect((await wrong(late)).code).toBe('account.login_wrong')
  {
    using work = heldWork()
    const early = [0, 1].map(index => wrong(stranger(index)))
    await until(() => work.begun.length === 2)
    const loser = wrong(late)
    await until(async () => (await Promise.race([loser, Bun.sleep(20)])) === undefined)
    const others = [2, 3].map(index => wrong(stranger(index)))
    expect(await loser).toMatchObject({ status: 503, code: 'account.passwords_busy' })
    await work.end([...early, ...others])
    expect(work.begun).toEqual([hash, hash, hash, hash])
  }
  for (let attempt = 2; attempt <= 10; attempt++) expect((await wrong(late)).code).toBe('account.login_wrong')
  expect(await wrong(late)).toMatchObject({ status: 429, code: 'account.login_throttled' })
})
