// @engine both
/** Messages: sending, the inbox, statistics, search, deletion, and who may do what. */
import { expect, test } from 'bun:test'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { Role, UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { auditLog } from '../../src/domain/audit-log/table.ts'
import { messageRecipients, messages } from '../../src/domain/messages/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { rfc3339 } from '../../src/pure/time.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'

const root = await setUp()
const admin = await visitor(Role.admin)

async function send(to: object, fields: object = {}) {
  const answer = await admin.post('/api/admin/messages', { title: 'Hello', content: 'There', ...to, ...fields })
  expect(answer.message).toBe('')
  return answer.data
}
const sendTo = (...people: Person[]) => send({ user_ids: people.map(person => person.id) })
const unreadOf = async (person: Person) => (await person.get('/api/user/messages/unread_count')).data.unread_count
const inboxOf = async (person: Person) => (await person.get('/api/user/messages')).data
const readersOf = async (id: number) => (await admin.get(`/api/admin/messages/${id}/recipients`)).data
const stored = async () =>
  [await db.select().from(messages), await db.select().from(messageRecipients)].map(rows => rows.length)
const change = (person: Person, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.id, person.id))

test('a message arrives in the inboxes of its recipients and in no other', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const sent = await sendTo(ann)
  expect(sent).toEqual({
    id: sent.id,
    title: 'Hello',
    content: 'There',
    format: 'markdown',
    created_by: admin.id,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    updated_at: sent.created_at,
    stats: { total_recipients: 1, read_count: 0, unread_count: 1, read_rate: 0 },
  })
  expect(await inboxOf(ann)).toEqual({
    items: [
      {
        id: sent.id,
        title: 'Hello',
        content: 'There',
        format: 'markdown',
        created_at: sent.created_at,
        is_read: false,
        read_at: null,
      },
    ],
    total: 1,
    page: 1,
    page_size: 10,
  })
  expect(await inboxOf(bob)).toEqual({ items: [], total: 0, page: 1, page_size: 10 })
  expect([await unreadOf(ann), await unreadOf(bob)]).toEqual([1, 0])
})

test("another user's message can neither be read nor marked, as if it did not exist", async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const { id } = await sendTo(ann)
  for (const other of [bob, admin, root]) {
    for (const wanted of [id, 987_654_321]) {
      const missing = { status: 404, success: false, code: 'message.not_found', data: null }
      expect(await other.get(`/api/user/messages/${wanted}`)).toMatchObject(missing)
      expect(await other.put(`/api/user/messages/${wanted}/read`)).toMatchObject(missing)
    }
  }
  expect((await readersOf(id))[0].read_at).toBeNull()
  expect((await ann.get(`/api/user/messages/${id}`)).data).toMatchObject({ id, is_read: false })
})

test('a message is read once: the first time stays', async () => {
  const ann = await visitor()
  const { id } = await sendTo(ann)
  holdClock(true)
  const readTime = now()
  const first = (await ann.put(`/api/user/messages/${id}/read`)).data
  shiftClock(60)
  const second = (await ann.put(`/api/user/messages/${id}/read`)).data
  shiftClock(-60)
  holdClock(false)
  expect([first.id, first.is_read, first.read_at]).toEqual([id, true, rfc3339(readTime)])
  expect(second.read_at).toBe(first.read_at)
  expect(await readersOf(id)).toEqual([
    { user_id: ann.id, username: ann.username, display_name: ann.username, read_at: first.read_at },
  ])
})

test('unread messages are counted one by one, and all are marked at once', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const ids = [(await sendTo(ann, bob)).id, (await sendTo(ann, bob)).id, (await sendTo(ann, bob)).id]
  await ann.put(`/api/user/messages/${ids[1]}/read`)
  expect([await unreadOf(ann), await unreadOf(bob)]).toEqual([2, 3])
  expect((await ann.put('/api/user/messages/read')).data).toEqual({ read_count: 2 })
  expect((await ann.put('/api/user/messages/read')).data).toEqual({ read_count: 0 })
  expect([await unreadOf(ann), await unreadOf(bob)]).toEqual([0, 3])
})

test('an inbox is paged, newest first', async () => {
  const ann = await visitor()
  const ids: number[] = []
  for (let count = 0; count < 12; count++) ids.unshift((await sendTo(ann)).id)
  const second = (await ann.get('/api/user/messages?p=2')).data
  expect(second).toMatchObject({ total: 12, page: 2, page_size: 10 })
  expect((await inboxOf(ann)).items.map((item: { id: number }) => item.id)).toEqual(ids.slice(0, 10))
  expect(second.items.map((item: { id: number }) => item.id)).toEqual(ids.slice(10))
  expect((await ann.get('/api/user/messages?page_size=1000')).data).toMatchObject({ page_size: 100, total: 12 })
})

