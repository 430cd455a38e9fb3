// @engine sqlite
// @tier long
/** The life of an account in Chromium, from registration to deletion, with real mail and every login provider. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { translator } from '../../src/locales/index.ts'
import { listen } from '../support/app/app.ts'
import { looksInTier, PAGE_TEST_TIMEOUT_MS, problemsOf, visit } from '../support/browser/browser.ts'
import { named, plugIn } from '../support/browser/security-key.ts'
import { Walker } from '../support/browser/walker.ts'
import { drawer } from '../support/browser/walks.ts'
import { mailSink } from '../support/mail/sink.ts'
import { startGitHub, startLinuxDo } from '../support/oauth/code-site.ts'
import { startOpenIdProvider } from '../support/oauth/oidc-provider.ts'
import {
  configureGitHub,
  configureLinuxDo,
  configureOpenId,
  configureTelegram,
  configureWeChat,
} from '../support/oauth/options.ts'
import { serveWidget } from '../support/oauth/telegram-page.ts'
import { startWeChatServer } from '../support/oauth/wechat-server.ts'
import { anyone, setUp, visitor } from '../support/people/person.ts'

const site = named(listen())
const sink = await mailSink()
const [github, linuxDo, wechat] = [startGitHub(), startLinuxDo(), startWeChatServer()]
const openId = await startOpenIdProvider([`${site}/oauth/oidc`])

beforeAll(async () => {
  await setUp()
  await sink.options({
    ServerAddress: site,
    EmailVerificationEnabled: true,
    AffEnabled: true,
    QuotaForInvitee: 250_000,
    QuotaForInviter: 500_000,
  })
})

beforeEach(async () => {
  await configureGitHub(github)
  await configureLinuxDo(linuxDo)
  await configureOpenId(openId)
  await configureWeChat(wechat)
  await configureTelegram()
})

afterAll(async () => {
  openId.stop()
  for (const provider of [github, linuxDo, wechat]) await provider.stop()
})

let last = 4200

/** Binds every provider, and another address than that of the registration. */
async function bindEverything(ann: Walker) {
  const { page } = ann
  const id = ++last
  github.visitor = { id, login: ann.username, name: 'Ann' }
  linuxDo.visitor = { id, username: ann.username, name: 'Ann', active: true, silenced: false, trust_level: 2 }
  openId.visitor = { sub: `subject-${id}`, name: 'Ann' }
  for (const provider of ['github', 'oidc', 'linuxdo'] as const) await ann.bind(provider)
  await ann.bind('wechat', async () => {
    await ann.look()
    await ann.field('oauth.code').fill(wechat.codeFor(`wechat-${id}`))
    await ann.button('oauth.bind').click()
  })
  await serveWidget(page, { id: String(id), first_name: 'Ann' })
  // axe is not asked: the frame, which has no title, is Telegram's.
  await ann.bind('telegram', () => page.frameLocator('iframe').getByRole('button').click())
  await page.getByRole('link', { name: ann.t('oauth.change_named', { name: ann.t('oauth.email') }) }).click()
  ann.email = `${ann.username}@new.example`
  await ann.field('registration.email').fill(ann.email)
  await ann.button('registration.send_code').click()
  await ann.text('registration.code_sent', { email: ann.email, minutes: 10 }).waitFor()
  await ann.look()
  await ann.field('oauth.code').fill(await ann.codeFromMail(ann.email))
  await ann.button('oauth.bind').click()
  await ann.text('me.bindings').waitFor()
  await ann.look()
}

async function addPasskey(ann: Walker) {
  await ann.link('me.tab_security').click()
  await ann.link('security.passkey_add').click()
  await drawer(ann.page).getByLabel(ann.t('security.passkey_name')).fill('laptop')
  await ann.look()
  await drawer(ann.page)
    .getByRole('button', { name: ann.t('security.passkey_add') })
    .click()
  await ann.text('security.codes_title').waitFor()
  await ann.look()
  await ann.link('security.codes_done').click()
  await ann.page.waitForURL('**/app/me/security')
  await ann.text('security.codes_left', { count: 10, total: 10 }).waitFor()
  await ann.look()
}

/** An administrator writes to everyone. */
async function writeToAll(admin: Walker, title: string) {
  const sheet = drawer(admin.page)
  await admin.link('message.create').first().click()
  await sheet.getByLabel(admin.t('message.title'), { exact: true }).fill(title)
  await sheet.getByLabel(admin.t('message.content'), { exact: true }).fill('On **Saturday**')
  await sheet.locator('#message-preview strong').getByText('Saturday').waitFor()
  await sheet.getByText(admin.t('message.to_all'), { exact: true }).click()
  await admin.look()
  await sheet.getByRole('button', { name: admin.t('message.send') }).click()
  await admin.text('message.created').waitFor()
  await admin.look()
}

