/** Password checks: two run, twenty wait, and the next one is refused at once. */
import { afterAll, expect, spyOn, test } from 'bun:test'
import { CONFIRM_PATH } from '../../src/contracts/security-paths.ts'
import { type Answer, anyone, type Person, ROOT, setUp, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'

const RUNNING = 2
const WAITING = 20
const CALLERS = 60

/** Every check takes until `finish`. */
const { promise: finished, resolve: finish } = Promise.withResolvers<boolean>()
const verify = spyOn(Bun.password, 'verify').mockImplementation(() => finished)
afterAll(() => verify.mockRestore())

const messages = {
  en: 'Many passwords are being checked at the moment. Try again in 5 seconds',
  zh: '当前验证密码的请求过多，请 5 秒后再试',
}

type Way = [name: string, send: () => Promise<Response>]

async function expectRefused(ways: Way[], message = messages.en) {
  for (const [way, send] of ways) {
    const response = await send()
    const isClear = (await response.text()).includes(message)
    expect([way, response.status, response.headers.get('retry-after'), isClear]).toEqual([way, 503, '5', true])
  }
}

const sends = (person: Person, method: string, path: string, body: object) => () =>
  person.fetch(path, { method, body: JSON.stringify(body) })

test('sixty sign-ins at once: 22 are checked, 38 are refused with 503, as is every other use of a password', async () => {
  const answers: Answer[] = []
  const calls = Array.from({ length: CALLERS }, async (_, index) => {
    answers.push(await anyone.post('/api/user/login', { username: `visitor${index}`, password: 'not the password' }))
  })
  await until(() => answers.length === CALLERS - RUNNING - WAITING)
  expect(answers.every(({ status, code }) => status === 503 && code === 'account.passwords_busy')).toBe(true)

  const first = { ...ROOT, confirmPassword: ROOT.password }
  await expectRefused([
    ['setup', sends(anyone, 'POST', '/api/setup', first)],
    ['setup page', () => anyone.form('/setup', first)],
  ])
  const root = await setUp()
  const ann = await visitor()
  const password = 'a new password'
  const newcomer = { username: 'newcomer', password }
  const link = { email: 'ann@example.com', token: 'not the one' }
  await expectRefused([
    // More often than a password may be wrong.
    ...Array.from({ length: 12 }, (): Way => ['sign-in', sends(anyone, 'POST', '/api/user/login', ROOT)]),
    ['sign-in page', () => anyone.form('/login', ROOT)],
    ['registration', sends(anyone, 'POST', '/api/user/register', { ...newcomer, password2: password })],
    ['registration page', () => anyone.form('/register', { ...newcomer, password2: password })],
    ['reset', sends(anyone, 'POST', '/api/user/reset', link)],
    ['reset page', () => anyone.form('/user/reset', link)],
    ['confirmation', sends(root, 'POST', '/api/user/confirm', { password: ROOT.password })],
    ['confirmation page', () => root.form(CONFIRM_PATH, { password: ROOT.password })],
    ['own password', sends(root, 'PUT', '/api/user/self', { password, original_password: ROOT.password })],
    ['new user', sends(root, 'POST', '/api/user/', newcomer)],
    ['password of a user', sends(root, 'PUT', '/api/user/', { id: ann.id, password })],
  ])
  await expectRefused([['sign-in page', () => anyone.form('/login', ROOT, { language: 'zh' })]], messages.zh)

  finish(false)
  await Promise.all(calls)
  const checked = answers.filter(({ status, code }) => status === 200 && code === 'account.login_wrong')
  expect(checked).toHaveLength(RUNNING + WAITING)
  verify.mockRestore()
  expect(await anyone.post('/api/user/login', ROOT)).toMatchObject({ success: true })
})
