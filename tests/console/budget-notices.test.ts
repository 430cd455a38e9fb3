/** Notices of budgets: at 50, 80 and 100 % of a window, once each, to the owner in their language. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Role } from '../../src/contracts/account.ts'
import { holdClock, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { mailSink } from '../support/mail/sink.ts'
import { keyOf, makeBudget } from '../support/people/budgets.ts'
import { type Client, client } from '../support/people/client.ts'
import { choose, mailTo } from '../support/people/low-balance-user.ts'
import { type Person, visitor } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat({ usage: { prompt_tokens: 8, completion_tokens: 4 } }))
const { id: channel } = await channelTo(upstream)
await setOption('PreConsumedQuota', 0)
const sink = await mailSink()

beforeEach(() => holdClock(true))
afterEach(() => {
  holdClock(false)
  resetStores('clock')
})

/** Someone who calls, and reads English. */
async function reader(): Promise<Client> {
  const who = await client()
  await choose(who.person, {}, 'en')
  return who
}

async function calls(who: Client, count: number) {
  const responses = await Promise.all(Array.from({ length: count }, () => who.chat({ max_tokens: 4 })))
  await Promise.all(responses.map(response => response.text()))
  return responses.map(({ status }) => status)
}

const inboxOf = async (person: Person) => (await person.get('/api/user/messages')).data.items
const titlesOf = async (person: Person): Promise<string[]> =>
  (await inboxOf(person)).map(({ title }: { title: string }) => title).reverse()

/** Waits for the titles, and for what may come beside them. */
async function titled(person: Person, ...titles: string[]) {
  await until(async () => (await titlesOf(person)).length >= titles.length)
  await Bun.sleep(50)
  expect(await titlesOf(person)).toEqual(titles)
}

const words = (...percents: number[]) => percents.map(percent => `${percent} % of the budget Ten calls is used`)
const ten = { name: 'Ten calls', unit: 'calls', amount: 10 } as const

test.each([true, false])('a budget that refuses (%p) notifies at 50, 80 and 100 %, once each', async refuses => {
  const who = await reader()
  const id = await keyOf(who)
  await makeBudget('token', id, { ...ten, refuses, window: 'rolling', seconds: 60 })
  await calls(who, 4)
  await titled(who.person)
  await calls(who, 1)
  await titled(who.person, ...words(50))
  await calls(who, 2)
  await titled(who.person, ...words(50))
  await calls(who, 1)
  await titled(who.person, ...words(50, 80))
  await calls(who, 2)
  await titled(who.person, ...words(50, 80, 100))
  expect(await calls(who, 1)).toEqual([refuses ? 429 : 200])
  await titled(who.person, ...words(50, 80, 100))
  const [{ content, format }] = await inboxOf(who.person)
  expect(format).toBe('markdown')
  expect(content).toContain('has used 10 of 10 calls.')
  expect(content).toContain(refuses ? 'Calls that do not fit are refused.' : 'this budget only notifies')
  expect(content).toMatch(/begins anew at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)/)
  expect(content).toContain(`(/app/tokens?edit=${id})`)
})

test('the next window notifies again', async () => {
  const who = await reader()
  await makeBudget('token', await keyOf(who), { ...ten, window: 'rolling', seconds: 60 })
  await calls(who, 5)
  await titled(who.person, ...words(50))
  shiftClock(61)
  await calls(who, 4)
  await titled(who.person, ...words(50))
  await calls(who, 1)
  await titled(who.person, ...words(50, 50))
})

test('calls that end together pass several thresholds with one notice each at most', async () => {
  const who = await reader()
  await makeBudget('user', who.person.id, ten)
  await calls(who, 10)
  await until(async () => (await titlesOf(who.person)).at(-1) === words(100)[0])
  await Bun.sleep(50)
  const titles = await titlesOf(who.person)
  expect(new Set(titles).size).toBe(titles.length)
})

test('a node that has not seen the window tells no threshold twice', async () => {
  const who = await reader()
  await makeBudget('user', who.person.id, ten)
  await calls(who, 8)
  await until(async () => (await titlesOf(who.person)).at(-1) === words(80)[0])
  const before = await titlesOf(who.person)
  resetStores('budget-watches')
  await calls(who, 1)
  await titled(who.person, ...before)
  resetStores('budget-watches')
  await calls(who, 1)
  await titled(who.person, ...before, ...words(100))
})

test('a lower amount is told with the next call', async () => {
  const who = await reader()
  const { id } = await makeBudget('token', await keyOf(who), { ...ten, amount: 100 })
  await calls(who, 3)
  await who.person.put(`/api/budget/self/${id}`, { amount: 5 })
  await calls(who, 1)
  await titled(who.person, ...words(80))
})

test('the notice is mailed to who has an address, in the language of the user', async () => {
  await sink.options()
  const who = await reader()
  await choose(who.person, mailTo('budget-zh'), 'zh')
  await makeBudget('user', who.person.id, { ...ten, amount: 2, window: 'month', zone: 'Asia/Shanghai' })
  await calls(who, 1)
  const mail = await sink.next('budget-zh@example.com')
  expect(mail.subject).toBe('Tollgate 预算 Ten calls 已用 50%')
  expect(mail.text).toContain('您账户的预算 Ten calls 已用 1 / 2 次调用。')
  expect(mail.text).toContain('（Asia/Shanghai）重置')
  await titled(who.person, '预算 Ten calls 已用 50%')
})

test('the budget of a channel tells administrators and no user', async () => {
  const [admin, who] = [await visitor(Role.admin), await reader()]
  await choose(admin, {}, 'en')
  await makeBudget('channel', channel, { ...ten, amount: 2 })
  await calls(who, 1)
  await titled(admin, ...words(50))
  expect((await inboxOf(admin))[0].content).toContain(`(/admin/channels?edit=${channel})`)
  await titled(who.person)
})
