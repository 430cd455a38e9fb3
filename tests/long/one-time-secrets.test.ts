// @engine postgres
// @waits
/**
 * What is used once: begun at one node, used at both at the same time, and again later. One use succeeds. The clocks of
 * the nodes are five minutes before and five behind, which nothing shows.
 */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { PURPOSES, type Purpose } from '../../src/cluster/one-time.ts'
import { newInstallation, setUpAt, signInAt } from '../support/app/installation.ts'
import type { Server } from '../support/app/server.ts'
import { setOption } from '../support/app/site.ts'
import { checkInvariants } from '../support/cluster/invariants.ts'
import { NodeBrowser, SITE } from '../support/cluster/node-browser.ts'
import { OFFSET_MS, startShifted } from '../support/cluster/shifted-clock.ts'
import { mailSink } from '../support/mail/sink.ts'
import { type CodeSite, SITE_CLIENT, startGitHub, startLinuxDo } from '../support/oauth/code-site.ts'
import { openIdOptions, startOpenIdProvider } from '../support/oauth/oidc-provider.ts'
import { BOT_TOKEN, widgetFields } from '../support/oauth/telegram-widget.ts'
import { sendWell } from '../support/people/member.ts'
import { codeOf } from '../support/people/second-factors.ts'
import { SoftPasskey } from '../support/people/soft-passkey.ts'
import { until } from '../support/until.ts'

const PASSWORD = 'opensesame'

const sink = await mailSink()
const github = startGitHub()
const linuxDo = startLinuxDo()
const openId = await startOpenIdProvider([`${SITE}/oauth/oidc`])
/** Remembers no token: the nodes alone refuse a second use. */
const turnstile = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch: ({ method }) => Response.json({ success: method === 'POST', 'error-codes': [] }),
})
afterAll(() => Promise.all([github.stop(), linuxDo.stop(), openId.stop(), turnstile.stop(true)]))

