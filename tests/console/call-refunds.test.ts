// @engine both
/** Administrators refund calls from the usage log: ledger, counters, receipt and statement, once and never more than the cost. */
import { beforeAll, expect, test } from 'bun:test'
import { and, desc, eq } from 'drizzle-orm'
import { Role } from '../../src/contracts/account.ts'
import { LOGS_PATH, LogType } from '../../src/contracts/log.ts'
import { STATEMENT_PATH } from '../../src/contracts/statement.ts'
import { TokenStatus } from '../../src/contracts/token.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { logs } from '../../src/domain/logs/table.ts'
import { auditCredits } from '../../src/domain/statement/index.ts'
import { lookAfterTasks } from '../../src/domain/tasks/index.ts'
import { tokens } from '../../src/domain/tokens/table.ts'
import { auditRollUps } from '../../src/domain/usage/index.ts'
import { auditWallets } from '../../src/domain/wallet/index.ts'
import { ledger } from '../../src/domain/wallet/table.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { resetPrices, setPrice } from '../support/app/prices.ts'
import { budgetsOf, makeBudget } from '../support/people/budgets.ts'
import { Client, client, MODEL, RICH } from '../support/people/client.ts'
import { balance, type Person, setUp, visitor } from '../support/people/person.ts'
import { earnedBy, figures, type SpendingUser, spendingUser } from '../support/people/spending-user.ts'
import { MUSIC_QUOTA, rowOf, submitted } from '../support/people/tasks.ts'
import { spend, write } from '../support/people/usage-log.ts'
import { until } from '../support/until.ts'
import { makeChannel } from '../support/upstream/channel.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'
import { song, sunoUpstream } from '../support/upstream/suno.ts'
import { sunoChannel } from '../support/upstream/suno-channel.ts'

let root: Person
let admin: Person

beforeAll(async () => {
  root = await setUp()
  admin = await visitor(Role.admin)
})

const COST = 300

/** A call of someone with a limited key, in the log. */
async function billedCall(ann: SpendingUser, channel_id: number, quota = COST) {
  await spend(ann.person, { quota, token_id: ann.token.id, token_name: 'key', channel_id })
  return latestEntry(ann.person)
}

async function latestEntry({ id }: Person) {
  const [entry] = await db.select().from(logs).where(eq(logs.user_id, id)).orderBy(desc(logs.id)).limit(1)
  return entry!
}

const usd = (quota: number) => String(quota / 500_000)

const refund = (who: Person, id: number, quota: number, more: Record<string, string> = {}) =>
  who.form(`${LOGS_PATH}/${id}/refund`, { amount: usd(quota), remark: 'cut off', returnTo: LOGS_PATH, ...more })

const refundsOf = (person: Person) =>
  db
    .select()
    .from(ledger)
    .where(and(eq(ledger.user_id, person.id), eq(ledger.kind, 'refund')))
    .orderBy(ledger.id)

const html = async (person: Person, path: string) => (await person.page(path)).text()

async function auditsAreClean() {
  expect((await auditWallets()).difference).toBeUndefined()
  expect((await auditCredits()).difference).toBeUndefined()
  expect(await auditRollUps()).toBeUndefined()
}

test('a refund gives back to balance, key, channel and usage, with ledger, log and audit entries', async () => {
  const { id: channel } = await makeChannel(root)
  const ann = await spendingUser(1000, COST)
  const entry = await billedCall(ann, channel)
  await db.update(tokens).set({ unlimited_quota: false }).where(eq(tokens.id, ann.token.id))
  const before = await figures(ann)
  expect((await refund(admin, entry.id, COST)).status).toBe(303)
  const after = await figures(ann)
  expect(after.quota).toBe(before.quota + COST)
  expect(after.used_quota).toBe(before.used_quota - COST)
  expect(after.token_remain).toBe(before.token_remain + COST)
  expect(after.token_used).toBe(0)
  expect([after.usage_quota, after.usage_calls]).toEqual([0, 1])
  expect(await earnedBy(channel)).toBe(0)
  expect(await refundsOf(ann.person)).toMatchObject([
    { delta: COST, reference: entry.request_id, actor_id: admin.id, remark: 'cut off' },
  ])
  const note = (await ann.person.get(`/api/log/self?type=${LogType.manage}`)).data.items[0]
  expect(note.content).toBe(`An administrator refunded $0.000600 of the call ${entry.request_id}`)
  const [change] = (await root.get(`/api/audit/?action=user.refund_call&keyword=${ann.person.id}`)).data.items
  expect(change).toMatchObject({
    before: { quota: before.quota },
    after: { quota: after.quota, request: entry.request_id, remark: 'cut off' },
    actor_name: admin.username,
  })
  await auditsAreClean()
})

