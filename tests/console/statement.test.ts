// @engine both
/** Account statements: credits and daily usage of a month, for the user and for administrators. */
import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { STATEMENT_PATH, type StatementRow, statementPathOf } from '../../src/contracts/statement.ts'
import { atomic } from '../../src/db/atomic.ts'
import { db } from '../../src/db/database.ts'
import { dialect } from '../../src/db/dialect.ts'
import { statementQuery } from '../../src/domain/statement/service.ts'
import { auditWallets, credit } from '../../src/domain/wallet/index.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { type Person, setUp, signedInAgain, visitor } from '../support/people/person.ts'
import { type SpendingUser, spend, spendingUser, theChannel } from '../support/people/spending-user.ts'

at('2031-03-01T12:00:00')
const root = await setUp()
const admin = await visitor(Role.admin)
await theChannel()

/** Stops the clock at this moment of UTC. */
function at(moment: string) {
  holdClock(true)
  shiftClock(Date.parse(`${moment}Z`) / 1000 - now())
}

const give = (user_id: number, kind: 'redeem' | 'topup' | 'check_in', delta: number, reference: string) =>
  atomic(tx => credit(tx, { user_id, kind, delta, reference }))

/** 1000 from the start, then two months of credits and usage. */
async function ann(): Promise<SpendingUser> {
  at('2031-01-31T09:00:00')
  const ann = await spendingUser(1000)
  at('2031-01-31T23:59:59')
  await spend(ann, 100)
  at('2031-02-01T00:00:00')
  await spend(ann, 20)
  await give(ann.person.id, 'redeem', 500, '7')
  await spend(ann, 30)
  at('2031-02-03T12:00:00')
  await give(ann.person.id, 'topup', 2000, '12')
  await give(ann.person.id, 'check_in', 5, '2031-02-03')
  at('2031-03-01T12:00:00')
  await spend(ann, 40)
  return { ...ann, person: await signedInAgain(ann.person) }
}

const line = ({ day, kind, delta, balance_after }: StatementRow) => [day, kind, delta, balance_after]

test('a statement has every credit and the usage of each UTC day, with the balance after it', async () => {
  const { person } = await ann()
  const { data } = await person.get('/api/user/statement?from=2031-01&to=2031-03')
  expect(data.items.map(line)).toEqual([
    ['2031-03-01', 'usage', -40, 3315],
    ['2031-02-03', 'check_in', 5, 3355],
    ['2031-02-03', 'topup', 2000, 3350],
    ['2031-02-01', 'usage', -50, 1350],
    ['2031-02-01', 'redeem', 500, 1400],
    ['2031-01-31', 'usage', -100, 900],
    ['2031-01-31', 'admin', 1000, 1000],
  ])
  expect(data.items[3]).toMatchObject({ calls: 2, reference: '', actor: null })
  expect(data.items[4]).toMatchObject({ calls: 0, reference: '7' })
  expect(data.months).toEqual([
    { month: '2031-03', opening: 3355, credited: 0, used: 40, closing: 3315 },
    { month: '2031-02', opening: 900, credited: 2505, used: 50, closing: 3355 },
    { month: '2031-01', opening: 0, credited: 1000, used: 100, closing: 900 },
  ])
  expect(data).toMatchObject({ total: 7, page: 1, page_size: 10 })
})

test('a top-up leads to its order, and a code to itself for administrators', async () => {
  const { person } = await ann()
  const hrefsOn = async (reader: Person, path: string) =>
    [
      ...(await (await reader.page(`${path}?month=2031-02`)).text()).matchAll(
        /href="([^"]+)"[^>]*class="hover:underline"|class="hover:underline"[^>]*href="([^"]+)"/g,
      ),
    ]
      .map(([, one, other]) => one ?? other)
      .filter(href => !href!.includes('day='))
  expect(await hrefsOn(person, STATEMENT_PATH)).toEqual(['/app/wallet?order=12'])
  expect(await hrefsOn(root, statementPathOf(person.id))).toEqual([
    ...[expect.stringMatching(/^\/admin\/orders\?\w+=12$/), '/admin/coupons?edit=7'],
  ])
})

test('a statement is of the present month by default, by month, and in pages', async () => {
  const { person } = await ann()
  const months = async (query: string) => {
    const { data } = await person.get(`/api/user/statement?${query}`)
    return [data.months.map(({ month }: { month: string }) => month), data.items.length]
  }
  expect(await months('')).toEqual([['2031-03'], 1])
  expect(await months('from=2031-02')).toEqual([['2031-03', '2031-02'], 5])
  expect(await months('to=2031-01')).toEqual([['2031-01'], 2])
  // Credits and usage of the first second after it are later.
  const january = (await person.get('/api/user/statement?to=2031-01')).data.months
  expect(january).toMatchObject([{ opening: 0, credited: 1000, used: 100, closing: 900 }])
  expect(await months('from=2031-04&to=2031-04')).toEqual([['2031-04'], 0])
  expect((await months('from=2029-04'))[0]).toHaveLength(24)
  const page = async (p: number) =>
    (await person.get(`/api/user/statement?from=2031-01&page_size=3&p=${p}`)).data.items.map(line)
  expect([await page(1), await page(2), await page(3), await page(4)].map(rows => rows.length)).toEqual([3, 3, 1, 0])
  expect((await page(3))[0]).toEqual(['2031-01-31', 'admin', 1000, 1000])
})

