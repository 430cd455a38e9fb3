// @engine sqlite
/** Pages of a sign-in in danger, in a browser: the link by mail, the consent for an app, users whose names are alike. */
import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { sessions } from '../../src/domain/account/table.ts'
import { foldUsernames } from '../../src/domain/users/names.ts'
import { users } from '../../src/domain/users/table.ts'
import { resetStores } from '../../src/process/stores.ts'
import { accessibilityViolations, overflows, PAGE_TEST_TIMEOUT_MS, visit } from '../support/browser/browser.ts'
import { setChats, withKey } from '../support/people/chats.ts'
import { crowd } from '../support/people/crowd.ts'
import { configureReset, linkTo, OLD_PASSWORD, userAt } from '../support/people/password-reset.ts'
import { anyone, setUp } from '../support/people/person.ts'

const root = await setUp()
await configureReset()
afterEach(() => resetStores('login-failures', 'sign-in-lines', 'password-work'))

const looks = [
  { language: 'en', theme: 'gate', screen: 'desktop', javascript: true },
  { language: 'zh', theme: 'gate-night', screen: 'phone', javascript: false },
] as const

const words = {
  en: {
    user: 'Username or email',
    password: 'Password',
    submit: 'Sign in',
    link: 'Mail me a link',
    give: 'Continue to AMA',
  },
  zh: { user: '用户名或邮箱', password: '密码', submit: '登录', link: '发送邮件链接', give: '继续前往 AMA' },
}

test.each(looks)(
  'a sign-in that has to wait leads through a mailed link to the session: %o',
  async look => {
    const { user, password, submit, link } = words[look.language]
    const email = `ann-${look.language}@example.com`
    const ann = await userAt(email)
    await db.delete(sessions).where(eq(sessions.user_id, ann.id))
    await crowd(ann.username, 110)
    const page = await visit(anyone, '/login', look)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const enter = async () => {
      await page.getByLabel(user).fill(ann.username)
      await page.getByLabel(password, { exact: true }).fill(OLD_PASSWORD)
      await button(submit).click()
    }
    await enter()
    await button(link).waitFor()
    expect(await overflows(page)).toBe(false)
    if (look.javascript) expect(await accessibilityViolations(page)).toEqual([])
    await button(link).click()
    await page.waitForURL(`**/login?username=${ann.username}*`)
    const { pathname, search } = await linkTo(email)
    await page.goto(pathname.replace('/path', '') + search)
    await page.waitForURL(`**/login?username=${ann.username}`)
    await enter()
    await page.waitForURL('**/app/tokens')
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(looks)(
  'the consent for an app leads to its address: %o',
  async look => {
    await setChats([{ AMA: 'ama://set-api-key?server={address}&key={key}' }])
    const { person, id, key } = await withKey()
    // A page that has tried to open an app follows no further links.
    const page = await visit(person, `/app/tokens/${id}/chat/0`, { ...look, isolated: true })
    expect(await overflows(page)).toBe(false)
    if (look.javascript) expect(await accessibilityViolations(page)).toEqual([])
    const left = page.waitForResponse(response => response.headers().location?.startsWith('ama://') ?? false)
    await page.getByRole('button', { name: words[look.language].give }).click()
    expect((await left).headers().location).toContain(key)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test.each(looks)(
  'root sees users whose names are alike, and opens one: %o',
  async look => {
    const names = [`Twin-${look.language}`, `twin-${look.language}`]
    const rows = names.map(username => ({ username, created_time: 1 }))
    await db.insert(users).values(rows)
    await foldUsernames()
    const page = await visit(root, '/admin/users', look)
    expect(await overflows(page)).toBe(false)
    if (look.javascript) expect(await accessibilityViolations(page)).toEqual([])
    await page.locator('.note.warning').getByRole('link', { name: names[1], exact: true }).click()
    const drawer = page.getByRole('dialog')
    await drawer.waitFor()
    expect(await drawer.locator('input[name="username"]').inputValue()).toBe(names[1]!)
  },
  PAGE_TEST_TIMEOUT_MS,
)
