// @engine both
/** Notices: low balance to users, channels and test runs to root; by mail or webhook, once in two hours. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { mails } from '../../src/domain/mail/table.ts'
import { noticeTimes } from '../../src/domain/notices/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { mailSink } from '../support/mail/sink.ts'
import { client, quotaOf, RICH } from '../support/people/client.ts'
import { call, choose, lowBalanceUser, mailTo } from '../support/people/low-balance-user.ts'
import { type Person, setUp } from '../support/people/person.ts'
import { until } from '../support/until.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const HOURS = 3600
const COST = quotaOf(10, 3)
const answer = chat({ usage: { prompt_tokens: 10, completion_tokens: 3 } })

const root = await setUp()
const sink = await mailSink()
await sink.options()
await setOption('ServerAddress', 'https://site.example')

beforeEach(async () => {
  await deleteChannels()
  await served(answer)
})
afterEach(() => resetStores('clock', 'schedule'))

/** Resolves when the work that calls have left behind is done. */
async function settled(name: string) {
  await Bun.sleep(20)
  await until(
    async () =>
      (
        await db
          .select()
          .from(mails)
          .where(eq(mails.recipient, `${name}@example.com`))
      ).length === 0,
  )
}
const mailsOf = (name: string) => sink.attempts.filter(to => to === `${name}@example.com`).length
const turnsOf = (person: Person) => db.select().from(noticeTimes).where(eq(noticeTimes.user_id, person.id))

test.each([
  ['en', 'Tollgate: your balance is low', 'Your balance on Tollgate is $99.50.'],
  ['zh', 'Tollgate 余额不足提醒', '您在 Tollgate 的余额为 $99.50'],
] as const)(
  'a low balance is mailed in %s with the balance after the charge and the link',
  async (language, subject, text) => {
    const name = `ann-${language}`
    const ann = await lowBalanceUser(mailTo(name), language)
    await db
      .update(users)
      .set({ quota: 49_752_486 + COST })
      .where(eq(users.id, ann.person.id))
    await call(ann)
    const mail = await sink.next(`${name}@example.com`)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(text)
    expect(mail.text).toContain('\nhttps://site.example/app/wallet\n')
    expect(`${mail.subject}${mail.text}`).not.toMatch(/\{\{|\}\}/)
  },
)

test('a small balance is shown to the last unit', async () => {
  const ann = await lowBalanceUser({ ...mailTo('tiny'), quota_warning_threshold: RICH + 1 })
  await setOption('QuotaPerUnit', RICH * 1000)
  await call(ann)
  const { text } = await sink.next('tiny@example.com')
  await setOption('QuotaPerUnit', 500_000)
  expect(text).toContain('is $0.001000.')
})

test('a user gets one notice in two hours, also after a restart and with a clock set back', async () => {
  holdClock(true)
  const ann = await lowBalanceUser(mailTo('once'))
  await call(ann)
  await sink.next('once@example.com')
  for (const [seconds, restarts] of [
    [0, false],
    [2 * HOURS - 1, false],
    [0, true],
    [-1 * HOURS, true],
  ] as const) {
    shiftClock(seconds)
    if (restarts) resetStores('user')
    await call(ann)
    await settled('once')
    expect([seconds, mailsOf('once')]).toEqual([seconds, 1])
  }
  shiftClock(1 * HOURS + 1)
  await call(ann)
  await sink.next('once@example.com')
  expect(await turnsOf(ann.person)).toMatchObject([{ kind: 'quota_exceed', sent_time: now() }])
})

test('a clock that was far ahead does not silence notices for long', async () => {
  const ann = await lowBalanceUser(mailTo('ahead'))
  await db.insert(noticeTimes).values({ user_id: ann.person.id, kind: 'quota_exceed', sent_time: now() + 1000 * HOURS })
  await call(ann)
  await sink.next('ahead@example.com')
})

test('a hundred parallel calls that cross the threshold bring one notice', async () => {
  const ann = await lowBalanceUser(mailTo('crowd'))
  await Promise.all(Array.from({ length: 100 }, () => call(ann)))
  await sink.next('crowd@example.com')
  await settled('crowd')
  expect(mailsOf('crowd')).toBe(1)
  expect(await ann.balance()).toBe(RICH - 100 * COST)
})

test('the threshold of the site counts for users who have chosen none', async () => {
  const [ann, bob] = [await client(), await client()]
  for (const [{ person }, name] of [
    [ann, 'none'],
    [bob, 'own'],
  ] as const)
    await choose(person, mailTo(name))
  await choose(bob.person, { quota_warning_threshold: 1 })
  await call(ann)
  await setOption('QuotaRemindThreshold', RICH)
  await call(ann)
  await call(bob)
  await sink.next('none@example.com')
  await setOption('QuotaRemindThreshold', 1000)
  expect([mailsOf('none'), mailsOf('own')]).toEqual([1, 0])
})