test('a kind leaves rows out and keeps their balances', async () => {
  const { person } = await ann()
  const { data } = await person.get('/api/user/statement?from=2031-01&kind=usage')
  expect(data.items.map(line)).toEqual([
    ['2031-03-01', 'usage', -40, 3315],
    ['2031-02-01', 'usage', -50, 1350],
    ['2031-01-31', 'usage', -100, 900],
  ])
  expect([data.total, data.months[1].credited]).toEqual([3, 2505])
})

test.each([
  ['from=2031-13', 'from', 'A month has the form 2026-11', '月份格式应为 2026-11'],
  ['to=May', 'to', 'A month has the form 2026-11', '月份格式应为 2026-11'],
  ['kind=gold', 'kind', 'There is no change of this kind', '没有此类变动'],
  ['from=2031-03&to=2031-02', 'from', 'The first month must not be after the last one', '起始月份不能晚于结束月份'],
  ['from=2029-02&to=2031-02', 'from', 'A statement has at most 24 months', '一份账单最多 24 个月'],
])('a statement of %s is refused at %s', async (query, field, en, zh) => {
  const path = `/api/user/statement?${query}`
  expect(await admin.get(path)).toMatchObject({ status: 400, success: false, message: en, field })
  expect(await admin.get(path, { language: 'zh' })).toMatchObject({ message: zh })
})

test('administrators read the statements of users below them, with the author of a change', async () => {
  const bob = await visitor(Role.user)
  await admin.post('/api/topup', { user_id: bob.id, quota: 70, remark: 'refund of February' })
  const own = (await bob.get('/api/user/statement')).data.items
  expect(own).toMatchObject([{ kind: 'admin', delta: 70, remark: 'refund of February', actor: null }])
  expect((await admin.get(`/api/user/${bob.id}/statement`)).data.items).toMatchObject([
    { delta: 70, remark: 'refund of February', actor: admin.username },
  ])
  expect(await admin.get(`/api/user/${root.id}/statement`)).toMatchObject({ status: 403, success: false })
  expect(await root.get('/api/user/999999/statement')).toMatchObject({ status: 404, success: false })
  expect((await admin.page(`/admin/users/${root.id}/statement`)).status).toBe(403)
  expect((await root.page('/admin/users/999999/statement')).status).toBe(404)
})

/** The table of a page, one line a row, without markup. */
async function linesOf(person: Person, path: string, language: 'en' | 'zh' = 'en'): Promise<string[]> {
  const response = await person.page(path, { language })
  expect(response.status).toBe(200)
  const html = await response.text()
  const body = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html)![1]!
  const words = (markup: string) =>
    markup
      .replace(/<svg[\s\S]*?<\/svg>|<!--[\s\S]*?-->/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return body.split('</tr>').map(words).filter(Boolean)
}

test('the page of a month begins with the closing and ends with the opening balance, in both languages', async () => {
  const { person } = await ann()
  expect((await linesOf(person, '/app/statement?month=2031-02')).map(text => text.replaceAll(' ', ''))).toEqual([
    'Closingbalance$0.006710',
    '2031-02-0312:00Check-in2031-02-03+$0.000010$0.006710',
    '2031-02-0312:00Top-up#12+$0.004000$0.006700',
    '2031-02-01Usage2calls−$0.000100$0.002700',
    '2031-02-0100:00Redemptioncode#7+$0.001000$0.002800',
    'Openingbalance$0.001800',
  ])
  const zh = await linesOf(person, '/app/statement?month=2031-02&kind=usage', 'zh')
  expect(zh.map(text => text.replaceAll(' ', ''))).toEqual([
    '期末余额$0.006710',
    '2031-02-01用量2次调用−$0.000100$0.002700',
    '期初余额$0.001800',
  ])
  const html = await (await person.page('/app/statement?month=nonsense&kind=gold')).text()
  expect(html.includes('March 2031')).toBe(true)
  expect(html.includes(`Statement of ${person.username} · days and times are UTC`)).toBe(true)
})