const place = await newInstallation()
afterEach(() => checkInvariants(place))
const env = {
  ...place.env,
  ...{ OUTBOUND_ALLOW: '127.0.0.0/8', TURNSTILE_VERIFY_URL: turnstile.url.href },
  ...{ GITHUB_URL: github.url, GITHUB_API_URL: `${github.url}/api/v3`, LINUX_DO_URL: linuxDo.url },
}
const first = await startShifted(OFFSET_MS, { ...place, env })
await setUpAt(first)
const options = {
  ...sink.settingsOfSite(),
  ServerAddress: SITE,
  ...{ GitHubClientId: SITE_CLIENT.id, GitHubClientSecret: SITE_CLIENT.secret, GitHubOAuthEnabled: true },
  ...{ LinuxDOClientId: SITE_CLIENT.id, LinuxDOClientSecret: SITE_CLIENT.secret, LinuxDOOAuthEnabled: true },
  ...{ TelegramBotToken: BOT_TOKEN, TelegramBotName: 'gatebot', TelegramOAuthEnabled: true },
  ...{ TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret' },
  ...openIdOptions(openId),
}
for (const [key, value] of Object.entries(options)) await setOption(first.url, key, value)
const second = await startShifted(-OFFSET_MS, { ...place, env })
const root = await signInAt(first)

let unique = 0
async function newUser() {
  const username = `user${++unique}`
  const browser = new NodeBrowser()
  await browser.call(first, '/api/user/register', { username, password: PASSWORD })
  const rows = await place.read(`select id from users where username = '${username}'`)
  const { id } = rows[0] as { id: number }
  const signedIn = await browser.call(first, '/api/user/login', { username, password: PASSWORD })
  expect(signedIn.success).toBe(true)
  browser.user = String(id)
  return { id, username, browser }
}

type User = Awaited<ReturnType<typeof newUser>>

/** With an authenticator app, and two recovery codes of it. */
async function withApp() {
  const user = await newUser()
  const { data: app } = await user.browser.call(first, '/api/user/authenticator', {})
  const code = codeOf(app.secret, -1)
  const { data } = await user.browser.call(first, '/api/user/authenticator/confirm', { code })
  return { ...user, secret: app.secret as string, codes: data.recovery_codes as string[] }
}

/** The first step of a sign-in with two. */
async function pending({ username }: Pick<User, 'username'>) {
  const browser = new NodeBrowser()
  const { data } = await browser.call(first, '/api/user/login', { username, password: PASSWORD })
  return { browser, ticket: data.ticket as string }
}

async function addPasskey({ browser }: User) {
  const passkey = new SoftPasskey(SITE)
  const { data } = await browser.call(first, '/api/user/passkey-challenge', {})
  const body = { name: 'key', credential: passkey.create(data.challenge) }
  expect(await browser.succeeds(first, '/api/user/passkeys', body)).toBe(true)
  return passkey
}

/** @param index of the attempt. @returns whether it succeeds */
type Use = (node: Server, index: number) => Promise<boolean>

const isSignedIn = (response: Response) => response.headers.getSetCookie().some(set => /^session=./.test(set))

async function byProvider(provider: string, agree: (url: string, index: number) => URL | Promise<URL>): Promise<Use> {
  const browser = new NodeBrowser()
  const url = (await browser.fetch(first, `/oauth/${provider}/start`)).headers.get('location')!
  const backs: URL[] = []
  for (let index = 0; index < 3; index++) backs.push(await agree(url, index))
  return async (node, index) =>
    isSignedIn(await browser.copy().fetch(node, backs[index]!.pathname + backs[index]!.search))
}

const ofSite = (site: CodeSite) => (url: string, index: number) =>
  site.agree(url, { id: ++unique * 10 + index, login: `visitor${unique}`, username: `visitor${unique}`, active: true })

async function linkIn(to: string): Promise<URL> {
  return new URL(/https?:[^\s]+/.exec((await sink.next(to)).text!)![0])
}

async function withEmail() {
  const user = await newUser()
  const email = `${user.username}@example.com`
  await place.change(`update users set email = '${email}' where id = ${user.id}`)
  return { ...user, email }
}

const telegramId = () => String(700_000 + ++unique)
const telegramFields = (id: string, index: number) =>
  widgetFields({ id, first_name: 'Ann', auth_date: String(Math.floor(Date.now() / 1000) - index) })

async function boundToTelegram() {
  const { id } = await newUser()
  const telegram_id = telegramId()
  await place.change(`update users set telegram_id = '${telegram_id}' where id = ${id}`)
  return telegram_id
}

/** Switches an option at both nodes. @param field of the status that shows it */
async function switchBoth(option: string, field: string, isOn: boolean) {
  await sendWell(first.url, root, '/api/option/', { method: 'PUT', body: { key: option, value: isOn } })
  for (const node of [first, second])
    await until(async () => (await new NodeBrowser().call(node, '/api/status')).data[field] === isOn, option)
}

const verifyAddresses = (isOn: boolean) => switchBoth('EmailVerificationEnabled', 'email_verification', isOn)
const checkHumans = (isOn: boolean) => switchBoth('TurnstileCheckEnabled', 'turnstile_check', isOn)

const begins: Record<Purpose, () => Promise<Use>> = {
  async email() {
    await verifyAddresses(true)
    const email = `code${++unique}@example.com`
    await new NodeBrowser().call(first, `/api/verification?email=${email}`)
    const verification_code = /\b\d{6}\b/.exec((await sink.next(email)).text!)![0]
    return async (node, index) => {
      // The address alone would refuse it.
      if (index === 2) await place.change(`update users set email = '' where email = '${email}'`)
      const body = { username: `coded${++unique}`, password: PASSWORD, email, verification_code }
      return new NodeBrowser().succeeds(node, '/api/user/register', body)
    }
  },
  async reset() {
    const { email } = await withEmail()
    await new NodeBrowser().call(first, `/api/reset_password?email=${email}`)
    const token = (await linkIn(email)).searchParams.get('token')
    return node => new NodeBrowser().succeeds(node, '/api/user/reset', { email, token })
  },
  async browser() {
    const { username, email } = await withEmail()
    const body = new URLSearchParams({ username, action: 'link' })
    await fetch(`${first.url}/login`, { method: 'POST', body, redirect: 'manual' })
    const { pathname, search } = await linkIn(email)
    return async node => (await new NodeBrowser().fetch(node, pathname + search)).headers.getSetCookie().length > 1
  },
  async 'sign-in'() {
    const user = await withApp()
    const { browser, ticket } = await pending(user)
    return (node, index) =>
      browser.copy().succeeds(node, '/api/user/login/second-factor', { ticket, code: user.codes[index] })
  },
  async 'human-check'() {
    await checkHumans(true)
    const token = `token${++unique}`
    return node => {
      const body = { username: `human${++unique}`, password: PASSWORD }
      return new NodeBrowser().succeeds(node, `/api/user/register?turnstile=${token}`, body)
    }
  },
  async telegram() {
    const fields = telegramFields(await boundToTelegram(), 0)
    return node => new NodeBrowser().succeeds(node, `/api/oauth/telegram/login?${new URLSearchParams(fields)}`)
  },
  async 'oauth any'() {
    const browser = new NodeBrowser()
    const { data: state } = await browser.call(first, '/api/oauth/state')
    const redirect_uri = `${SITE}/oauth/github`
    const asked = { client_id: SITE_CLIENT.id, response_type: 'code', state, redirect_uri }
    const url = `${github.url}/login/oauth/authorize?${new URLSearchParams(asked)}`
    return (node, index) => browser.copy().succeeds(node, `/api/oauth/github${ofSite(github)(url, index).search}`)
  },
  'oauth github': () => byProvider('github', ofSite(github)),
  'oauth linuxdo': () => byProvider('linuxdo', ofSite(linuxDo)),
  'oauth oidc': () => byProvider('oidc', (url, index) => openId.agree(url, { sub: `sub${++unique}-${index}` })),
  async 'oauth telegram'() {
    const id = await boundToTelegram()
    const browser = new NodeBrowser()
    const html = await (await browser.fetch(first, '/oauth/telegram/start')).text()
    const state = /state=([\w-]+)/.exec(html)![1]!
    return async (node, index) => {
      const query = new URLSearchParams({ ...telegramFields(id, index), state })
      return isSignedIn(await browser.copy().fetch(node, `/oauth/telegram?${query}`))
    }
  },
  async 'passkey-add'() {
    const { browser } = await newUser()
    const { data } = await browser.call(first, '/api/user/passkey-challenge', {})
    return node => {
      const body = { name: `key${++unique}`, credential: new SoftPasskey(SITE).create(data.challenge) }
      return browser.copy().succeeds(node, '/api/user/passkeys', body)
    }
  },
  async 'passkey-confirm'() {
    const user = await newUser()
    const passkey = await addPasskey(user)
    await place.change(`update users set password = '' where id = ${user.id}`)
    const { data } = await user.browser.call(first, '/api/user/confirm/challenge', {})
    await Bun.sleep(1100)
    return node => user.browser.copy().succeeds(node, '/api/user/confirm', { credential: passkey.get(data.challenge) })
  },
  async 'passkey-second-factor'() {
    const user = await newUser()
    const passkey = await addPasskey(user)
    const { browser, ticket } = await pending(user)
    const { data } = await browser.call(first, '/api/user/login/second-factor/challenge', { ticket })
    return node => {
      const body = { ticket, credential: passkey.get(data.challenge) }
      return browser.copy().succeeds(node, '/api/user/login/second-factor', body)
    }
  },
  async 'passkey-sign-in'() {
    const passkey = await addPasskey(await newUser())
    const browser = new NodeBrowser()
    const { data } = await browser.call(first, '/api/user/login/passkey/challenge', {})
    return node => browser.copy().succeeds(node, '/api/user/login/passkey', { credential: passkey.get(data.challenge) })
  },
}

/** What is used once and is no secret of its own: the same code in two sign-ins that wait. */
const codes: Record<string, () => Promise<Use>> = {
  'code of an authenticator': () => inTwoSignIns(({ secret }) => codeOf(secret)),
  'recovery code': () => inTwoSignIns(({ codes }) => codes[0]!),
}

async function inTwoSignIns(codeFor: (user: Awaited<ReturnType<typeof withApp>>) => string): Promise<Use> {
  const user = await withApp()
  const waiting = [await pending(user), await pending(user), await pending(user)]
  return (node, index) => {
    const { browser, ticket } = waiting[index]!
    return browser.succeeds(node, '/api/user/login/second-factor', { ticket, code: codeFor(user) })
  }
}

/** Scanners of mails open this link before its reader does; it opens no session. */
const isReusable = (purpose: string) => purpose === 'browser'

const cases = [...PURPOSES.map(purpose => [purpose, begins[purpose]] as const), ...Object.entries(codes)]

afterEach(async () => {
  await verifyAddresses(false)
  await checkHumans(false)
})

test.each(cases)('%s: what one node hands out is used once, at either node', async (purpose, begin) => {
  const use = await begin()
  const both = await Promise.all([use(second, 0), use(first, 1)])
  const later = await use(second, 2)
  const uses = [...both, later].filter(is => is).length
  expect([purpose, uses, later]).toEqual([purpose, isReusable(purpose) ? 3 : 1, isReusable(purpose)])
})

test.each(cases)('%s: what one node hands out is used at the other', async (purpose, begin) => {
  const use = await begin()
  expect([purpose, await use(second, 0)]).toEqual([purpose, true])
})

test('a session that one node opens is that of the other, and ends at both', async () => {
  const { headers } = await signInAt(first)
  const isIn = async ({ url }: Server) => (await fetch(`${url}/api/user/self`, { headers })).status === 200
  expect([await isIn(first), await isIn(second)]).toEqual([true, true])
  await fetch(`${second.url}/api/user/logout`, { headers })
  await until(async () => !(await isIn(first)), 'the session ends')
  expect(await isIn(second)).toBe(false)
})