test.each([
  [100, TokenStatus.exhausted, 401],
  [101, TokenStatus.enabled, 200],
])('a key that is overdrawn by 100 has after a refund of %d the status %d', async (given_back, status, http_status) => {
  const ann = await spendingUser(1000, COST - 100)
  const entry = await billedCall(ann, 0)
  await db
    .update(tokens)
    .set({ unlimited_quota: false, remain_quota: -100, status: TokenStatus.exhausted })
    .where(eq(tokens.id, ann.token.id))
  const api = new Client(ann.person, ann.token.key)
  expect((await api.get('/v1/models')).status).toBe(401)
  expect((await refund(admin, entry.id, given_back)).status).toBe(303)
  const [row] = await db.select().from(tokens).where(eq(tokens.id, ann.token.id))
  expect(row).toMatchObject({ status, remain_quota: given_back - 100 })
  expect((await api.get('/v1/models')).status).toBe(http_status)
})

test('a refund is taken from the budgets that the call has counted in, and from no other model’s', async () => {
  const upstream = await startUpstream()
  const models = [MODEL, 'gpt-4o-mini']
  for (const model of models) upstream.scripts(model, chat({ usage: { prompt_tokens: 8, completion_tokens: 4 } }))
  await channelTo(upstream, { models: models.join() })
  await setPrice('ModelRatio', { [MODEL]: 1, 'gpt-4o-mini': 1 })
  const ann = await client()
  const owned = { unit: 'quota', amount: RICH } as const
  for (const models of [[], [MODEL], ['gpt-4o-mini']]) await makeBudget('user', ann.person.id, { ...owned, models })
  const used = async () => (await budgetsOf('user', ann.person.id)).map(budget => budget.used)
  for (const model of models.toReversed()) expect((await ann.chat({ model })).status).toBe(200)
  const entry = await until(async () => {
    const found = await latestEntry(ann.person)
    return found.model_name === MODEL ? found : undefined
  })
  const [all, own, others] = await used()
  expect([own, all]).toEqual([entry.quota, entry.quota + others!])
  // A budget that does not have so much is not asked.
  const part = Math.min(own!, others!)
  expect(part).toBeGreaterThan(0)
  expect((await refund(admin, entry.id, part)).status).toBe(303)
  expect(await used()).toEqual([all! - part, own! - part, others!])
  await resetPrices()
  await auditsAreClean()
})

