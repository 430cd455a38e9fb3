/** Pages of every list of the API: each row on one page, in the order of the list, with the number of all. */
import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { PICKER_USERS_PER_PAGE } from '../../src/contracts/message.ts'
import { db } from '../../src/db/database.ts'
import { orders } from '../../src/domain/payments/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { now } from '../../src/process/clock.ts'
import { type Client, client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { drawingRowFor, insertTasks, taskRow } from '../support/people/task-rows.ts'
import { write } from '../support/people/usage-log.ts'
import { makeChannel } from '../support/upstream/channel.ts'

const ROWS = 5
const SIZE = 2

const order = { method: 'alipay', pid: '1', amount: 1, money_cents: 100, quota: 500, created_time: 1 } as const

let root: Person
let ann: Client
beforeAll(async () => {
  root = await setUp()
  ann = await client()
  const { person } = ann
  for (let row = 0; row < ROWS; row++) {
    await visitor()
    await makeChannel(root, { priority: row % 2 })
    await person.post('/api/token/', { name: `key ${row}` })
    await root.post('/api/redemption/', { name: `code ${row}`, count: 1 })
    await insertTasks(taskRow(person), drawingRowFor(person))
    await write(person, { created_at: now() - row })
    await db.insert(orders).values({ ...order, trade_no: `order-${row}`, user_id: person.id })
  }
  for (let row = 0; row < ROWS; row++)
    await root.post('/api/admin/messages', { title: `message ${row}`, content: 'Text', all: true })
})

/** @param first the number of the first page, where it is not 1 */
const lists: [path: string, who: 'root' | 'ann', first: number][] = [
  ['/api/user/', 'root', 1],
  ['/api/channel/', 'root', 0],
  ['/api/redemption/', 'root', 1],
  ['/api/log/', 'root', 1],
  ['/api/audit/', 'root', 1],
  ['/api/user/topup', 'root', 1],
  ['/api/admin/messages', 'root', 1],
  ['/api/admin/messages/1/recipients', 'root', 1],
  ['/api/token/', 'ann', 0],
  ['/api/log/self', 'ann', 1],
  ['/api/user/topup/self', 'ann', 1],
  ['/api/user/messages', 'ann', 1],
  ['/api/mj/self', 'ann', 0],
  ['/api/task/self', 'ann', 0],
]

test.each(lists)('pages of %s as %s', async (path, who, first) => {
  const person = who === 'root' ? root : ann.person
  const pageAt = async (page: number, size: number): Promise<{ ids: unknown[]; total?: number }> => {
    const { data } = await person.get(`${path}?p=${page + first - 1}&page_size=${size}&size=${size}`)
    const rows: Record<string, unknown>[] = data.items ?? data
    return { ids: rows.map(({ id, user_id, task_id }) => id ?? task_id ?? user_id), total: data.total }
  }
  const { ids, total } = await pageAt(1, 100)
  expect(ids.length).toBeGreaterThanOrEqual(ROWS)
  expect(new Set(ids).size).toBe(ids.length)
  expect(total ?? ids.length).toBe(ids.length)
  for (let page = 1; page <= Math.ceil(ids.length / SIZE) + 1; page++)
    expect(await pageAt(page, SIZE)).toEqual({ ids: ids.slice((page - 1) * SIZE, page * SIZE), total })
})

test('pages of the users who can receive a message', async () => {
  const page_size = PICKER_USERS_PER_PAGE
  for (let user = 0; user < page_size; user++) await visitor()
  const idsAt = async (user_page: number) => {
    const html = await (await root.form('/admin/messages/recipients', { user_page: String(user_page) })).text()
    return [...html.matchAll(/type="checkbox"[^>]*name="user_ids\[\]" value="(\d+)"/g)].map(([, id]) => Number(id))
  }
  const { data } = await root.get('/api/user/?page_size=100')
  const all: number[] = data.items.map(({ id }: { id: number }) => id).reverse()
  const pages = [await idsAt(1), await idsAt(2), await idsAt(9)]
  const second = all.slice(page_size, 2 * page_size)
  expect(pages).toEqual([all.slice(0, page_size), second, second])
})

test('lists in drawers and on own pages lead to their second page', async () => {
  const { person } = await client()
  for (let row = 0; row < 10; row++) {
    await person.post('/api/token/', { name: `further key ${row}` })
    const { id } = await visitor()
    await db.update(users).set({ inviter_id: person.id }).where(eq(users.id, id))
  }
  await db.update(users).set({ inviter_id: person.id }).where(eq(users.id, ann.person.id))
  const own = Array.from({ length: 11 }, (_, row) => ({ ...order, trade_no: `own-${row}`, user_id: person.id }))
  await db.insert(orders).values(own)
  const lists: [who: Person, path: string][] = [
    [root, `/admin/users?tokens=${person.id}`],
    [person, '/app/wallet'],
    [person, '/app/me?tab=rewards&open=invitees'],
  ]
  for (const [who, path] of lists) {
    const read = async (address: string) =>
      (await who.page(address, { headers: { cookie: `${who.cookie}; page-size=10` } })).text()
    // What lies over a list stands behind it.
    const next = [...(await read(path)).matchAll(/href="([^"]*[?;]l?p=2)"/g)].at(-1)?.[1]?.replaceAll('&amp;', '&')
    const second = (await read(next ?? path)).replaceAll('<!-- -->', '')
    expect([path, /<b>[^<]*<\/b> of 11/.exec(second)?.[0]]).toEqual([path, '<b>11–11</b> of 11'])
  }
})
