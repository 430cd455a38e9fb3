/** The inbox and the page of sent messages by their links and forms, as a browser without JavaScript uses them. */
import { expect, test } from 'bun:test'
import { desc, eq, sql } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { atomic, rawQuery, run } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { messageRecipients, messages } from '../../src/domain/messages/table.ts'
import { anyone, type Person, visitor } from '../support/people/person.ts'

const admin = await visitor(Role.admin)

async function send(to: Person[], fields: object = {}): Promise<number> {
  const user_ids = to.map(person => person.id)
  const { data } = await admin.post('/api/admin/messages', { title: 'Hello', content: 'There', user_ids, ...fields })
  return data.id
}

/** The page, without the comments by which React tells two texts apart. */
const textOf = async (response: Response | Promise<Response>) =>
  (await (await response).text()).replaceAll('<!-- -->', '')
const noticeOf = (response: Response) =>
  JSON.parse(decodeURIComponent(/notice=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? 'null'))
const bellOf = (page: string) => /<a id="inbox-bell".*?<\/a>/s.exec(page)?.[0] ?? ''
const newest = async () => (await db.select().from(messages).orderBy(desc(messages.id)).limit(1))[0]!
const recipientsOf = async (id: number) =>
  (await db.select().from(messageRecipients).where(eq(messageRecipients.message_id, id)))
    .map(row => row.user_id)
    .sort((a, b) => a - b)

test('the inbox shows title, beginning and time of each message, and which are unread', async () => {
  const ann = await visitor()
  const content = `# Big news\n\nIt is **here** &amp; it is ${'long '.repeat(40)}`
  const long = await send([ann], { title: 'Long <one>', content })
  const read = await send([ann], { title: 'Short one', content: '<p>a</p><p>b<b>c</b></p>', format: 'html' })
  await ann.put(`/api/user/messages/${read}/read`)
  const page = await textOf(ann.page('/app/inbox'))
  const preview = `Big news It is here & it is ${'long '.repeat(40)}`.slice(0, 97)
  expect(page).toContain(`${preview.replace('&', '&amp;')}...</td>`)
  expect(page).toContain('Long &lt;one&gt;')
  expect(page).toContain('>a bc</td>')
  expect([page.match(/class="unread"/g)?.length, page.match(/class="read"/g)?.length]).toEqual([1, 1])
  expect(page).toContain(`href="/app/inbox/${long}"`)
  expect(page).toContain('<b>1–2</b> of 2')
  for (let more = 0; more < 9; more++) await send([ann])
  const headers = { cookie: `${ann.cookie}; page-size=10` }
  expect(await textOf(ann.page('/app/inbox', { headers }))).toContain('href="/app/inbox?p=2"')
  expect(await textOf(ann.page('/app/inbox?p=2', { headers }))).toContain('Long &lt;one&gt;')
})

test('opening a message marks it as read and shows its format, when it was sent and when it was read', async () => {
  const ann = await visitor()
  const id = await send([ann], { title: 'Open me', content: '# Hi\n\n[link](https://a.example)' })
  expect(bellOf(await textOf(ann.page('/app/inbox')))).toContain('aria-label="Inbox, 1 unread"')
  const page = await textOf(ann.page(`/app/inbox/${id}`))
  for (const words of ['<h1>Open me</h1>', '>Markdown</span>', 'Sent <time', 'Read <time', '<h2>Hi</h2>'])
    expect(page).toContain(words)
  expect(page).toContain('<a href="https://a.example" rel="noopener noreferrer nofollow">link</a>')
  expect(bellOf(page)).toContain('aria-label="Inbox"')
  expect(await textOf(ann.page(`/app/inbox/${id}`, { language: 'zh' }))).toContain('发送时间 <time')
})

test.each([
  ['en', 'Message does not exist'],
  ['zh', '消息不存在'],
] as const)(
  'an unknown or foreign message leads back to the inbox with a sentence (%s)',
  async (language, sentence) => {
    const [ann, bob] = [await visitor(), await visitor()]
    const foreign = await send([bob])
    for (const id of [foreign, 987_654_321]) {
      const response = await ann.page(`/app/inbox/${id}`, { language })
      expect([response.status, response.headers.get('location')]).toEqual([303, '/app/inbox'])
      expect(noticeOf(response)).toMatchObject({ kind: 'error', text: sentence })
    }
    expect((await bob.get('/api/user/messages/unread_count')).data.unread_count).toBe(1)
  },
)

