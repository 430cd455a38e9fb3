// @engine sqlite
/** The link that makes a browser known, for a sign-in while strangers try the password from any number of addresses. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { crowd } from '../support/people/crowd.ts'
import { changeUser, configureReset, OLD_PASSWORD, SITE, userAt } from '../support/people/password-reset.ts'
import { anyone, type Person } from '../support/people/person.ts'
import { configureMail, mailsTo } from '../support/people/registration.ts'

beforeAll(configureReset)
afterEach(() => resetStores('clock', 'login-failures', 'sign-in-lines', 'password-work'))

const from = (address: string, cookie = '') => ({ headers: { 'x-forwarded-for': address, cookie } })
const OWN = '203.0.113.1'

const signIn = (person: Person, cookie = '', address = OWN, password = OLD_PASSWORD) =>
  anyone.post('/api/user/login', { username: person.username, password }, from(address, cookie))

const ask = (username: string, address = OWN, language: 'en' | 'zh' = 'en') =>
  anyone.form('/login', { username, action: 'link', returnTo: '/app/wallet' }, { ...from(address), language })

const noticeOf = (response: Response) => decodeURIComponent(response.headers.get('set-cookie') ?? '')

/** A user whom strangers have locked out of new browsers. */
async function besieged(email: string): Promise<Person> {
  holdClock(true)
  const person = await userAt(email)
  await db.delete(sessions).where(eq(sessions.user_id, person.id))
  await crowd(person.username, 110)
  return person
}

const linksTo = async (email: string) =>
  (await mailsTo(email)).map(({ text }) => /https:[^\s]+/.exec(text)![0].slice(SITE.length))

const open = (link: string) => anyone.page(link, from(OWN))

async function cookieFrom(link: string) {
  const response = await open(link)
  return response.headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('known-'))
    ?.split(';')[0]
}

test('a sign-in that has to wait offers a link, which lets this browser sign in at once', async () => {
  const ann = await besieged('ann@example.com')
  const page = await anyone.form('/login', { username: ann.username, password: OLD_PASSWORD }, from(OWN))
  expect([page.status, await page.text()]).toEqual([429, expect.stringContaining('value="link"')])
  const sent = await ask(ann.username)
  const next = `/login?username=${ann.username}&returnTo=%2Fapp%2Fwallet`
  expect([sent.status, sent.headers.get('location')]).toEqual([303, next])
  expect(noticeOf(sent)).toContain('If this account has an email address, a link is on its way to it')

  const [link] = await linksTo('ann@example.com')
  const [mail] = await mailsTo('ann@example.com')
  expect(mail!.subject).toBe('Tollgate: let your browser sign in')
  // A scanner opens it first.
  await open(link!)
  const opened = await open(link!)
  expect([opened.status, opened.headers.get('location')]).toEqual([303, `/login?username=${ann.username}`])
  expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
  const cookie = await cookieFrom(link!)
  expect(await signIn(ann)).toMatchObject({ status: 429 })
  expect(await signIn(ann, cookie)).toMatchObject({ success: true, data: { id: ann.id } })
})

test('a link opens no session, and all who open it have ten guesses together', async () => {
  const bea = await besieged('bea@example.com')
  await ask(bea.username)
  const [link] = await linksTo('bea@example.com')
  expect((await open(link!)).headers.getSetCookie().some(cookie => cookie.startsWith('session='))).toBe(false)
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess++) {
    const cookie = await cookieFrom(link!)
    statuses.push((await signIn(bea, cookie, `203.0.113.${10 + guess}`, 'wrong')).status)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
})

test('one link in ten minutes is mailed, and requests of strangers do not end it', async () => {
  const cai = await besieged('cai@example.com')
  for (let request = 0; request < 5; request++) await ask(cai.username, `203.0.113.${20 + request}`)
  const links = await linksTo('cai@example.com')
  expect(links).toHaveLength(1)
  expect(await cookieFrom(links[0]!)).toBeDefined()
  shiftClock(601)
  const late = await open(links[0]!)
  expect([late.headers.get('location'), noticeOf(late)]).toEqual([
    '/login',
    expect.stringContaining('The link is invalid or has expired'),
  ])
  await ask(cai.username)
  expect(await linksTo('cai@example.com')).toHaveLength(2)
})

test('a request for a link tells nothing about an account', async () => {
  const dan = await userAt('dan@example.com')
  const notice = noticeOf(await ask(dan.username))
  const banned = await userAt('banned@example.com')
  await changeUser(banned, { status: UserStatus.banned })
  const poor = await userAt('')
  for (const name of ['no-such-user', 'no@example.com', banned.username, poor.username]) {
    const answer = await ask(name)
    expect([name, answer.status, noticeOf(answer)]).toEqual([name, 303, notice])
  }
  expect(await mailsTo('banned@example.com')).toEqual([])
  expect(noticeOf(await ask('no-such-user', OWN, 'zh'))).toContain('如果该账号绑定了邮箱')
})

test('a link is dead for another user, a banned one, and once the address has changed', async () => {
  const [eve, fay] = [await userAt('eve@example.com'), await userAt('fay@example.com')]
  await ask(eve.username)
  const [link] = await linksTo('eve@example.com')
  const other = link!.replace(`user=${eve.id}`, `user=${fay.id}`)
  for (const wrong of [other, link!.replace(/token=.{5}/, 'token=xxxxx'), '/login/link', '/login/link?user=x&token=']) {
    expect([wrong, await cookieFrom(wrong)]).toEqual([wrong, undefined])
  }
  await changeUser(eve, { status: UserStatus.banned })
  expect(await cookieFrom(link!)).toBeUndefined()
  await changeUser(eve, { status: UserStatus.enabled })
  expect(await cookieFrom(link!)).toBeDefined()
  await changeUser(eve, { email: 'new@example.com' })
  expect(await cookieFrom(link!)).toBeUndefined()
})

test('without mail or a server address no link is offered', async () => {
  const gil = await besieged('gil@example.com')
  const offers = async () => {
    const page = await anyone.form('/login', { username: gil.username, password: OLD_PASSWORD }, from(OWN))
    return (await page.text()).includes('value="link"')
  }
  expect(await offers()).toBe(true)
  await setOption('ServerAddress', '')
  expect(await offers()).toBe(false)
  expect((await ask(gil.username)).status).toBe(422)
  await configureReset()
  await setOption('SMTPFrom', '')
  expect(await offers()).toBe(false)
  await configureMail()
})
