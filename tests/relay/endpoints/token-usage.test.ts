/** `GET /api/usage/token`: what a key was granted and has used. */
import { expect, test } from 'bun:test'
import { client, quotaOf } from '../../support/people/client.ts'
import { chat } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
await channelTo(await startUpstream(chat({ usage })))

test('a key reads its own quota, limits and expiry', async () => {
  const used = quotaOf(1000, 200)
  const limited = {
    name: 'robot',
    unlimited_quota: false,
    remain_quota: 1_000_000,
    expired_time: 2_000_000_000,
    model_limits_enabled: true,
    model_limits: 'gpt-4o,o3',
  }
  const ann = await client(limited, 5_000_000)
  await (await ann.chat()).text()
  const response = await ann.get('/api/usage/token')
  expect([response.status, await response.json()]).toEqual([
    200,
    {
      code: true,
      message: 'ok',
      data: {
        object: 'token_usage',
        name: 'robot',
        total_granted: 1_000_000,
        total_used: used,
        total_available: 1_000_000 - used,
        unlimited_quota: false,
        model_limits: { 'gpt-4o': true, o3: true },
        model_limits_enabled: true,
        expires_at: 2_000_000_000,
      },
    },
  ])
})

test('a key without limits never expires, and a wrong key is refused', async () => {
  const ann = await client()
  const { data } = (await (await ann.get('/api/usage/token')).json()) as { data: object }
  expect(data).toMatchObject({ unlimited_quota: true, model_limits: {}, model_limits_enabled: false, expires_at: 0 })
  const refused = await ann.get('/api/usage/token', { authorization: 'Bearer sk-none' })
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'key_invalid' } }])
})