test.each([
  // Balance left beside the own threshold and that of the site: by which of them it is low.
  { own: undefined, site: 0, is_mailed: false },
  { own: undefined, site: 1, is_mailed: true },
  { own: 0, site: 1, is_mailed: false },
  { own: 1, site: 0, is_mailed: true },
  { own: 1, site: -1, is_mailed: true },
  { own: -1, site: 1, is_mailed: false },
])('a balance is low below the own threshold, else below that of the site: %j', async ({ own, site, is_mailed }) => {
  const left = RICH - COST
  await setOption('QuotaRemindThreshold', left + site)
  const name = `low${own ?? ''}-${site}`
  const ann = await client()
  await choose(ann.person, { ...mailTo(name), ...(own !== undefined && { quota_warning_threshold: left + own }) })
  await call(ann)
  if (is_mailed) await sink.next(`${name}@example.com`)
  await settled(name)
  await setOption('QuotaRemindThreshold', 1000)
  expect(mailsOf(name)).toBe(is_mailed ? 1 : 0)
})

test('the account’s address serves where no other is given, and who has none gets none until there is one', async () => {
  const ann = await lowBalanceUser({})
  await call(ann)
  await Bun.sleep(20)
  expect(await turnsOf(ann.person)).toEqual([])
  await db.update(users).set({ email: 'account@example.com' }).where(eq(users.id, ann.person.id))
  await choose(ann.person, { accept_unset_model_ratio_model: false })
  await call(ann)
  await sink.next('account@example.com')
})

test('a call that costs nothing brings no notice', async () => {
  await setOption('GroupRatio', '{"default":0}')
  const ann = await lowBalanceUser(mailTo('free'))
  await db
    .update(users)
    .set({ quota: RICH - 1 })
    .where(eq(users.id, ann.person.id))
  await call(ann)
  await Bun.sleep(20)
  await setOption('GroupRatio', '{"default":1}')
  expect(await turnsOf(ann.person)).toEqual([])
})

test('a mail server that hangs delays no call', async () => {
  const letGo = sink.hold()
  const ann = await lowBalanceUser(mailTo('hanging'))
  for (let round = 0; round < 3; round++) await call(ann)
  await until(() => mailsOf('hanging') === 1)
  letGo()
  await sink.next('hanging@example.com')
})

test('root learns that a channel was closed and reopened, and that a test run is over', async () => {
  await choose(root, { notify_type: 'email', notification_email: 'root@example.com' })
  await setOption('AutomaticDisableChannelEnabled', true)
  await setOption('AutomaticEnableChannelEnabled', true)
  await deleteChannels()
  const lost = await served(refuses(401))
  const ann = await client()
  expect((await ann.chat()).status).not.toBe(200)
  const closed = await sink.next('root@example.com')
  expect(closed.subject).toBe(`Tollgate: channel ${lost.name} was disabled`)
  expect(closed.text).toContain('\nhttps://site.example/admin/channels\n')
  lost.scripts(answer)
  expect(await root.get('/api/channel/test')).toMatchObject({ success: true })
  await jobsDone()
  const more = [await sink.next('root@example.com'), await sink.next('root@example.com')]
  const texts = new Map(more.map(({ subject, text }) => [subject, text!]))
  const subjects = ['Tollgate: channel tests are over', `Tollgate: channel ${lost.name} is enabled again`]
  expect(new Set(texts.keys())).toEqual(new Set(subjects))
  expect(texts.get('Tollgate: channel tests are over')).toContain('Channels tested: 1. Failed: 0.')
  expect((await turnsOf(root)).map(({ kind }) => kind).sort()).toEqual([
    'channel_test',
    `channel_update_${lost.id}_1`,
    `channel_update_${lost.id}_3`,
  ])
  await root.get('/api/channel/test')
  await jobsDone()
  await settled('root')
  expect(mailsOf('root')).toBe(3)
  await setOption('AutomaticDisableChannelEnabled', false)
  await setOption('AutomaticEnableChannelEnabled', false)
})

test('a test run of the schedule, and changes by hand, bring root no notice', async () => {
  await db.delete(noticeTimes)
  const admin = (await client({}, RICH)).person
  await db.update(users).set({ role: Role.admin }).where(eq(users.id, admin.id))
  const [channel] = (await root.get('/api/channel/?p=0&page_size=10')).data
  await root.put('/api/channel/', { id: channel.id, status: 2 })
  await root.put('/api/channel/', { id: channel.id, status: 1 })
  await setOption('ChannelTestIntervalMinutes', 1)
  shiftClock(61)
  await tick()
  await jobsDone()
  await setOption('ChannelTestIntervalMinutes', 0)
  expect(await turnsOf(root)).toEqual([])
})
