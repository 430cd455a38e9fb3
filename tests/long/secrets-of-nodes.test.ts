// @engine postgres
/** What one node hands out, another takes: sessions, second factors, links and codes by mail. */
import { expect, test } from 'bun:test'
import { newInstallation, setUpAt, signInAt, startAt } from '../support/app/installation.ts'
import { setOption } from '../support/app/site.ts'
import { mailSink } from '../support/mail/sink.ts'
import { send, sendWell } from '../support/people/member.ts'
import { codeOf } from '../support/people/second-factors.ts'
import { until } from '../support/until.ts'

const place = await newInstallation()
const first = await startAt(place)
await setUpAt(first)

const second = await startAt(place)
const sink = await mailSink()
const options = { ...sink.settingsOfSite(), ServerAddress: 'https://gate.example', EmailVerificationEnabled: true }
for (const [key, value] of Object.entries(options)) await setOption(first.url, key, value)

const json = (url: string, path: string, body?: object, headers = {}) =>
  fetch(url + path, { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) })

const ANN = { username: 'ann', password: 'opensesame' }

test('a code by mail that one node sends signs up at the other, once', async () => {
  const email = 'ann@example.com'
  expect((await json(first.url, `/api/verification?email=${email}`)).status).toBe(200)
  const { text } = await sink.next(email)
  const verification_code = /\b[0-9A-Za-z]{6}\b/.exec(text!.replaceAll(/\b[a-zA-Z]{6}\b/g, ''))![0]
  const body = { ...ANN, password2: ANN.password, email, verification_code }
  const answers = await Promise.all(
    [first, second].map(async ({ url }) => (await json(url, '/api/user/register', body)).json()),
  )
  expect(answers.filter(({ success }: any) => success)).toHaveLength(1)
})

test('a reset link that one node mails is used at the other, once', async () => {
  const email = 'ann@example.com'
  // The other node reads the options within a second.
  await until(async () => {
    const answer = await json(second.url, `/api/reset_password?email=${email}`)
    return ((await answer.json()) as { success: boolean }).success
  })
  const link = new URL(/https:[^\s]+/.exec((await sink.next(email)).text!)![0])
  const body = { email, token: link.searchParams.get('token') }
  const answers: any[] = await Promise.all(
    [first, second].map(async ({ url }) => (await json(url, '/api/user/reset', body)).json()),
  )
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  ANN.password = answers.find(({ success }) => success).data
})

test('a session and a second factor that one node begins are those of the other, and end at both', async () => {
  const one = await signInAt(first, ANN)
  const { data: app } = await sendWell(first.url, one, '/api/user/authenticator')
  await sendWell(second.url, one, '/api/user/authenticator/confirm', { body: { code: codeOf(app.secret, -1) } })
  const begun = await json(first.url, '/api/user/login', ANN)
  const cookie = begun.headers
    .getSetCookie()
    .map(text => text.split(';')[0])
    .join('; ')
  const { data } = (await begun.json()) as { data: { ticket: string } }
  const body = { ticket: data.ticket, code: codeOf(app.secret) }
  const done = await json(second.url, '/api/user/login/second-factor', body, { cookie })
  expect(await done.json()).toMatchObject({ success: true })
  expect((await json(first.url, '/api/user/login/second-factor', body, { cookie })).status).toBe(401)
  expect((await send(second.url, one, '/api/user/self', { method: 'GET' })).success).toBe(true)
  await json(first.url, '/api/user/logout', undefined, one.headers)
  expect((await send(second.url, one, '/api/user/self', { method: 'GET' })).success).toBe(false)
})

test('the state of a sign-in by a provider that one node hands out is known at the other', async () => {
  const answer = await json(first.url, '/api/oauth/state')
  const { data: state } = (await answer.json()) as { data: string }
  const rows = await place.read(
    "select purpose from one_time_secrets where purpose like '%oauth%' or purpose like '%state%'",
  )
  expect([typeof state, rows.length]).toEqual(['string', 1])
})
