// @engine both
/** Concurrent calls and dear responses against a small balance. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { TokenStatus } from '../../../src/contracts/token.ts'
import { auditWallets } from '../../../src/domain/wallet/audit.ts'
import { now } from '../../../src/process/clock.ts'
import { listen } from '../../support/app/app.ts'
import { ask } from '../../support/app/site.ts'
import { setUp } from '../../support/people/person.ts'
import { figures, type SpendingUser, spendingUser } from '../../support/people/spending-user.ts'
import { makeChannel } from '../../support/upstream/channel.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { fakeUpstream } from '../../support/upstream/openai.ts'

const model = 'gpt-4o-mini'
const url = listen()
const upstream = await fakeUpstream()
afterAll(() => upstream.stop())
await makeChannel(await setUp(), { key: 'sk-upstream', base_url: upstream.url, models: model })

const AT_ONCE = 200
const max_tokens = 10_000
/** At 0.3 quota an output token, and a little for the prompt. */
const COST = 3001
const usage = { prompt_tokens: 10, completion_tokens: max_tokens, total_tokens: max_tokens + 10 }
upstream.scripts(model, async (call, answer) => {
  await Bun.sleep(100)
  await chat({ usage })(call, answer)
})

beforeEach(() => void upstream.journal.splice(0))

async function burst({ token }: SpendingUser) {
  const question = { model, content: 'hello', max_tokens }
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(url, token.key, question)))
  const refusals = answers.filter(answer => answer.status !== 200)
  for (const { status, text } of refusals) {
    expect(status).toBe(403)
    expect(text).toContain('insufficient_')
  }
  const answered = AT_ONCE - refusals.length
  expect(upstream.journal).toHaveLength(answered)
  expect((await auditWallets()).difference).toBeUndefined()
  return answered
}

test.each([1, 2, 3])('200 calls at once against a balance for ten never overspend, round %i', async () => {
  const ann = await spendingUser(10 * COST + 50)
  const answered = await burst(ann)
  expect(answered).toBe(10)
  expect(await figures(ann)).toMatchObject({ quota: 50, used_quota: 10 * COST, usage_calls: 10, token_used: 10 * COST })
})

test('a token with quota for five limits a rich user', async () => {
  const ann = await spendingUser(1000 * COST, 5 * COST + 20)
  expect(await burst(ann)).toBe(5)
  expect(await figures(ann)).toMatchObject({ token_remain: 20, token_status: TokenStatus.enabled, usage_calls: 5 })
})

test('a response dearer than its reservation is charged in full, and the next call is refused', async () => {
  const ann = await spendingUser(COST)
  upstream.scripts(model, chat({ usage: { ...usage, completion_tokens: 2 * max_tokens } }))
  expect((await ask(url, ann.token.key, { model, content: 'hello', max_tokens: 9000 })).status).toBe(200)
  expect((await figures(ann)).quota).toBe(COST - 6001)
  const next = await ask(url, ann.token.key, { model, content: 'hello' })
  expect(next).toMatchObject({ status: 403, text: expect.stringContaining('insufficient_user_quota') })
})

test('the books stay equal without usage logs', async () => {
  const root = await setUp()
  const ann = await spendingUser(10 * COST)
  const logged = async () => (await root.get(`/api/log/?username=${ann.person.username}&type=2`)).data.items.length
  const question = { model, content: 'hello', max_tokens: 100 }
  upstream.scripts(model, chat({ usage }))
  const log = (value: boolean) => root.put('/api/option/', { key: 'LogConsumeEnabled', value: String(value) })

  await ask(url, ann.token.key, question)
  await log(false)
  await ask(url, ann.token.key, question)
  await log(true)
  expect(await logged()).toBe(1)
  expect((await root.delete(`/api/log/?target_timestamp=${now() + 1}`)).success).toBe(true)
  expect(await logged()).toBe(0)

  expect(await figures(ann)).toMatchObject({ quota: 8 * COST, usage_quota: 2 * COST, usage_calls: 2 })
  expect((await auditWallets()).difference).toBeUndefined()
})