/** On a phone: the bell tells of one message, and no more once it is read. */
async function readOnPhone(ann: Walker, title: string) {
  const { page, t } = ann
  await page.setViewportSize({ width: 390, height: 900 })
  await ann.open('/app/tokens')
  await page.getByRole('link', { name: t('shell.unread', { count: 1 }) }).click()
  await page.waitForURL('**/app/inbox')
  await ann.look()
  await page.getByRole('link', { name: title }).click()
  await page.locator('.message-text strong').getByText('Saturday').waitFor()
  await page
    .locator('.topbar')
    .getByRole('link', { name: t('shell.inbox'), exact: true })
    .waitFor()
  expect(await page.locator('.topbar .count').count()).toBe(0)
  await ann.look()
}

test.each(
  looksInTier([
    ['en', 'desktop'],
    ['zh', 'phone'],
  ] as const),
)(
  'an account lives from registration to deletion, with every way in: %s, %s',
  async (language, screen) => {
    const t = translator(language)
    const page = await visit(anyone, '/login', { language, screen, isolated: true })
    const size = page.viewportSize()!
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site })
    await page.route('https://wechat.example/qr.png', route => route.fulfill({ path: 'public/favicon.svg' }))
    await plugIn(page)
    const ann = new Walker(page, t, sink)
    await ann.open('/register')
    await ann.look()
    await ann.register()
    await ann.arrival()
    await ann.look()

    await ann.open('/app/me')
    await bindEverything(ann)
    await addPasskey(ann)
    await ann.signOut()
    await ann.button('security.passkey_sign_in').click()
    await ann.arrival()

    await ann.open('/app/me?tab=rewards')
    const link = await ann.field('me.invitation_link').inputValue()
    const bob = new Walker(await visit(anyone, '/login', { language, screen, isolated: true }), t, sink)
    await bob.page.goto(link)
    await bob.register()
    await bob.arrival()
    await bob.open('/app/me')
    await bob.page.getByText('$0.50').first().waitFor()
    await bob.look()
    await page.reload()
    await ann.text('reward.show_invitees').waitFor()

    const admin = await visitor(Role.admin)
    const office = new Walker(await visit(admin, '/admin/messages', { language, screen }), t, sink, admin.username)
    await writeToAll(office, `News for ${ann.username}`)
    await readOnPhone(ann, `News for ${ann.username}`)
    await page.setViewportSize(size)

    await ann.signOut()
    const mailed = await ann.reset()
    await ann.look()
    await page.goto(mailed)
    await ann.look()
    await ann.newPassword()
    await ann.look()
    await ann.link('reset.sign_in').click()
    await ann.signIn(ann.email)
    await ann.button('security.passkey_use').waitFor()
    await ann.look()
    await ann.button('security.passkey_use').click()
    await ann.arrival()

    await ann.delete()
    await ann.look()
    await page.getByRole('link', { name: 'GitHub' }).click()
    await ann.text('oauth.account_deleted').waitFor()
    const problems = [page, bob.page, office.page].flatMap(problemsOf)
    expect(problems).toEqual([])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(
  looksInTier([
    ['en', 'desktop'],
    ['zh', 'phone'],
  ] as const),
)(
  'registration, sign-in, reset, settings and inbox work without JavaScript: %s, %s',
  async (language, screen) => {
    const page = await visit(anyone, '/login', { language, screen, javascript: false, isolated: true })
    const ann = new Walker(page, translator(language), sink)
    await ann.open('/register')
    await ann.register(false)
    await ann.arrival()

    await ann.open('/app/me')
    await ann.field('me.display_name').fill('Ann')
    await ann.button('ui.save').click()
    await ann.text('me.saved').waitFor()
    expect(await ann.field('me.display_name').inputValue()).toBe('Ann')
    await ann.open('/app/inbox')
    await ann.text('message.inbox_empty').waitFor()
    const title = `News for ${ann.username}`
    const root = await setUp()
    await root.post('/api/admin/messages', { title, content: 'On **Saturday**', all: true })
    await ann.open('/app/inbox')
    await page.getByRole('link', { name: title }).click()
    await page.locator('.message-text strong').getByText('Saturday').waitFor()
    expect(await page.locator('.topbar .count').count()).toBe(0)

    await ann.signOut()
    await page.goto(await ann.reset())
    await ann.newPassword()
    await ann.link('reset.sign_in').click()
    await ann.signIn(ann.email)
    await ann.arrival()
    await ann.delete()
  },
  PAGE_TEST_TIMEOUT_MS,
)
