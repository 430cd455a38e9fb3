// @engine sqlite
/** Messages in a browser: live preview, recipients, the bell, and every screen. */
import { expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import {
  accessibilityViolations,
  leave,
  looksInTier,
  overflows,
  PAGE_TEST_TIMEOUT_MS,
  problemsOf,
  visit,
} from '../support/browser/browser.ts'
import { drawer, toast } from '../support/browser/walks.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

async function send(to: Person[], fields: object = {}): Promise<number> {
  const user_ids = to.map(person => person.id)
  const { data } = await admin.post('/api/admin/messages', { title: 'Hello', content: 'There', user_ids, ...fields })
  return data.id
}

test(
  'a message is written with a live preview, to users picked on several pages, and arrives',
  async () => {
    const people = await Promise.all(Array.from({ length: 24 }, () => visitor()))
    const [ann, bob] = [people[0]!, people[23]!]
    const page = await visit(admin, '/admin/messages')
    await page.getByRole('link', { name: 'New message' }).first().click()
    const sheet = drawer(page)
    await sheet.getByLabel('Title').fill('Maintenance')
    await sheet.getByLabel('Content').fill('On **Saturday**')
    await sheet.locator('#message-preview strong').getByText('Saturday').waitFor()
    await sheet.getByLabel('Format').selectOption('html')
    await sheet.locator('#message-preview').getByText('On **Saturday**').waitFor()
    await sheet.getByLabel('Format').selectOption('markdown')

    await sheet.getByRole('button', { name: 'Send' }).click()
    await sheet.getByText('Please select at least one recipient').waitFor()
    await sheet.getByRole('searchbox').fill(ann.username)
    // The list that was searched has one page.
    await sheet.getByRole('button', { name: 'Next' }).waitFor({ state: 'detached' })
    await sheet.getByLabel(ann.username, { exact: false }).first().check()
    await sheet.getByRole('status').getByText(ann.username).waitFor()
    await sheet.getByRole('searchbox').fill('')
    await sheet.getByRole('button', { name: 'Next' }).click()
    await sheet.getByText(/21–\d+/).waitFor()
    await sheet.locator(`#recipient-${bob.id}`).check()
    await sheet.getByRole('status').getByText(`2 chosen: ${ann.username} and ${bob.username}`).waitFor()
    await sheet.getByRole('button', { name: 'Previous' }).click()
    await sheet.getByText(/1–20/).waitFor()
    await sheet.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Message created').waitFor()
    await page.locator('tollgate-drawer').waitFor({ state: 'detached' })
    const { data } = await admin.get('/api/admin/messages?page_size=1')
    const [sent] = data.items
    expect(sent).toMatchObject({ title: 'Maintenance', content: 'On **Saturday**', stats: { total_recipients: 2 } })
    expect(problemsOf(page).filter(problem => !problem.includes('422'))).toEqual([])

    const phone = await visit(ann, '/app/inbox', { screen: 'phone', language: 'zh' })
    await phone.getByRole('link', { name: '收件箱，1 条未读' }).waitFor()
    await phone.getByRole('link', { name: 'Maintenance' }).click()
    await phone.getByRole('heading', { name: 'Maintenance' }).waitFor()
    await phone.locator('.message-text strong').getByText('Saturday').waitFor()
    expect([await overflows(phone), await phone.locator('.topbar .count').count()]).toEqual([false, 0])
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'an edit keeps what was typed while the recipients are paged',
  async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => visitor()))
    const id = await send(people, { title: 'Many' })
    const page = await visit(admin, `/admin/messages?edit=${id}`)
    const sheet = drawer(page)
    await sheet.getByLabel('Title').fill('Many more')
    await sheet.getByRole('link', { name: 'Next' }).click()
    await sheet.getByText('11–12').waitFor()
    expect(await sheet.getByLabel('Title').inputValue()).toBe('Many more')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Message updated').waitFor()
    await page.getByRole('link', { name: 'Delete Many more' }).click()
    await drawer(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Message deleted').waitFor()
    expect((await people[0]!.get('/api/user/messages')).data.total).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the bell polls every 30 seconds, not while the page is hidden, and at once when it is shown again',
  async () => {
    const ann = await visitor()
    const page = await visit(ann, '/app/tokens', { isolated: true })
    await page.clock.install()
    await page.reload()
    const polls: string[] = []
    page.on('request', request => request.url().endsWith('/app/inbox/bell') && polls.push(request.url()))
    const unread = (count: number) => page.getByRole('link', { name: `Inbox, ${count} unread` })
    const show = (hidden: boolean) =>
      page.evaluate(value => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)

    await send([ann])
    await page.clock.runFor(29_000)
    expect(polls.length).toBe(0)
    await page.clock.runFor(1500)
    await unread(1).waitFor()
    expect([polls.length, await page.title()]).toEqual([1, 'API keys · Tollgate'])

    await show(true)
    await send([ann])
    await page.clock.runFor(120_000)
    expect(polls.length).toBe(1)
    await show(false)
    await unread(2).waitFor()
    expect(polls.length).toBe(2)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'messages are written, previewed, sent, read and marked without JavaScript',
  async () => {
    const people = await Promise.all(Array.from({ length: 22 }, () => visitor()))
    const bob = people.at(-1)!
    const page = await visit(admin, '/admin/messages', { javascript: false })
    await page.getByRole('link', { name: 'New message' }).first().click()
    await page.getByRole('textbox', { name: 'Title' }).fill('By hand')
    await page.getByRole('textbox', { name: 'Content' }).fill('**bold**')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('#message-preview strong').getByText('bold').waitFor()
    await page.getByRole('searchbox', { name: 'Find users' }).fill(bob.username)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByLabel(bob.username).check()
    await page.getByRole('searchbox', { name: 'Find users' }).fill('')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText(`1 chosen: ${bob.username}`).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText(/21–/).first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('By hand')
    await page.getByRole('button', { name: 'Send' }).click()
    await toast(page).getByText('Message created').waitFor()
    await page.getByText('0 of 1 read').first().waitFor()

    await send([bob], { title: 'Another' })
    const inbox = await visit(bob, '/app/inbox', { javascript: false })
    await inbox.getByRole('link', { name: 'By hand' }).click()
    await inbox.locator('.message-text strong').getByText('bold').waitFor()
    await inbox.getByRole('link', { name: 'Inbox, 1 unread' }).click()
    await inbox.getByRole('button', { name: 'Mark all as read' }).click()
    await toast(inbox).getByText('All messages are marked as read').waitFor()
    expect(await inbox.locator('tr.unread, .topbar .count').count()).toBe(0)
  },
  PAGE_TEST_TIMEOUT_MS,
)

test(
  'the pages of messages pass axe and do not overflow on any screen',
  async () => {
    const ann = await visitor()
    const wide = `| a | b |\n|--|--|\n| ${'wide'.repeat(40)} | c |\n\n\`\`\`\n${'code '.repeat(60)}\n\`\`\`\n\nhttps://a.example/${'x'.repeat(200)}`
    const content = `# One\n\n[link](https://a.example) and \`code\`\n\n- [x] done\n\n> quote\n\n${wide}`
    const id = await send([ann, root], { title: `Long ${'title'.repeat(30)}`, content })
    await send([ann], { title: 'Read me', content: '<table><tr><td>x</td></tr></table>', format: 'html' })
    const [inbox, list] = ['/app/inbox', '/admin/messages']
    const walks = [
      {
        paths: [inbox, `${inbox}/${id}`, list, `${list}?new`, `${list}?edit=${id}`, `${list}?delete=${id}`],
        look: { screen: 'desktop', theme: 'gate', language: 'en' },
      },
      { paths: [inbox, list], look: { screen: 'tablet', theme: 'gate-night', language: 'zh' } },
      {
        paths: [inbox, `${inbox}/${id}`, list, `${list}?new`, `${list}?edit=${id}`],
        look: { screen: 'phone', theme: 'gate-night', language: 'zh' },
      },
    ] as const
    for (const { paths, look } of looksInTier(walks)) {
      for (const path of paths) {
        const page = await visit(path.startsWith(inbox) ? ann : admin, path, look)
        const found = {
          violations: await accessibilityViolations(page),
          overflows: await overflows(page),
          problems: problemsOf(page),
        }
        expect({ ...look, path, ...found }).toEqual({ ...look, path, violations: [], overflows: false, problems: [] })
        await leave(page)
      }
    }
  },
  PAGE_TEST_TIMEOUT_MS,
)