test('all messages are marked as read by one form', async () => {
  const ann = await visitor()
  for (let count = 0; count < 3; count++) await send([ann])
  expect(await textOf(ann.page('/app/inbox'))).toContain('Mark all as read')
  const response = await ann.form('/app/inbox/read', { returnTo: '/app/inbox?p=1' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/app/inbox?p=1'])
  expect(await textOf(ann.page('/app/inbox'))).not.toContain('Mark all as read')
  expect((await ann.get('/api/user/messages/unread_count')).data.unread_count).toBe(0)
})

test('the bell is a small fragment that says 99+ above 99', async () => {
  const ann = await visitor()
  const id = await send([ann])
  const bell = async () => {
    const response = await ann.fetch('/app/inbox/bell', {
      headers: { 'hx-request': 'true', 'hx-request-type': 'partial', 'hx-target': 'a#inbox-bell' },
    })
    return textOf(response)
  }
  expect(await bell()).toContain('<span class="count" aria-hidden="true">1</span>')
  const copies = (count: number) =>
    atomic(function* (tx) {
      for (let copy = 0; copy < count; copy++) {
        const values = {
          title: 'x',
          content: 'y',
          format: 'html' as const,
          created_by: 0,
          created_time: 1,
          updated_time: 1,
        }
        const [made] = yield* run(tx.insert(messages).values(values).returning())
        yield* run(tx.insert(messageRecipients).values({ user_id: ann.id, message_id: made!.id, created_time: 1 }))
      }
    })
  await copies(98)
  expect(await bell()).toContain('>99</span>')
  await copies(1)
  const many = await bell()
  expect(many).toContain('>99+</span>')
  expect(many).toContain('aria-label="Inbox, 100 unread"')
  expect([many.startsWith('<a id="inbox-bell"'), many.length < 1000]).toEqual([true, true])
  expect(bellOf(await textOf(ann.page('/app/tokens')))).toContain('>99+</span>')
  expect((await ann.get(`/api/user/messages/${id}`)).data.is_read).toBe(false)
  expect(await textOf(anyone.page('/login'))).not.toContain('inbox-bell')
  expect(await textOf(anyone.page('/'))).not.toContain('inbox-bell')
})

test('visitors go to the login page, and users without the right to the home page', async () => {
  const ann = await visitor()
  for (const path of [
    '/app/inbox',
    '/app/inbox/1',
    '/app/inbox/bell',
    '/admin/messages',
    '/admin/messages/1/recipients',
  ])
    expect([path, (await anyone.page(path)).headers.get('location')]).toEqual([
      path,
      expect.stringMatching(/^\/login\?/),
    ])
  for (const path of ['/admin/messages', '/admin/messages?new', '/admin/messages/1'])
    expect([path, (await ann.page(path)).headers.get('location')]).toEqual([path, '/'])
})

test('a list that cannot be read says so', async () => {
  const ann = await visitor()
  const rename = (from: string, to: string) =>
    atomic(function* (tx) {
      yield* run(rawQuery(tx, sql.raw(`alter table ${from} rename to ${to}`)))
    })
  await rename('messages', 'messages_away')
  try {
    const response = await ann.page('/app/inbox')
    expect([response.status, await textOf(response)]).toEqual([500, expect.stringContaining('Failed to load messages')])
    expect(await textOf(ann.page('/app/inbox', { language: 'zh' }))).toContain('加载消息失败')
  } finally {
    await rename('messages_away', 'messages')
  }
})

const written = { title: 'News', content: 'Text', format: 'markdown', to: 'users' }

test('a new message goes to the chosen users, a group or all, and the list says how many have read it', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const chosen = await admin.form('/admin/messages?new', {
    ...written,
    'user_ids[]': [String(ann.id), String(bob.id), String(ann.id)],
    returnTo: '/admin/messages?p=1',
  })
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/admin/messages?p=1'])
  expect(noticeOf(chosen)).toMatchObject({ kind: 'success', text: 'Message created' })
  const { id } = await newest()
  expect(await recipientsOf(id)).toEqual([ann.id, bob.id])
  await ann.put(`/api/user/messages/${id}/read`)
  expect(await textOf(admin.page('/admin/messages'))).toContain('1 of 2 read')
  await admin.form('/admin/messages?new', { ...written, title: 'To all', to: 'all', 'user_ids[]': [String(ann.id)] })
  expect((await recipientsOf((await newest()).id)).length).toBeGreaterThan(2)
  await admin.form('/admin/messages?new', { ...written, title: 'To a group', to: 'group', group: 'default' })
  expect([(await newest()).title, (await recipientsOf((await newest()).id)).includes(bob.id)]).toEqual([
    'To a group',
    true,
  ])
})

test.each([
  ['en', ['Please enter message title', 'Please enter message content', 'Please select at least one recipient']],
  ['zh', ['请输入消息标题', '请输入消息内容', '请至少选择一个收件人']],
] as const)('a form with nothing in it has a sentence at each field (%s)', async (language, sentences) => {
  const before = await newest()
  const refused = await admin.form('/admin/messages?new', { ...written, title: ' ', content: '' }, { language })
  expect(refused.status).toBe(422)
  const page = await textOf(refused)
  expect(page).toContain(sentences[0])
  expect(page).toContain(sentences[1])
  const nobody = await textOf(admin.form('/admin/messages?new', written, { language }))
  expect(nobody).toContain(sentences[2])
  expect(nobody).toContain('value="News"')
  expect((await newest()).id).toBe(before.id)
  const edit = await textOf(admin.form(`/admin/messages/${before.id}`, { ...written, title: '' }, { language }))
  expect(edit).toContain(sentences[0])
  expect(await newest()).toEqual(before)
})

test('a form that is sent twice sends one message', async () => {
  const ann = await visitor()
  const page = await textOf(admin.page('/admin/messages?new'))
  const form_id = /name="form_id" value="([^"]+)"/.exec(page)![1]!
  const fields = { ...written, title: 'Only once', form_id, 'user_ids[]': [String(ann.id)] }
  await Promise.all([admin.form('/admin/messages?new', fields), admin.form('/admin/messages?new', fields)])
  expect((await ann.get('/api/user/messages')).data.total).toBe(1)
})