test('the page of a user shows administrators who changed the balance, and links lead there', async () => {
  const bob = await visitor(Role.user)
  await admin.form(`/admin/users/${bob.id}/quota`, { quota_delta: '0.0002', remark: 'a <b>bonus</b>', form_id: 'f-1' })
  const path = `/admin/users/${bob.id}/statement`
  const [, row] = await linesOf(admin, path)
  expect(row).toContain(`Administrator a &lt;b&gt;bonus&lt;/b&gt; · by ${admin.username}`)
  expect((await linesOf(bob, '/app/statement'))[1]).not.toContain(admin.username)
  expect((await (await admin.page(`/admin/users/${bob.id}/menu`)).text()).includes(`href="${path}"`)).toBe(true)
  expect((await (await bob.page('/app/tokens')).text()).includes('href="/app/statement"')).toBe(true)
})

test('the CSV has the rows of the month, or of the year, in quota and in money', async () => {
  const { person } = await ann()
  const lines = async (path: string) => {
    const response = await person.page(path)
    return { name: response.headers.get('content-disposition'), lines: (await response.text()).trim().split('\r\n') }
  }
  const month = await lines('/app/statement/export.csv?month=2031-02')
  expect(month.name).toContain('statement-2031-02.csv')
  expect(month.lines).toHaveLength(5)
  expect(month.lines[2]).toBe('2031-02-03,12:00:00,Top-up,,0.004,0.0067,2000,3350,#12,')
  expect(month.lines[3]).toBe('2031-02-01,,Usage,2,-0.0001,0.0027,-50,1350,,')
  const year = await lines('/app/statement/export.csv?month=2031-02&year')
  expect([year.name, year.lines.length]).toEqual([expect.stringContaining('statement-2031.csv'), 8])
  const usage = await lines('/app/statement/export.csv?month=2031-02&year&kind=usage')
  expect(usage.lines).toHaveLength(4)
})

test('a statement while calls are billed adds up at every moment', async () => {
  const bob = await spendingUser(1_000_000)
  const calls = Array.from({ length: 40 }, (_, index) => spend(bob, index + 1))
  for (let read = 0; read < 10; read++) {
    const { months, items } = (await bob.person.get('/api/user/statement?page_size=100')).data
    const sum = items.reduce((total: number, { delta }: StatementRow) => total + delta, 0)
    expect([months[0].opening, months[0].opening + sum]).toEqual([0, months[0].closing])
  }
  await Promise.all(calls)
  expect((await bob.person.get('/api/user/statement')).data.months[0].closing).toBe(1_000_000 - 820)
  expect((await auditWallets()).difference).toBeUndefined()
})

if (dialect === 'sqlite')
  test('a statement reads the rows of its user by index', async () => {
    const plan: { detail: string }[] = await (db as any).all(
      sql`explain query plan ${statementQuery(1, 0, 1).getSQL()}`,
    )
    const steps = plan.map(({ detail }) => detail).filter(detail => /^(SCAN|SEARCH)/.test(detail))
    expect(steps.filter(detail => detail.startsWith('SCAN'))).toEqual([])
    expect(steps.filter(detail => /usage_hourly.*\(user_id=\? AND hour>/.test(detail))).toHaveLength(2)
  })

test('a day opens its models and keys, and leads to the calls of that user', async () => {
  const who = await ann()
  await spend(who, 40, { model: 'o3' })
  const path = `/admin/users/${who.person.id}/statement`
  const html = async (person: Person, page: string) => (await person.page(page)).text()
  const today = new Date(now() * 1000).toISOString().slice(0, 10)
  expect(await html(admin, `${path}?month=${today.slice(0, 7)}`)).toContain(
    `${path}?month=${today.slice(0, 7)}&amp;day=${today}`,
  )
  const rows = async (person: Person, page: string) => {
    const drawer = /<dialog[\s\S]*?<\/section>/.exec(await html(person, page))![0]
    const cells = [...drawer.matchAll(/<tr id="row-[\s\S]*?<\/tr>/g)].map(([row]) =>
      row
        .replace(/<span class="sm:hidden">[^<]*(<!-- -->)?[^<]*<\/span>|<\/?span[^>]*>/g, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    return { cells, href: /href="(\/app\/logs[^"]*)"/.exec(drawer)?.[1]?.replaceAll('&amp;', '&') }
  }
  const opened = await rows(admin, `${path}?day=${today}`)
  expect(opened.cells).toEqual(['gpt-4o 1 $0.000080', 'o3 1 $0.000080', 'key 2 $0.000160'])
  const from = encodeURIComponent(`${today}T00:00`)
  const to = encodeURIComponent(`${today}T23:59`)
  const calls = `/app/logs/api-usage?range=custom&from=${from}&to=${to}`
  expect(opened.href).toBe(`${calls}&username=${who.person.username}`)
  const own = await rows(who.person, `/app/statement?day=${today}`)
  expect([own.cells, own.href]).toEqual([opened.cells, calls])
  // A day without usage, and a text that is none, open nothing.
  for (const none of ['2031-01-05', 'May'])
    expect(await html(who.person, `/app/statement?day=${none}`)).not.toContain('<dialog open')
})
