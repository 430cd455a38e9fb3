/** Mail: what a reader gets, how it is carried, what happens when the server refuses. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { atomic, rawQuery, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { type Mail, queueMail, sendMails } from '../../src/domain/mail/index.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { newCertificate, trust } from '../support/mail/certificate.ts'
import { FROM, mailSink } from '../support/mail/sink.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'

const LOGIN = { user: 'console', password: 'hunter2:secret' }
const certificate = await newCertificate()
const root = await setUp()
const sink = await mailSink()
beforeEach(async () => {
  holdClock(true)
  await sink.options()
})
afterEach(() => resetStores('clock', 'schedule'))

const queue = (mail: Partial<Mail> = {}) =>
  atomic(tx => queueMail(tx, { to: 'ann@example.com', kind: 'code', params: CODE, language: 'en', ...mail }))
const CODE = { code: '123456', minutes: 10 }
const LINK = { link: 'https://site.example/user/reset?email=a%40b.c&token=0123456789abcdef', minutes: 10 }
const waiting = () => db.select().from(mails)
const empty = () => until(async () => (await waiting()).length === 0)
/** Waits until the mail that waits is due again in so many seconds. */
const postponed = (seconds: number) =>
  until(async () => (await waiting()).some(({ next_time }) => next_time - now() === seconds))
const sendTest = (body: object = { to: 'ann@example.com' }) => root.post('/api/option/test_mail', body)

/** The process log, as the operator reads it. */
function watchLog() {
  setEnv({ LOG_LEVEL: 'info' })
  const write = spyOn(process.stderr, 'write').mockImplementation(() => true)
  return {
    lines: () => write.mock.calls.map(([line]) => String(line)),
    [Symbol.dispose]: () => write.mockRestore(),
  }
}

test('a code arrives as text and HTML under the name of the site, right after the commit', async () => {
  await setOption('SystemName', 'Ann & Söhne <AI>')
  await queue()
  const mail = await sink.next()
  expect(mail.from?.value).toEqual([{ name: 'Ann & Söhne <AI>', address: FROM }])
  expect(mail.subject).toBe('Ann & Söhne <AI> email verification')
  expect(mail.text).toContain('123456')
  expect(mail.text).toContain('valid for 10 minutes')
  expect(mail.html).toContain('>123456</p>')
  expect(mail.html).toContain('Ann &amp; Söhne &lt;AI&gt;')
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  await setOption('SystemName', 'Tollgate')
  await empty()
})

