/** Webhooks of notices: signed, guarded, tried three times, by the worker where one is set. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { db } from '../../src/db/database.ts'
import { webhooks } from '../../src/domain/notices/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { setEnv } from '../support/env.ts'
import { RICH } from '../support/people/client.ts'
import { call, lowBalanceUser } from '../support/people/low-balance-user.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { served } from '../support/upstream/served-channel.ts'
import { signatureOf, webhookReceiver } from '../support/webhook/receiver.ts'

await setUp()
const receiver = await webhookReceiver()
await served(chat({ usage: { prompt_tokens: 10, completion_tokens: 3 } }))
await setOption('ServerAddress', 'https://site.example')

beforeEach(() => {
  setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8', '::1/128'] })
  receiver.secret = ''
  receiver.conduct = undefined
})
afterEach(async () => {
  resetStores('clock', 'schedule')
  await db.delete(webhooks)
})

const byWebhook = { notify_type: 'webhook', webhook_url: receiver.url, webhook_secret: 'canary' }
const unsigned = { ...byWebhook, webhook_secret: '' }
const waitingFor = (person: Person) => db.select().from(webhooks).where(eq(webhooks.user_id, person.id))

test('a webhook is signed, carries the bearer token and the values, and its response is nowhere', async () => {
  const ann = await lowBalanceUser(byWebhook)
  receiver.secret = 'canary'
  await call(ann)
  const got = await receiver.next()
  expect(got).toMatchObject({
    type: 'quota_exceed',
    title: 'Tollgate: your balance is low',
    content:
      'Your balance on Tollgate is $100.00. When it is used up, calls are refused.\nhttps://site.example/app/wallet',
    values: ['Tollgate: your balance is low', '$100.00', 'https://site.example/app/wallet'],
  })
  await until(async () => (await waitingFor(ann.person)).length === 0)
})

test('a webhook that fails is tried three times with growing pauses', async () => {
  holdClock(true)
  const ann = await lowBalanceUser(unsigned)
  await tick()
  receiver.conduct = () => new Response('the secret of the receiver', { status: 500 })
  await call(ann)
  await receiver.next()
  for (const pause of [30, 60]) {
    await until(async () => (await waitingFor(ann.person))[0]?.next_time === now() + pause)
    shiftClock(pause)
    await tick()
    await jobsDone()
    await receiver.next()
  }
  await until(async () => (await waitingFor(ann.person)).length === 0)
})

test.each([
  ['redirects', () => Response.redirect('https://localhost/elsewhere', 307)],
  ['sends too much', () => new Response('x'.repeat(100_000))],
])('a receiver that %s has failed', async (_, conduct) => {
  const ann = await lowBalanceUser(unsigned)
  receiver.conduct = conduct
  const before = receiver.received.length
  await call(ann)
  await receiver.next()
  await until(async () => (await waitingFor(ann.person))[0]?.tries === 1)
  expect(receiver.received.length).toBe(before + 1)
})

test.each([
  ['without TLS', 'http://localhost', ['127.0.0.0/8', '::1/128']],
  ['to our own network', 'https://localhost', []],
])('a stored webhook %s never leaves', async (_, site, OUTBOUND_ALLOW) => {
  setEnv({ OUTBOUND_ALLOW })
  const ann = await lowBalanceUser(unsigned)
  const url = receiver.url.replace('https://localhost', site)
  const setting = { notify_type: 'webhook', webhook_url: url, quota_warning_threshold: RICH }
  await db
    .update(users)
    .set({ setting: JSON.stringify(setting) })
    .where(eq(users.id, ann.person.id))
  resetStores('user')
  const before = receiver.received.length
  await call(ann)
  await until(async () =>
    (await waitingFor(ann.person)).some(({ tries, next_time }) => tries === 1 && next_time < now() + 60),
  )
  expect(receiver.received.length).toBe(before)
})

test('the worker sends webhooks where one is set, with a signature over the body that it writes', async () => {
  const tasks: any[] = []
  const worker = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      tasks.push(await request.json())
      return new Response('ok')
    },
  })
  await setOption('WorkerUrl', `http://127.0.0.1:${worker.port}`)
  await setOption('WorkerValidKey', 'worker-key')
  const ann = await lowBalanceUser(byWebhook)
  await call(ann)
  await until(() => tasks.length)
  await setOption('WorkerUrl', '')
  await worker.stop(true)
  const [{ body, headers, ...task }] = tasks
  expect(task).toEqual({ url: receiver.url, key: 'worker-key', method: 'POST' })
  expect(body).toMatchObject({ type: 'quota_exceed' })
  expect(headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer canary',
    'x-webhook-signature': signatureOf('canary', JSON.stringify(body)),
  })
})

test('a receiver that hangs delays no call', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  receiver.conduct = async () => {
    await answered
    return new Response('late')
  }
  const ann = await lowBalanceUser(unsigned)
  for (let round = 0; round < 3; round++) await call(ann)
  await receiver.next()
  resolve()
  await until(async () => (await waitingFor(ann.person)).length === 0)
})
