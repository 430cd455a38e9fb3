/** A thousand calls that cross the threshold while mail server and receiver hang: no call waits, one notice each. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { sendWebhooks } from '../../src/domain/notices/index.ts'
import { noticeTimes, webhooks } from '../../src/domain/notices/table.ts'
import { shiftClock } from '../../src/process/clock.ts'
import { setEnv } from '../support/env.ts'
import { mailSink } from '../support/mail/sink.ts'
import { type Client, quotaOf, RICH } from '../support/people/client.ts'
import { call, lowBalanceUser, mailTo } from '../support/people/low-balance-user.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'
import { webhookReceiver } from '../support/webhook/receiver.ts'

const CALLS = 1000
/** Before the second try of a webhook. */
const PAUSE_SECONDS = 30
/** Of each user: together as many as `fetch` keeps in flight by itself. */
const AT_ONCE = 50

const sink = await mailSink()
const receiver = await webhookReceiver()
await served(chat({ usage: { prompt_tokens: 10, completion_tokens: 3 } }))
await sink.options()

async function crowd(ann: Client) {
  let left = CALLS
  const worker = async () => {
    while (left-- > 0) await call(ann)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

test('a thousand crossings of two users wait for no hanging server, and bring one mail and one webhook', async () => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8', '::1/128'] })
  const letGo = sink.hold()
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  receiver.conduct = async () => {
    await answered
    return new Response('late')
  }
  const byMail = await lowBalanceUser(mailTo('crowd'))
  const byWebhook = await lowBalanceUser({ notify_type: 'webhook', webhook_url: receiver.url })
  await Promise.all([crowd(byMail), crowd(byWebhook)])
  // Every call has ended, and neither server has answered.
  await until(() => sink.attempts.length && receiver.received.length)
  expect([sink.waiting.length, await db.$count(webhooks)]).toEqual([0, 1])
  resolve()
  letGo()
  await sink.next('crowd@example.com')
  // A webhook without a response is tried again after its pause; it is still the only one.
  shiftClock(PAUSE_SECONDS)
  await sendWebhooks()
  await until(async () => (await db.$count(webhooks)) === 0)
  expect(sink.attempts).toEqual(['crowd@example.com'])
  expect(new Set(receiver.received.map(({ content }) => content)).size).toBe(1)
  for (const { person } of [byMail, byWebhook]) {
    const turns = await db.select().from(noticeTimes).where(eq(noticeTimes.user_id, person.id))
    expect(turns.map(({ kind }) => kind)).toEqual(['quota_exceed'])
  }
  expect(await byMail.balance()).toBe(RICH - CALLS * quotaOf(10, 3))
})
