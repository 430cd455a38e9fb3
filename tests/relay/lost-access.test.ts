/** Running calls of users and keys that lose their access. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { UserStatus } from '../../src/contracts/account.ts'
import { db } from '../../src/db/database.ts'
import { users } from '../../src/domain/users/table.ts'
import { now, skipTime } from '../../src/process/clock.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { type Client, client, quotaOf, RICH } from '../support/people/client.ts'
import { setUp, visitor } from '../support/people/person.ts'
import { dial, REALTIME_MODEL } from '../support/people/realtime-client.ts'
import { readStream, textArrives } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { hangsAfter } from '../support/upstream/chat-scripts.ts'
import { realtimeUpstream } from '../support/upstream/realtime.ts'
import { channelTo, startUpstream } from '../support/upstream/served-channel.ts'

const upstream = await startUpstream(hangsAfter(20, { text: 'word '.repeat(30), chunks: 30 }))
await channelTo(upstream)

const change = (columns: object) => async (ann: Client) => {
  await db.update(users).set(columns).where(eq(users.id, ann.person.id))
  invalidate('user', ann.person.id)
}

async function firstToken({ person }: Client): Promise<{ id: number }> {
  return (await person.get('/api/token/')).data[0]
}

const deleteKey = async (ann: Client) => ann.person.delete(`/api/token/${(await firstToken(ann)).id}`)

test.each([
  ['a banned user', change({ status: UserStatus.banned }), 'user_banned'],
  ['a deleted user', change({ deleted_time: now() }), 'key_invalid'],
  [
    'a disabled key',
    async (ann: Client) => {
      const { id } = await firstToken(ann)
      await ann.person.put('/api/token/?status_only=true', { id, status: 2 })
    },
    'token_disabled',
  ],
  ['a deleted key', deleteKey, 'key_invalid'],
] as const)('the running stream of %s ends at once with an error and a bill', async (_, lose, code) => {
  const ann = await client()
  const response = await ann.stream()
  await textArrives(response, 'word')
  await lose(ann)
  expect(await readStream(response)).toMatchObject({ done: false, error: { code } })
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(entry.other).toMatchObject({ partial: true, stream_status: 'stopped' })
})

test('a user whose other fields change keeps the running stream', async () => {
  const [ann, bea] = [await client(), await visitor()]
  const aborted = new AbortController()
  const response = await ann.stream({}, { signal: aborted.signal })
  await textArrives(response, 'word')
  await change({ display_name: 'Ann' })(ann)
  await db.update(users).set({ status: UserStatus.banned }).where(eq(users.id, bea.id))
  invalidate('user', bea.id)
  expect(await logsOf(ann.person)).toEqual([])
  aborted.abort()
  await until(() => app.server!.pendingRequests === 0)
  skipTime(10)
  const entry = await until(async () => (await logsOf(ann.person))[0])
  expect(entry.other).toMatchObject({ stream_status: 'abandoned' })
  expect(await ann.balance()).toBe(RICH - quotaOf(entry.prompt_tokens, entry.completion_tokens))
})

test.each([
  ['a banned user', change({ status: UserStatus.banned }), 'user_banned'],
  ['a deleted key', deleteKey, 'key_invalid'],
] as const)('a realtime session of %s is closed', async (_, lose, code) => {
  const realtime = realtimeUpstream()
  const { id } = await channelTo(realtime.url, { models: REALTIME_MODEL })
  const ann = await client()
  const call = await dial(ann)
  await call.seen('session.created')
  await lose(ann)
  expect(await call.closed).toBe(1001)
  expect(call.events.at(-1)).toMatchObject({ type: 'error', error: { code } })
  await (await setUp()).delete(`/api/channel/${id}`)
  realtime.stop()
})