test('a reset link is a button and plain text, in Chinese too', async () => {
  await queue({ kind: 'reset', params: LINK, language: 'zh' })
  const mail = await sink.next()
  expect(mail.subject).toBe('Tollgate 密码重置')
  expect(mail.text).toContain(`\n${LINK.link}\n`)
  const hrefs = [...String(mail.html).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(hrefs).toEqual([LINK.link.replace('&', '&amp;'), LINK.link.replace('&', '&amp;')])
  expect(mail.html).toContain('<html lang="zh')
  await empty()
})

test('a mail of a transaction that is rolled back is never sent', async () => {
  const failing = atomic(function* (tx) {
    yield* queueMail(tx, { to: 'ann@example.com', kind: 'code', params: CODE, language: 'en' })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await sendMails()
  expect([sink.waiting, await waiting()]).toEqual([[], []])
})

test.each([
  ['two addresses', 'ann@example.com,bob@example.com', 'mail.bad_address'],
  ['two addresses by semicolon', 'ann@example.com;bob@example.com', 'mail.bad_address'],
  ['a header after a line end', 'ann@example.com\r\nBcc: bob@example.com', 'mail.bad_address'],
  ['a lone line feed', 'ann@exam\nple.com', 'mail.bad_address'],
  ['a name before the address', 'Ann <ann@example.com>', 'mail.bad_address'],
  ['a comment', 'ann(x)@example.com', 'mail.bad_address'],
  ['a quoted local part', '"ann bob"@example.com', 'mail.bad_address'],
  ['markup', '<script>@example.com', 'mail.bad_address'],
  ['a local part that is not ASCII', 'änn@example.com', 'mail.bad_address'],
  ['an invisible character', 'ann@exam\u200bple.com', 'mail.bad_address'],
  ['an IP address', 'ann@127.0.0.1', 'mail.bad_address'],
  ['a host without a domain', 'ann@localhost', 'mail.bad_address'],
  ['51 characters', `${'a'.repeat(39)}@example.com`, 'mail.address_long'],
  ['51 characters in ASCII', `${'a'.repeat(34)}@müller.com`, 'mail.address_long'],
  ['a long text', `${'a.'.repeat(200_000)}@example.com`, 'mail.address_long'],
  ['blanks', '  ', 'mail.address_required'],
])('the recipient must be one address: %s', async (_, to, code) => {
  for (const language of ['en', 'zh'] as const) {
    const answer = await root.post('/api/option/test_mail', { to }, { language })
    expect(answer).toMatchObject({ status: 400, code, field: 'to', data: null })
    expect(/[\u4e00-\u9fff]/.test(answer.message)).toBe(language === 'zh')
  }
  await expect(queue({ to })).rejects.toMatchObject({ code, field: 'email', status: 400 })
  expect([sink.attempts.at(-1) === to, await waiting()]).toEqual([false, []])
})

test('a domain that is not ASCII is sent to in ASCII, an address in lower case', async () => {
  expect(await sendTest({ to: 'Ann.B+c@MÜLLER.example' })).toMatchObject({ success: true })
  const { headerLines } = await sink.next()
  expect(headerLines).toContainEqual({ key: 'to', line: 'To: ann.b+c@xn--mller-kva.example' })
})

test('a name of the site cannot add a header', async () => {
  await setOption('SystemName', 'Site\r\nBcc: bob@example.com\r\n\r\n<b>')
  await queue()
  const mail = await sink.next('ann@example.com')
  expect([mail.bcc, mail.headers.has('bcc')]).toEqual([undefined, false])
  await setOption('SystemName', 'Tollgate')
})

test('the test mail goes to root when no recipient is given, and only root may send it', async () => {
  expect(await sendTest({})).toMatchObject({ status: 400, code: 'mail.no_own_address', field: 'to' })
  const admin = await visitor(Role.admin)
  expect(await admin.post('/api/option/test_mail', { to: 'ann@example.com' })).toMatchObject({ status: 403 })
  expect(await sendTest()).toMatchObject({ success: true, data: null })
  expect((await sink.next()).subject).toBe('Tollgate test mail')
})

test('without a server or a sender the answer is that mail is not set up', async () => {
  for (const changes of [{ SMTPServer: '' }, { SMTPFrom: '' }]) {
    await sink.options(changes)
    expect(await sendTest()).toMatchObject({
      success: false,
      code: 'mail.not_configured',
      message: 'Mail is not set up on this site. Ask the administrator.',
    })
    await expect(queue()).rejects.toMatchObject({ code: 'mail.not_configured' })
  }
  expect(sink.waiting).toEqual([])
})

test.each(['starttls', 'implicit'] as const)(
  '%s with a login: the certificate is checked, then the mail is taken',
  async tls => {
    const secure = await mailSink({ tls, certificate, login: LOGIN })
    await secure.options()
    using log = watchLog()
    const refused = await sendTest()
    expect(refused).toMatchObject({ success: false, code: 'mail.failed' })
    expect(refused.message).toBe("The mail could not be sent. The reason is in the server's log.")
    expect(secure.attempts).toEqual([])
    expect(log.lines().join()).toMatch(/mail not sent to=ann@example.com reason=".*certificate/)

    const distrust = trust(certificate)
    expect(await sendTest()).toMatchObject({ success: true })
    expect((await secure.next()).subject).toBe('Tollgate test mail')
    distrust()
    expect(await sendTest()).toMatchObject({ success: false })
    expect(log.lines().join()).not.toContain(LOGIN.password)
  },
)

test('a certificate of another host is refused', async () => {
  const secure = await mailSink({ tls: 'implicit', certificate })
  await secure.options({ SMTPServer: '127.0.0.1' })
  const distrust = trust(certificate)
  expect(await sendTest()).toMatchObject({ success: false, code: 'mail.failed' })
  distrust()
})

test('a wrong password is a generic error, and neither the log nor the answer has it', async () => {
  const secure = await mailSink({ tls: 'starttls', certificate, login: LOGIN })
  await secure.options({ SMTPToken: 'not:this-one' })
  secure.reject({ at: 'login', code: 535, text: '5.7.8 wrong password not:this-one' })
  using log = watchLog()
  const distrust = trust(certificate)
  const refused = await sendTest()
  distrust()
  expect(refused).toMatchObject({ success: false, code: 'mail.failed' })
  expect(log.lines().join()).toMatch(/reason="EAUTH: the server replied 535/)
  expect(log.lines().join() + refused.message).not.toContain('not:this-one')
})

test('a server that cannot be reached is a generic error within seconds', async () => {
  await sink.options({ SMTPPort: 1 })
  using log = watchLog()
  expect(await sendTest()).toMatchObject({ success: false, code: 'mail.failed' })
  expect(log.lines().join()).toContain('ESOCKET')
})

test('a temporary refusal is tried again after 30 s, 1, 2 and 4 minutes, then given up', async () => {
  const busy = { at: 'recipient', code: 451, text: '4.7.1 greylisted' } as const
  using log = watchLog()
  const to = 'slow@example.com'
  const count = () => sink.attempts.filter(address => address === to).length
  sink.reject(busy, busy, busy, busy, busy)
  await queue({ to })
  for (const [tries, pause] of [30, 60, 120, 240].entries()) {
    await postponed(pause)
    await sendMails()
    expect(count()).toBe(tries + 1)
    shiftClock(pause)
    await tick()
    await jobsDone()
    expect(count()).toBe(tries + 2)
  }
  await empty()
  expect(log.lines().filter(line => line.includes('mail given up'))).toHaveLength(1)
  expect(log.lines().join()).toContain('greylisted')
  expect(sink.waiting).toEqual([])
})

test('a mail that waits is due at once after the clock was set back', async () => {
  sink.reject({ at: 'recipient', code: 451, text: '4.7.1 greylisted' })
  await queue()
  await postponed(30)
  shiftClock(-3600)
  await sendMails()
  await sink.next()
  await empty()
})

test('a mail that was refused once arrives at the next attempt', async () => {
  for (const rejection of [
    { at: 'connect', code: 421, text: '4.3.2 later' },
    { at: 'sender', code: 450, text: '4.3.2 later' },
    { at: 'message', code: 452, text: '4.3.1 disk full' },
  ] as const) {
    sink.reject(rejection)
    await queue()
    await postponed(30)
    shiftClock(30)
    await sendMails()
    await sink.next()
    await empty()
  }
})

test('a permanent refusal is not tried again; the log has neither the code nor the link', async () => {
  using log = watchLog()
  for (const [at, kind, params, secret] of [
    ['sender', 'code', CODE, CODE.code],
    ['recipient', 'code', CODE, CODE.code],
    ['message', 'reset', LINK, '0123456789abcdef'],
  ] as const) {
    // A server may quote what it refuses.
    sink.reject({ at, code: 550, text: at === 'message' ? `5.7.1 spam: ${secret}` : '5.1.1 unknown' })
    await queue({ kind, params })
    await empty()
    const lines = log.lines().join()
    expect(lines).toMatch(/mail given up mail_id=\d+ to=ann@example.com tries=1 reason=".*550/)
    expect(lines).not.toContain(secret)
  }
  expect(sink.waiting).toEqual([])
})

test('many senders at once send each mail once', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `person${at}@example.com`)
  await atomic(function* (tx) {
    for (const to of names) yield* queueMail(tx, { to, kind: 'code', params: CODE, language: 'en' })
  })
  await Promise.all(Array.from({ length: 8 }, () => sendMails()))
  await empty()
  const taken = sink.attempts.filter(address => address.startsWith('person')).sort()
  expect(taken).toEqual([...names].sort())
  sink.waiting.length = 0
})

test('a mail whose node died during its attempt is sent later, and not before two minutes', async () => {
  const letGo = sink.hold()
  await queue({ to: 'late@example.com' })
  await until(() => sink.attempts.includes('late@example.com'))
  shiftClock(119)
  await sendMails()
  expect(sink.attempts.filter(address => address === 'late@example.com')).toHaveLength(1)
  shiftClock(2)
  const again = sendMails()
  await until(() => sink.attempts.filter(address => address === 'late@example.com').length === 2)
  letGo()
  await again
  await empty()
  sink.waiting.length = 0
})

test('waiting mails are sealed in the database', async () => {
  await sink.options({ SMTPPort: 1 })
  await queue()
  await postponed(30)
  const [row] = await atomic(tx => run(rawQuery(tx, sql`select * from mails`)))
  expect(row).toMatchObject({ text: expect.stringMatching(/^v1:/), html: expect.stringMatching(/^v1:/) })
  expect(JSON.stringify(row)).not.toContain(CODE.code)
  await db.delete(mails)
})
