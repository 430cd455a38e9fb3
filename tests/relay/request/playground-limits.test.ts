/** Limits of the playground's calls, and running calls that lose their session. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../../src/cluster/invalidation.ts'
import { Role, SESSION_SECONDS, UserStatus } from '../../../src/contracts/account.ts'
import { db } from '../../../src/db/database.ts'
import { users } from '../../../src/domain/users/table.ts'
import { open } from '../../../src/domain/wallet/reservations.ts'
import { shiftClock } from '../../../src/process/clock.ts'
import { resetStores } from '../../../src/process/stores.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { Client, MODEL, RICH } from '../../support/people/client.ts'
import { type Person, setUp, signedInAgain, visitor } from '../../support/people/person.ts'
import { keyOf, play, playError } from '../../support/people/playground.ts'
import { readStream, textArrives } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, gate, hangsAfter } from '../../support/upstream/chat-scripts.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(chat())
await channelTo(upstream, { group: 'default,vip' })
await setOption('GroupRatio', '{"default":1,"vip":2}')
const offerGroups = (groups: object = { default: '', vip: '' }) => setOption('UserUsableGroups', JSON.stringify(groups))
await offerGroups()
const root = await setUp()

afterEach(async () => {
  resetStores('clock')
  upstream.scripts(MODEL, chat())
  await offerGroups()
})
afterAll(() => until(() => open.size === 0))

test('the limits of the user count calls of the playground and of keys together', async () => {
  const ann = await visitor(Role.user, RICH)
  const client = new Client(ann, await keyOf(ann))
  await setOption('ModelRequestRateLimitCount', 2)
  await setOption('ModelRequestRateLimitSuccessCount', 100)
  await setOption('ModelRequestRateLimitEnabled', true)
  const byKey = () => client.chat()
  try {
    expect([(await play(ann)).status, (await byKey()).status]).toEqual([200, 200])
    const refused = await play(ann)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await playError(refused)).toMatchObject({ status: 429, code: 'user_rate_limited' })
    expect((await byKey()).status).toBe(429)
    // A group that is free of limits frees the calls that choose it, and no others.
    await setOption('global.rate_limit_exempt_group', 'vip')
    await setOption('global.rate_limit_exempt_enabled', true)
    expect([(await play(ann, { group: 'vip' })).status, (await play(ann)).status]).toEqual([200, 429])
  } finally {
    await setOption('global.rate_limit_exempt_enabled', false)
    await setOption('ModelRequestRateLimitEnabled', false)
  }
})

test('concurrent calls are limited, and no slot is left behind', async () => {
  const ann = await visitor(Role.user, RICH)
  const held = gate()
  upstream.scripts(MODEL, held.script)
  await setOption('UserConcurrencyLimit', 2)
  try {
    const running = [await play(ann, { stream: true }), await play(ann, { stream: true })]
    expect(await playError(await play(ann))).toMatchObject({ status: 429, code: 'too_many_at_once' })
    held.open()
    for (const stream of running) expect(await readStream(stream)).toMatchObject({ done: true })
    upstream.scripts(MODEL, chat())
    expect((await play(ann)).status).toBe(200)
  } finally {
    await setOption('UserConcurrencyLimit', 0)
  }
})

const HOUR = 3600

const losses: [string, (ann: Person) => Promise<unknown>, string][] = [
  ['a session that its user ends', ann => ann.get('/api/user/logout'), 'session_required'],
  [
    'a session that another session of its user ends',
    async ann => (await signedInAgain(ann)).delete('/api/user/sessions'),
    'session_required',
  ],
  [
    'a user whom an administrator signs out',
    ann => root.form(`/admin/users/${ann.id}/sign-out`, {}),
    'session_required',
  ],
  [
    'a user whom an administrator bans',
    ann => root.post('/api/user/manage', { id: ann.id, action: 'disable' }),
    'session_required',
  ],
  [
    'a banned user',
    async ann => {
      await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, ann.id))
      invalidate('user', ann.id)
    },
    'user_banned',
  ],
  ['a session that expires', async () => shiftClock(SESSION_SECONDS + HOUR), 'session_required'],
  ['a group that is no longer offered', () => offerGroups({ default: '' }), 'group_forbidden'],
]

test.each(losses)('the running stream of %s ends at once with an error and a bill', async (_, lose, code) => {
  upstream.scripts(MODEL, hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 }))
  const ann = await visitor(Role.user, RICH)
  const response = await play(ann, { group: 'vip', stream: true })
  await textArrives(response, 'word')
  await lose(ann)
  expect(await readStream(response)).toMatchObject({ done: false, error: { code } })
  resetStores('clock')
  const entry = await until(async () => (await logsOf(ann))[0])
  expect(entry.other).toMatchObject({ partial: true, stream_status: 'stopped' })
  expect(entry.quota).toBeGreaterThan(0)
})

test('a session that ends before the first word ends its stream', async () => {
  const start = Promise.withResolvers<void>()
  upstream.scripts(MODEL, async (call, answer) => {
    await start.promise
    await hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 })(call, answer)
  })
  const ann = await visitor(Role.user, RICH)
  const sent = upstream.journal.length
  const response = play(ann, { stream: true })
  await until(() => upstream.journal.length > sent)
  await ann.get('/api/user/logout')
  start.resolve()
  expect(await readStream(await response)).toMatchObject({ done: false, error: { code: 'session_required' } })
})
