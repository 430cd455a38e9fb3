/** The pages of a password reset, as a browser without JavaScript uses them. */
import { beforeAll, expect, test } from 'bun:test'
import { configureReset, linkFor, linkTo, SITE, userAt } from '../support/people/password-reset.ts'
import { anyone, setUp, signIn } from '../support/people/person.ts'
import { mailsTo } from '../support/people/registration.ts'
import { fakeTurnstile } from '../support/upstream/turnstile.ts'

const turnstile = fakeTurnstile()

beforeAll(async () => {
  await setUp()
  await configureReset()
})

/** The value of the hidden field in a page. */
const fieldIn = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

async function openLink(link: URL) {
  const response = await anyone.page(link.href.slice(SITE.length))
  const html = await response.text()
  const fields = Object.fromEntries(['email', 'token', 'form_id'].map(name => [name, fieldIn(html, name)]))
  return { response, html, fields }
}

test('opening the link changes nothing, and its button shows the password once', async () => {
  const email = 'mia@example.com'
  const mia = await userAt(email)
  const link = await linkFor(email)
  for (let scan = 0; scan < 3; scan++) expect((await openLink(link)).response.status).toBe(200)
  expect((await mia.get('/api/user/self')).status).toBe(200)
  const { response, fields, html } = await openLink(link)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('same-origin')
  expect(html).toContain('For mia@example.com. You will be signed out on every device.')

  // A double click sends the form twice: the browser shows the second response.
  const [first, second] = await Promise.all([anyone.form('/user/reset', fields), anyone.form('/user/reset', fields)])
  expect([first.status, first.headers.get('cache-control'), first.headers.get('referrer-policy')]).toEqual([
    200,
    'no-store',
    'no-referrer',
  ])
  const shown = await first.text()
  const password = /<input[^>]*readOnly[^>]*value="([0-9A-Za-z]{16})"/i.exec(shown)![1]!
  expect(await second.text()).toContain(password)
  expect((await signIn(email, password)).id).toBe(mia.id)

  const again = await openLink(link)
  const used = await anyone.form('/user/reset', again.fields)
  expect(used.status).toBe(422)
  const refused = await used.text()
  expect(refused).toContain('The reset link is invalid or has expired')
  expect(refused).toContain('href="/reset"')
  expect(refused).not.toContain(password)
})

test.each(['', '?email=a@example.com', '?token=x', '?email=<script>&token=x', '?email=a@b.example&token='])(
  'a broken link %s shows no form',
  async query => {
    const response = await anyone.page(`/user/reset${query}`)
    const html = await response.text()
    expect(html).toContain('The reset link is invalid or has expired')
    expect([response.status, html.includes('action="/user/reset"'), html.includes('<script>&')]).toEqual([
      200,
      false,
      false,
    ])
  },
)

test('the form for a link reports errors at the address, and waits between two mails', async () => {
  await userAt('nia@example.com')
  const send = async (email: string) => {
    const response = await anyone.form('/reset', { email })
    return { status: response.status, html: await response.text() }
  }
  const unknown = await send('unknown@example.com')
  expect(unknown.status).toBe(422)
  expect(unknown.html).toContain('This email address is not registered')
  expect(unknown.html).toContain('value="unknown@example.com"')
  expect((await send('')).html).toContain('aria-invalid="true"')
  const sent = await send('Nia@Example.com')
  expect(sent.status).toBe(200)
  expect(sent.html).toContain('A link is on its way to nia@example.com. It is valid for 10 minutes.')
  expect(sent.html).toContain('<tollgate-countdown seconds="30"')
  const early = await send('nia@example.com')
  expect([early.status, await mailsTo('nia@example.com')]).toMatchObject([429, [{ recipient: 'nia@example.com' }]])
  expect(early.html).toMatch(/A mail is on its way\. Wait \d+ s before the next one/)
})

test('both steps of a reset ask for a solved challenge, on the pages and in the API', async () => {
  const email = 'oz@example.com'
  await userAt(email)
  await turnstile.enable()
  const solved = () => ({ 'cf-turnstile-response': turnstile.solve() })
  const failed = { success: false, code: 'human.failed', field: 'turnstile' }
  expect(await anyone.get(`/api/reset_password?email=${email}`)).toMatchObject({ code: 'human.token_missing' })
  expect(await anyone.get(`/api/reset_password?email=${email}&turnstile=forged`)).toMatchObject(failed)
  expect((await anyone.form('/reset', { email })).status).toBe(422)
  expect(await mailsTo(email)).toEqual([])
  expect((await anyone.form('/reset', { email, ...solved() })).status).toBe(200)

  const { fields } = await openLink(await linkTo(email))
  const refused = await anyone.form('/user/reset', fields)
  const html = await refused.text()
  expect([refused.status, fieldIn(html, 'token')]).toEqual([422, fields.token!])
  expect(html).toContain('Please retry in a few seconds, Turnstile is checking the user environment.')
  expect(await anyone.post('/api/user/reset?turnstile=forged', { email, token: fields.token })).toMatchObject(failed)
  expect((await anyone.form('/user/reset', { ...fields, ...solved() })).status).toBe(200)
  await turnstile.disable()
})
