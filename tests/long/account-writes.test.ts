/** A minute of calls beside writes and credits of the same account, token and channel: no figure drifts. */
import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { auditWallets } from '../../src/domain/wallet/audit.ts'
import { stopwatch } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { openShop, UNIT } from '../support/epay/shop.ts'
import { BOT_TOKEN, widgetFields } from '../support/oauth/telegram-widget.ts'
import { client, quotaOf, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { newCode, redeem } from '../support/people/redemption-codes.ts'
import { configureMail, mailsTo } from '../support/people/registration.ts'
import { until } from '../support/until.ts'
import { chat } from '../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const CALLS_PER_SECOND = 50
const CALLS = 60 * CALLS_PER_SECOND
/** Fewer than `fetch` keeps in flight, since the gateway in this process fetches too. */
const AT_ONCE_MAX = 100
const A_LONG_RUN_MS = 240_000
const usage = { prompt_tokens: 40, completion_tokens: 10 }

const root = await setUp()
await configureMail()
await setOption('TelegramBotToken', BOT_TOKEN)
await setOption('TelegramBotName', 'gatebot')
await setOption('TelegramOAuthEnabled', true)
const { merchant, order } = await openShop()
const upstream = await startUpstream(chat({ usage }))
const channel = await channelTo(upstream)
afterAll(() => db.delete(mails))

const ann = await client()
const { person } = ann
const { data: token } = await person.get(`/api/token/${(await person.get('/api/token/')).data[0].id}`)

let underWay = 0

async function call(): Promise<number> {
  underWay++
  const response = await ann.chat()
  await response.text()
  underWay--
  return response.status
}

/** Binds a new address with the code mailed to it. */
async function bindAddress(round: number) {
  // Ten codes in a quarter of an hour are the limit of an account, right ones included.
  resetStores('login-failures')
  const email = `ann${round}@example.com`
  await person.get(`/api/verification?${new URLSearchParams({ email })}`)
  const [mail] = await mailsTo(email)
  const code = /^\d{6}$/m.exec(mail!.text)![0]
  return person.get(`/api/oauth/email/bind?${new URLSearchParams({ email, code })}`)
}

const bindTelegram = (round: number) =>
  person.get(`/api/oauth/telegram/bind?${new URLSearchParams(widgetFields({ id: '4711', first_name: `A${round}` }))}`)

/** Each writes the row of the user, the token or the channel; whole rows are sent back as they were read at the start. */
const { data: user } = await root.get(`/api/user/${person.id}`)
const { email: _email, telegram_id: _telegram, ...staleUser } = user
const { data: staleChannel } = await root.get(`/api/channel/${channel.id}`)
const writes: ((round: number) => Promise<{ success: boolean }>)[] = [
  round => person.put('/api/user/setting', { quota_warning_threshold: round }),
  round => person.put('/api/user/self', { display_name: `Ann ${round}` }),
  () => person.get('/api/user/token'),
  () => person.get('/api/user/aff'),
  bindAddress,
  bindTelegram,
  () => person.put('/api/token/?status_only=true', { ...token, status: 1 }),
  round => person.put('/api/token/', { id: token.id, name: `key ${round}` }),
  round => root.put('/api/user/', { ...staleUser, display_name: `Ann ${round}`, concurrency_limit: 0 }),
  round => root.put('/api/channel/', { ...staleChannel, key: '', priority: round % 3 }),
]

await db
  .update(users)
  .set({ aff_quota: 1000 * UNIT })
  .where(eq(users.id, person.id))
const change = (quota_delta: number) => root.put('/api/user/', { id: person.id, quota_delta })

/** Each moves the balance. @returns by how much */
const credits: (() => Promise<number>)[] = [
  async () => ((await redeem(person, await newCode({ quota: 11 }))).success ? 11 : 0),
  async () => ((await merchant.call(await order(person, 1))) === 'success' ? UNIT : 0),
  async () => ((await person.post('/api/user/aff_transfer', { quota: UNIT })).success ? UNIT : 0),
  async () => ((await change(17)).success ? 17 : 0),
  async () => ((await change(-5)).success ? -5 : 0),
]
/** Leaves the processor to the calls. */
const PAUSE_MS = 50

test(
  'a minute of account writes and credits of every kind against 50 calls a second adds up to the unit',
  async () => {
    const elapsed = stopwatch()
    const calls: Promise<number>[] = []
    const calling = (async () => {
      for (; calls.length < CALLS; await Bun.sleep(1))
        while (underWay < AT_ONCE_MAX && calls.length < Math.min(CALLS, (elapsed() / 1000) * CALLS_PER_SECOND))
          calls.push(call())
    })()
    const refused: unknown[] = []
    const written = writes.map(async (write, at) => {
      let round = 1
      for (; calls.length < CALLS; round++) {
        const answer = await write(round)
        if (!answer.success) refused.push([at, answer])
      }
      return round
    })
    const credited = credits.map(async credit => {
      const moved: number[] = []
      for (; calls.length < CALLS; await Bun.sleep(PAUSE_MS)) moved.push(await credit())
      return moved
    })
    const rounds = await Promise.all(written)
    const moved = await Promise.all(credited)
    await calling
    const statuses = await Promise.all(calls)
    expect(statuses.filter(status => status !== 200)).toEqual([])
    expect(refused).toEqual([])
    expect(Math.min(...rounds, ...moved.map(deltas => deltas.length))).toBeGreaterThan(20)
    expect(moved.flat()).not.toContain(0)

    const spent = CALLS * quotaOf(usage.prompt_tokens, usage.completion_tokens)
    const self = async () => (await person.get('/api/user/self')).data
    await until(async () => (await self()).request_count === CALLS)
    const quota = moved.flat().reduce((sum, delta) => sum + delta, RICH - spent)
    expect(await self()).toMatchObject({ quota, used_quota: spent })
    expect((await person.get(`/api/token/${token.id}`)).data.used_quota).toBe(spent)
    const [row] = await db.select().from(channels).where(eq(channels.id, channel.id))
    expect(row!.used_quota).toBe(spent)
    expect((await auditWallets()).difference).toBeUndefined()
  },
  A_LONG_RUN_MS,
)