test('the drawer is filled in without a script, and receipt and statement show the refund', async () => {
  const ann = await spendingUser(1000)
  const entry = await billedCall(ann, 0)
  expect(await html(admin, `${LOGS_PATH}?open=${entry.id}`)).toContain(`${LOGS_PATH}?refund=${entry.id}`)
  const drawer = await html(admin, `${LOGS_PATH}?refund=${entry.id}`)
  const filledIn = (name: string) =>
    new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"|<input[^>]*value="([^"]*)"[^>]*name="${name}"`)
      .exec(drawer)
      ?.slice(1)
      .find(Boolean)
  expect(filledIn('amount')).toBe(usd(COST))
  expect(filledIn('remark')).toMatch(/^gpt-4o, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
  await refund(admin, entry.id, COST, { remark: filledIn('remark')! })
  const opened = `${LOGS_PATH}?open=${entry.id}`
  for (const page of [await html(admin, opened), await html(ann.person, opened)]) {
    expect(page).toMatch(/<dt>Refunded<\/dt><dd>\$0\.000600 · /)
    expect(page).not.toContain(`refund=${entry.id}`)
  }
  const statement = await html(ann.person, STATEMENT_PATH)
  expect(statement).toContain(entry.request_id)
  expect(statement).toContain(filledIn('remark')!)
})

test('twenty clicks at once refund once, and so do twenty drawers', async () => {
  const ann = await spendingUser(1000)
  const [clicked, opened] = [await billedCall(ann, 0), await billedCall(ann, 0)]
  const twenty = <T>(work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => work(index)))
  const clicks = await twenty(() => refund(admin, clicked.id, COST / 2, { form_id: 'one-form' }))
  expect(clicks.map(({ status }) => status)).toEqual(clicks.map(() => 303))
  expect(await balance(ann.person)).toBe(1000 - 2 * COST + COST / 2)
  const drawers = await twenty(index => refund(index % 2 ? admin : root, opened.id, COST, { form_id: `form-${index}` }))
  expect(drawers.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(await balance(ann.person)).toBe(1000 - 2 * COST + COST / 2 + COST)
  await auditsAreClean()
})

test('parts of a cost are refunded until nothing is left, and no more than that', async () => {
  const ann = await spendingUser(1000)
  const entry = await billedCall(ann, 0)
  const asked = async (quota: number) => {
    const response = await refund(admin, entry.id, quota)
    const page = await response.text()
    const texts = ['At most $0.000400 of this call is left', 'Nothing of this call is left', 'Enter an amount above 0']
    return [response.status, ...texts.filter(text => page.includes(text))]
  }
  expect(await asked(100)).toEqual([303])
  expect(await asked(201)).toEqual([422, 'At most $0.000400 of this call is left'])
  for (const none of [0, -5]) expect(await asked(none)).toEqual([422, 'Enter an amount above 0'])
  expect(await asked(200)).toEqual([303])
  expect(await asked(1)).toEqual([422, 'Nothing of this call is left'])
  const { request_id } = entry
  expect((await refundsOf(ann.person)).map(({ delta, reference }) => [delta, reference])).toEqual([
    [100, request_id],
    [200, `${request_id}.2`],
  ])
  expect(await figures(ann)).toMatchObject({ token_used: 0, token_remain: 0 })
  await auditsAreClean()
})

test('failed calls, free calls and other entries have nothing to refund', async () => {
  const ann = await spendingUser(1000)
  await spend(ann.person, { quota: 0 })
  const free = await latestEntry(ann.person)
  const { request_id } = free
  await write(ann.person, { type: LogType.error, quota: 5, request_id, model_name: 'gpt-4o' })
  const failed = await latestEntry(ann.person)
  await write(ann.person, { type: LogType.topUp, quota: 5 })
  const credited = await latestEntry(ann.person)
  for (const { id } of [free, failed, credited]) {
    expect(await html(admin, `${LOGS_PATH}?type=0&open=${id}`)).not.toContain(`refund=${id}`)
    expect((await refund(admin, id, 1)).status).toBe(404)
  }
  // Of another gateway, whose log was imported: nothing was booked here.
  await write(ann.person, { quota: 5, request_id: 'req_AZrN0000cAAAAAAAAAAAAA', model_name: 'imported' })
  const imported = await latestEntry(ann.person)
  expect((await refund(admin, imported.id, 5)).status).toBe(303)
  expect(await balance(ann.person)).toBe(1000)
  expect(await refundsOf(ann.person)).toEqual([])
})

test('an administrator without authority over the user cannot refund, nor can a user', async () => {
  const ann = await spendingUser(1000)
  const entry = await billedCall(ann, 0)
  const peer = await visitor(Role.admin, 1000)
  await spend(peer, { quota: COST })
  const foreign = await latestEntry(peer)
  expect(await html(admin, `${LOGS_PATH}?open=${foreign.id}`)).not.toContain(`refund=${foreign.id}`)
  await refund(admin, foreign.id, COST)
  await refund(ann.person, entry.id, COST)
  expect([await balance(peer), await balance(ann.person)]).toEqual([1000 - COST, 1000 - COST])
  expect((await refund(root, foreign.id, COST)).status).toBe(303)
  expect(await balance(peer)).toBe(1000)
})

test('a call is refunded after its key and its channel are deleted', async () => {
  const { id: channel } = await makeChannel(root)
  const ann = await spendingUser(1000)
  const entry = await billedCall(ann, channel)
  await ann.person.delete(`/api/token/${ann.token.id}`)
  await db.delete(channels).where(eq(channels.id, channel))
  expect((await refund(admin, entry.id, COST)).status).toBe(303)
  expect(await balance(ann.person)).toBe(1000)
  await auditsAreClean()
})

test('a song is refunded once it is finished, by what its maker and its failure have left', async () => {
  const maker = await sunoUpstream()
  await sunoChannel(maker)
  const ann = await client()
  const rounds = async () => {
    shiftClock(120)
    await lookAfterTasks(new AbortController().signal)
  }
  const [finished, failed] = [await submitted(ann), await submitted(ann)]
  const entries = await db.select().from(logs).where(eq(logs.user_id, ann.person.id)).orderBy(logs.id)
  const [whole, lost] = entries.filter(({ type }) => type === LogType.consume)
  await refund(admin, whole!.id, MUSIC_QUOTA)
  expect(RICH - (await ann.balance())).toBe(2 * MUSIC_QUOTA)
  maker.tells((await rowOf(finished)).upstream_id, { status: 'SUCCESS', data: [song()] })
  maker.tells((await rowOf(failed)).upstream_id, { status: 'FAILURE', fail_reason: 'too loud' })
  await rounds()
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
  await refund(admin, lost!.id, MUSIC_QUOTA)
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA)
  await refund(admin, whole!.id, 20_000)
  await refund(admin, whole!.id, MUSIC_QUOTA)
  expect(RICH - (await ann.balance())).toBe(MUSIC_QUOTA - 20_000)
  expect((await refundsOf(ann.person)).map(({ delta }) => delta)).toEqual([MUSIC_QUOTA, 20_000])
  await auditsAreClean()
})