test('repeated, unknown, banned and deleted recipients are left out; a message without any is refused', async () => {
  const [ann, banned, deleted] = [await visitor(), await visitor(), await visitor()]
  await change(banned, { status: UserStatus.banned })
  await change(deleted, { deleted_time: now() })
  const { id, stats } = await send({ user_ids: [ann.id, ann.id, banned.id, deleted.id, 987_654_321] })
  expect([stats.total_recipients, (await readersOf(id)).map((row: { user_id: number }) => row.user_id)]).toEqual([
    1,
    [ann.id],
  ])
  const before = await stored()
  for (const to of [{ user_ids: [banned.id, deleted.id, 987_654_321] }, { group: 'nowhere' }, {}, { user_ids: [] }]) {
    const refused = await admin.post('/api/admin/messages', { title: 'x', content: 'y', ...to })
    expect(refused).toMatchObject({ status: 400, code: 'message.recipients_required', data: null })
    expect(refused.message).toBe('Please select at least one recipient')
  }
  expect(await stored()).toEqual(before)
})

test('a group and all users are resolved on the server', async () => {
  const [ann, bob, carol] = [await visitor(), await visitor(), await visitor()]
  await change(ann, { group: 'readers' })
  await change(bob, { group: 'readers', status: UserStatus.banned })
  const grouped = await send({ group: 'readers' })
  expect((await readersOf(grouped.id)).map((row: { user_id: number }) => row.user_id)).toEqual([ann.id])
  const active = await db.$count(users, and(eq(users.status, UserStatus.enabled), isNull(users.deleted_time)))
  const everyone = await send({ all: true })
  expect(everyone.stats.total_recipients).toBe(active)
  expect([await unreadOf(carol), await unreadOf(ann)]).toEqual([1, 2])
})

test('an edit changes the text and keeps the read marks', async () => {
  const ann = await visitor()
  const { id } = await sendTo(ann)
  const { read_at } = (await ann.put(`/api/user/messages/${id}/read`)).data
  const edited = await admin.put(`/api/admin/messages/${id}`, { title: ' New ', content: '<b>x</b>', format: 'html' })
  expect(edited.data).toMatchObject({ id, title: 'New', content: '<b>x</b>', format: 'html', created_by: admin.id })
  expect((await ann.get(`/api/user/messages/${id}`)).data).toMatchObject({ title: 'New', is_read: true, read_at })
  // The object that was read can be sent back; without a format the stored one stays.
  const { format, ...rest } = edited.data
  expect((await root.put(`/api/admin/messages/${id}`, rest)).data).toMatchObject({ format: 'html', title: 'New' })
  const missing = await admin.put('/api/admin/messages/987654321', { title: 'x', content: 'y' })
  expect([missing.status, missing.message]).toEqual([404, 'Message does not exist'])
})

test('a deleted message is gone from every inbox', async () => {
  const [ann, bob] = [await visitor(), await visitor()]
  const { id } = await sendTo(ann, bob)
  expect(await admin.delete(`/api/admin/messages/${id}`)).toMatchObject({ success: true, data: null })
  expect([(await inboxOf(ann)).total, await unreadOf(bob)]).toEqual([0, 0])
  for (const path of [`/api/admin/messages/${id}`, `/api/admin/messages/${id}/recipients`])
    expect((await admin.get(path)).status).toBe(404)
  expect((await admin.delete(`/api/admin/messages/${id}`)).status).toBe(404)
  expect((await ann.get(`/api/user/messages/${id}`)).status).toBe(404)
})

test.each([
  [{ title: ' ' }, 'title', 'Please enter message title', '请输入消息标题'],
  [{ title: undefined }, 'title', 'Please enter message title', '请输入消息标题'],
  [{ title: '😀'.repeat(201) }, 'title', 'A title has at most 200 characters', '标题最多 200 个字符'],
  [{ content: '\n\t' }, 'content', 'Please enter message content', '请输入消息内容'],
  [{ content: 'é'.repeat(32_769) }, 'content', 'The content is longer than 64 KB', '内容超过 64 KB'],
  [{ format: 'text' }, 'format', 'The format must be markdown or html', '格式只能是 markdown 或 html'],
  [{ user_ids: [] }, 'user_ids', 'Please select at least one recipient', '请至少选择一个收件人'],
  [{ user_ids: [0] }, 'user_ids.0', 'Invalid parameter: user_ids.0', '参数无效：user_ids.0'],
])('a message with %j is refused at its field, in both languages', async (wrong, field, en, zh) => {
  const before = await stored()
  const body = { title: 'x', content: 'y', user_ids: [admin.id], ...wrong }
  for (const [language, message] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    const refused = await admin.post('/api/admin/messages', body, { language })
    expect(refused).toMatchObject({ status: 400, success: false, message, field })
  }
  expect(await stored()).toEqual(before)
})

test('a title of 200 characters and a content of 64 KB are kept whole, without the blanks around them', async () => {
  const [title, content] = ['😀'.repeat(200), 'é'.repeat(32_768)]
  const sent = await send({ user_ids: [admin.id] }, { title: ` ${title}\n`, content: `\n${content} ` })
  expect([sent.title === title, sent.content === content]).toEqual([true, true])
})

