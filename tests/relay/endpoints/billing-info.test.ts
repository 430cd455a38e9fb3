/** OpenAI's old billing API: quota and usage of a key or its user. */
import { afterEach, expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { client, quotaOf } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
const used = quotaOf(1000, 200)
await channelTo(await startUpstream(chat({ usage })))

afterEach(async () => {
  await setOption('DisplayTokenStatEnabled', true)
  await setOption('DisplayInCurrencyEnabled', true)
})

async function figures(token: Record<string, unknown>, prefix = '') {
  const ann = await client(token, 5_000_000)
  await (await ann.chat()).text()
  const [subscription, usage] = await Promise.all(
    ['subscription', 'usage'].map(async what => (await ann.get(`${prefix}/dashboard/billing/${what}`)).json() as any),
  )
  expect(subscription).toMatchObject({ object: 'billing_subscription', has_payment_method: true })
  expect(usage.object).toBe('list')
  const { soft_limit_usd, hard_limit_usd, system_hard_limit_usd, access_until } = subscription
  expect([soft_limit_usd, system_hard_limit_usd]).toEqual([hard_limit_usd, hard_limit_usd])
  return { limit: hard_limit_usd, access_until, used: usage.total_usage }
}

const limited = { unlimited_quota: false, remain_quota: 1_000_000, expired_time: 2_000_000_000 }

test("the key's quota and usage are shown in USD", async () => {
  for (const prefix of ['', '/v1', '/hf/v1']) {
    expect(await figures(limited, prefix)).toEqual({ limit: 2, access_until: 2_000_000_000, used: used / 5000 })
  }
})

test('a key without a limit shows a large constant', async () => {
  expect(await figures({})).toEqual({ limit: 100_000_000, access_until: 0, used: used / 5000 })
})

test("the user's quota and usage are shown in USD", async () => {
  await setOption('DisplayTokenStatEnabled', false)
  expect(await figures(limited)).toMatchObject({ limit: 10, used: used / 5000 })
})

test('quota is shown while currency display is off', async () => {
  await setOption('DisplayInCurrencyEnabled', false)
  expect(await figures(limited)).toMatchObject({ limit: 1_000_000, used: used * 100 })
})

test('a request without a key is refused', async () => {
  const ann = await client()
  const answer = await ann.get('/dashboard/billing/usage', { authorization: '' })
  expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'key_missing' })
})
