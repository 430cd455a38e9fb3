/** A user in a browser who looks after an account, in either language. */
import { expect } from 'bun:test'
import type { Page } from 'playwright'
import type { LoginProviderName } from '../../../src/contracts/oauth.ts'
import type { MessageKey, Translate } from '../../../src/locales/index.ts'
import { listen } from '../app/app.ts'
import type { MailSink } from '../mail/sink.ts'
import { PASSWORD, registrationFields } from '../people/registration.ts'
import { accessibilityViolations, overflows } from './browser.ts'
import { named } from './security-key.ts'

/** One user with a browser, who knows the site by its texts. */
export class Walker {
  constructor(
    readonly page: Page,
    readonly t: Translate,
    readonly sink: MailSink,
    readonly username: string = registrationFields().username,
    public email = `${username}@example.com`,
    public password = PASSWORD,
  ) {}

  open = (path: string) => this.page.goto(named(listen()) + path)
  button = (key: MessageKey) => this.page.getByRole('button', { name: this.t(key), exact: true })
  link = (key: MessageKey) => this.page.getByRole('link', { name: this.t(key), exact: true })
  field = (key: MessageKey) => this.page.getByLabel(this.t(key), { exact: true })
  text = (key: MessageKey, params: Record<string, string | number> = {}) => this.page.getByText(this.t(key, params))

  /** Expects a page without accessibility violations that does not scroll sideways. */
  async look() {
    const { pathname } = new URL(this.page.url())
    const found = { violations: await accessibilityViolations(this.page), overflows: await overflows(this.page) }
    expect({ pathname, ...found }).toEqual({ pathname, violations: [], overflows: false })
  }

  async codeFromMail(to: string) {
    const { text } = await this.sink.next(to)
    return /^\d{6}$/m.exec(text!)![0]
  }

  /** On the registration page. */
  async register(isScripted = true) {
    await this.field('registration.username').fill(this.username)
    await this.field('registration.email').fill(this.email)
    await this.button('registration.send_code').click()
    await this.text('registration.code_sent', { email: this.email, minutes: 10 }).waitFor()
    if (isScripted) await this.look()
    await this.field('registration.code').fill(await this.codeFromMail(this.email))
    await this.field('registration.password').fill(this.password)
    await this.field('registration.password_again').fill(this.password)
    await this.button('registration.submit').click()
    await this.text('registration.done').waitFor()
    if (isScripted) await this.look()
  }

  /** On the sign-in page. */
  async signIn(name = this.username) {
    await this.field('login.username').fill(name)
    await this.field('login.password').fill(this.password)
    await this.button('login.submit').click()
  }

  arrival = () => this.page.waitForURL('**/app/tokens')

  async signOut() {
    await this.page.getByRole('button', { name: this.t('shell.account', { name: this.username }) }).click()
    await this.button('shell.sign_out').click()
    await this.button('login.submit').waitFor()
  }

  /** On the sign-in page. @returns the mailed link */
  async reset() {
    await this.link('login.forgot').click()
    await this.field('reset.email').fill(this.email)
    await this.button('reset.submit').click()
    await this.text('reset.sent', { email: this.email, minutes: 10 }).waitFor()
    const { text } = await this.sink.next(this.email)
    return /http:\S+/.exec(text!)![0]
  }

  /** On the page behind the mailed link. */
  async newPassword() {
    await this.button('reset.confirm_submit').click()
    await this.page.getByRole('heading', { name: this.t('reset.result_title') }).waitFor()
    this.password = await this.field('reset.password').inputValue()
  }

  /** Goes from the settings to a provider, where `confirm` agrees, and comes back. */
  async bind(name: LoginProviderName, confirm?: () => Promise<unknown>) {
    const { page, t } = this
    const what = { name: t(`oauth.${name}`) }
    await page.getByRole('link', { name: t('oauth.bind_named', what) }).click()
    await confirm?.()
    await page.getByRole('button', { name: t('oauth.unbind_named', what) }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/me')
  }

  /** Deletes the account by its typed name. */
  async delete() {
    await this.open('/app/me')
    await this.link('me.delete_open').click()
    const label = this.t('ui.confirm_type', { name: this.username }).replace(/<\/?b>/g, '')
    await this.page.getByLabel(label).fill(this.username)
    await this.button('me.delete_do').click()
    await this.text('me.deleted').waitFor()
  }
}