test('an edit is saved with its recipients as they are, 10 a page with their states', async () => {
  const created = await Promise.all(Array.from({ length: 11 }, () => visitor()))
  const people = created.toSorted((a, b) => a.id - b.id)
  const id = await send(people, { title: 'Before' })
  await people[10]!.put(`/api/user/messages/${id}/read`)
  const first = await textOf(admin.page(`/admin/messages?edit=${id}`))
  const second = await textOf(admin.page(`/admin/messages?edit=${id}&recipients=2`))
  expect([first.includes(`<b>${people[0]!.username}</b>`), first.includes(`<b>${people[10]!.username}</b>`)]).toEqual([
    true,
    false,
  ])
  expect([first.match(/state">Unread/g)?.length, second.match(/state open"><time/g)?.length]).toEqual([10, 1])
  expect(second).toContain('<b>11–11</b> of 11')
  const saved = await admin.form(`/admin/messages/${id}`, { title: 'After', content: 'Now', format: 'html' })
  expect(noticeOf(saved)).toMatchObject({ kind: 'success', text: 'Message updated' })
  expect((await admin.get(`/api/admin/messages/${id}`)).data).toMatchObject({
    title: 'After',
    format: 'html',
    stats: { total_recipients: 11, read_count: 1 },
  })
  expect((await admin.page(`/admin/messages/${id}`)).headers.get('location')).toBe(`/admin/messages?edit=${id}`)
})

test('a message is deleted after a question', async () => {
  const ann = await visitor()
  const id = await send([ann], { title: 'Bye' })
  const question = await textOf(admin.page(`/admin/messages?delete=${id}`))
  expect(question).toContain('Delete “Bye”?')
  expect(question).toContain('from the inbox of 1 user.')
  const gone = await admin.form(`/admin/messages/${id}/delete`)
  expect(noticeOf(gone)).toMatchObject({ kind: 'success', text: 'Message deleted' })
  expect((await ann.get('/api/user/messages')).data.total).toBe(0)
  expect((await admin.form(`/admin/messages/${id}/delete`)).status).toBe(404)
})

test("the list is filtered by keyword and by a range in the reader's zone", async () => {
  const ann = await visitor()
  const id = await send([ann], { title: 'Zoned 100%' })
  // 23:30 of 9 March in Shanghai, 15:30 UTC.
  await db
    .update(messages)
    .set({ created_time: Date.UTC(2021, 2, 9, 15, 30) / 1000 })
    .where(eq(messages.id, id))
  const inShanghai = { headers: { cookie: `${admin.cookie}; zone=Asia%2FShanghai` } }
  const isShown = async (query: string) =>
    (await textOf(admin.page(`/admin/messages?${query}`, inShanghai))).includes('Zoned 100%')
  expect(await isShown('range=custom&from=2021-03-09T00:00&to=2021-03-09T23:59')).toBe(true)
  expect(await isShown('range=custom&from=2021-03-10T00:00&to=2021-03-11T23:59')).toBe(false)
  expect(await isShown('keyword=100%25&range=custom&from=2021-03-09T00:00&to=2021-03-09T23:59')).toBe(true)
  expect(await isShown('keyword=Zoned_100&range=custom&from=2021-03-09T00:00')).toBe(false)
  expect(await textOf(admin.page('/admin/messages?keyword=nothing+has+this'))).toContain('No message matches')
})