test('the list of sent messages has statistics for each, without a division by zero', async () => {
  const [ann, bob, carol] = [await visitor(), await visitor(), await visitor()]
  const { id } = await sendTo(ann, bob, carol)
  await bob.put(`/api/user/messages/${id}/read`)
  const lonely = await sendTo(ann)
  await db.delete(messageRecipients).where(eq(messageRecipients.message_id, lonely.id))
  const { items } = (await admin.get('/api/admin/messages')).data
  const statsOf = (wanted: number) => items.find((item: { id: number }) => item.id === wanted).stats
  expect(statsOf(id)).toEqual({ total_recipients: 3, read_count: 1, unread_count: 2, read_rate: 33.3 })
  expect(statsOf(lonely.id)).toEqual({ total_recipients: 0, read_count: 0, unread_count: 0, read_rate: 0 })
})

test('recipients are listed 10 a page, and another size on request', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => visitor()))
  const { id } = await sendTo(...people)
  const first = await admin.get(`/api/admin/messages/${id}/recipients`)
  const rest = await admin.get(`/api/admin/messages/${id}/recipients?p=2`)
  expect([first.data.length, first.total, first.page_size, rest.data.length, rest.page]).toEqual([10, 12, 10, 2, 2])
  expect((await admin.get(`/api/admin/messages/${id}/recipients?page_size=50`)).data.length).toBe(12)
})

test('search finds a part of the title or content, in which % and _ are ordinary characters', async () => {
  const ids = {
    percent: (await send({ user_ids: [root.id] }, { title: 'Save 100% today' })).id,
    under: (await send({ user_ids: [root.id] }, { title: 'x', content: 'SNAKE_case and \\ too' })).id,
    plain: (await send({ user_ids: [root.id] }, { title: 'Save 100 today', content: 'snakeXcase' })).id,
  }
  const found = async (keyword: string) =>
    (await admin.get(`/api/admin/messages/search?keyword=${encodeURIComponent(keyword)}`)).data.items.map(
      (item: { id: number }) => item.id,
    )
  expect(await found('100%')).toEqual([ids.percent])
  expect(await found('snake_CASE')).toEqual([ids.under])
  expect(await found('\\')).toEqual([ids.under])
  expect(await found('save 100')).toEqual([ids.plain, ids.percent])
  expect(await found("' or 1=1 --")).toEqual([])
})

test('search by dates takes ISO and unix seconds, both ends inclusive', async () => {
  const { id } = await send({ user_ids: [root.id] }, { title: 'dated' })
  const at = Date.UTC(2020, 1, 29, 12, 30, 15) / 1000
  await db.update(messages).set({ created_time: at }).where(eq(messages.id, id))
  const isFound = async (range: Record<string, string>) => {
    const { data } = await admin.get(
      `/api/admin/messages/search?${new URLSearchParams({ keyword: 'dated', ...range })}`,
    )
    return data.total === 1
  }
  for (const range of [
    { start_date: String(at), end_date: String(at) },
    { start_date: '2020-02-29', end_date: '2020-02-29' },
    { start_date: '2020-02-29T12:30:15Z', end_date: '2020-02-29T12:30:15.999Z' },
    { start_date: '2020-02-29T13:30:15+01:00', end_date: '2020-02-29T12:30:15' },
    { start_date: '', end_date: '2020-03-01' },
  ])
    expect([range, await isFound(range)]).toEqual([range, true])
  for (const range of [
    { start_date: String(at + 1) },
    { end_date: String(at - 1) },
    { start_date: '2020-03-01' },
    { end_date: '2020-02-28' },
    { start_date: '2020-02-29T12:30:16Z' },
  ] as Record<string, string>[])
    expect([range, await isFound(range)]).toEqual([range, false])
  for (const date of ['yesterday', '2021-02-29', '2020-13-01', '1e9', '-1', "2020-02-29' or 1=1", '9'.repeat(13)]) {
    const refused = await admin.get(`/api/admin/messages/search?end_date=${encodeURIComponent(date)}`)
    expect([date, refused]).toMatchObject([date, { status: 400, code: 'message.date_invalid', field: 'end_date' }])
  }
})

test('each administrative change of a message has its entry in the audit log', async () => {
  const ann = await visitor()
  const { id } = await sendTo(ann)
  await root.put(`/api/admin/messages/${id}`, { title: 'Hello', content: 'Changed' })
  await admin.delete(`/api/admin/messages/${id}`)
  const entries = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.target_id, String(id)))
    .orderBy(desc(auditLog.id))
  expect(entries.map(({ action, actor_id, target_name }) => [action, actor_id, target_name])).toEqual([
    ['message.delete', admin.id, 'Hello'],
    ['message.edit', root.id, 'Hello'],
    ['message.create', admin.id, 'Hello'],
  ])
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [{ title: 'Hello', content: 'Changed', format: 'markdown', recipients: 1 }, {}],
    [{ content: 'There' }, { content: 'Changed' }],
    [{}, { title: 'Hello', content: 'There', format: 'markdown', recipients: 1 }],
  ])
})
