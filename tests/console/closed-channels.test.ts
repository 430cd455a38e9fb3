/** The message that administrators get when channels close themselves. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { jobsDone } from '../../src/cluster/leases.ts'
import { Role } from '../../src/contracts/account.ts'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { users } from '../../src/domain/users/table.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { holdClock, now, shiftClock } from '../../src/process/clock.ts'
import { resetStores } from '../../src/process/stores.ts'
import { setOption } from '../support/app/options.ts'
import { client } from '../support/people/client.ts'
import { type Person, setUp, visitor } from '../support/people/person.ts'
import { makeChannel, storedChannel } from '../support/upstream/channel.ts'
import { refuses } from '../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../support/upstream/served-channel.ts'

const root = await setUp()
let admin: Person
let ann: Person

beforeAll(async () => {
  ;[admin, ann] = [await visitor(Role.admin), await visitor()]
  await db.update(users).set({ language: 'en' }).where(eq(users.id, root.id))
  await db.update(users).set({ language: 'zh' }).where(eq(users.id, admin.id))
  await setOption('AutomaticDisableChannelEnabled', true)
})
afterEach(() => resetStores('clock', 'schedule'))

const inbox = async (person: Person): Promise<{ title: string; content: string }[]> =>
  (await person.get('/api/user/messages')).data.items

/** Channels whose upstream refuses their keys, each closed by a call. */
async function close(...models: string[]) {
  const channels = []
  for (const model of models)
    channels.push(await served(refuses(401), { name: `lost *${model}*`, models: model }, model))
  for (const model of models) expect((await (await client()).chat({ model })).status).toBeGreaterThan(400)
  return channels
}

async function pass(seconds: number) {
  shiftClock(seconds)
  await tick()
  await jobsDone()
}

test('administrators get one message for a wave of closed channels, with each reason, in their language', async () => {
  holdClock(true)
  await deleteChannels()
  const [first] = await close('gpt-4o', 'gpt-4.1', 'o3')
  await pass(30)
  expect(await inbox(root)).toEqual([])
  await pass(61)
  const [message, ...others] = await inbox(root)
  expect([message!.title, others]).toEqual(['3 channels have closed themselves', []])
  expect(message!.content).toContain(`- [lost \\*gpt\\-4o\\*](/admin/channels?edit=${first!.id}): 401 `)
  expect((await inbox(admin)).map(({ title }) => title)).toEqual(['3 个渠道已自动禁用'])
  expect(await inbox(ann)).toEqual([])
  await pass(3600)
  expect(await inbox(root)).toHaveLength(1)
})

test('a long wave brings a message in ten minutes, however many channels close', async () => {
  holdClock(true)
  shiftClock(7200)
  await deleteChannels()
  const before = (await inbox(root)).length
  await close('gpt-4o')
  await pass(61)
  expect(await inbox(root)).toHaveLength(before + 1)
  for (const model of ['gpt-4.1', 'o3', 'gpt-4o-mini']) {
    await close(model)
    await pass(120)
  }
  expect(await inbox(root)).toHaveLength(before + 1)
  await pass(300)
  const [latest, ...earlier] = await inbox(root)
  expect([latest!.title, earlier.length]).toEqual(['3 channels have closed themselves', before + 1])
})

test.each([
  [20, undefined],
  [21, '- and 1 more'],
  [23, '- and 3 more'],
])('a message about %d channels names twenty of them: then %p', async (count, more) => {
  holdClock(true)
  // Behind the waves before.
  shiftClock(count * 3600)
  await deleteChannels()
  const ids: number[] = []
  for (let at = 0; at < count; at++) ids.push((await makeChannel(root, { name: `wave ${at}` })).id)
  const other_info = JSON.stringify({ status_reason: `${'x'.repeat(200)}y`, status_time: now() })
  await db.update(channels).set({ status: ChannelStatus.autoDisabled, other_info }).where(inArray(channels.id, ids))
  invalidate('channels')
  await pass(61)
  const [message] = await inbox(root)
  const lines = message!.content.split('\n').filter(line => line.startsWith('- '))
  expect(message!.title).toBe(`${count} channels have closed themselves`)
  expect(lines.slice(0, 20)).toEqual(
    ids.slice(0, 20).map((id, at) => `- [wave ${at}](/admin/channels?edit=${id}): ${'x'.repeat(200)}`),
  )
  expect(lines[20]).toBe(more as never)
})

test('the reason of a closed channel stays while other fields are edited, and becomes manual with the status', async () => {
  const { id } = await makeChannel(root)
  const other_info = JSON.stringify({ status_reason: '401', status_time: 7 })
  await db.update(channels).set({ status: ChannelStatus.autoDisabled, other_info }).where(eq(channels.id, id))
  await root.put('/api/channel/', { id, name: 'renamed' })
  expect(await storedChannel(id)).toMatchObject({ name: 'renamed', other_info })
  await root.put('/api/channel/', { id, status: ChannelStatus.enabled })
  const after = await storedChannel(id)
  expect([after.status, JSON.parse(after.other_info).status_reason]).toEqual([ChannelStatus.enabled, 'manual'])
})
