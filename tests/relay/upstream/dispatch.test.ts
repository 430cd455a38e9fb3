/** Dispatch to a channel that the key names: it serves alone, once, whatever models the key lists. */
import { beforeEach, expect, test } from 'bun:test'
import { Role } from '../../../src/contracts/account.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, clientOf, RICH } from '../../support/people/client.ts'
import { setUp, visitor } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { chat, refuses } from '../../support/upstream/chat-scripts.ts'
import { deleteChannels, served } from '../../support/upstream/served-channel.ts'

beforeEach(async () => {
  await setOption('RetryTimes', 3)
  await deleteChannels()
})

const administrator = async (token = {}) => clientOf(await visitor(Role.admin, RICH), token)

/** A chat with a key that names this channel. */
const chatAt = (caller: Client, channel: number) =>
  caller.chat({}, { headers: { authorization: `Bearer sk-${caller.key}-${channel}` } })

test("an administrator's key may name the channel, and no other is tried", async () => {
  const failing = await served(refuses(500))
  const good = await served(chat(), { priority: 9 })
  const boss = await administrator()
  expect(await errorOf(await chatAt(boss, failing.id))).toMatchObject({ status: 502 })
  expect([failing.calls(), good.calls()]).toEqual([1, 0])
  expect((await chatAt(boss, good.id)).status).toBe(200)
})

test('a named channel is tried once, whichever of its keys it has left', async () => {
  for (const status of [429, 500]) {
    const failing = await served(refuses(status), { key: 'sk-one,sk-two,sk-three' })
    await chatAt(await administrator(), failing.id)
    expect([status, failing.calls()]).toEqual([status, 1])
  }
})

test('a named channel that is missing or disabled is refused, and one named by a user', async () => {
  const { id } = await served(chat())
  const boss = await administrator()
  expect(await errorOf(await chatAt(boss, 999_999))).toMatchObject({ status: 400, code: 'channel_missing' })
  const refused = { status: 403, code: 'channel_choice_forbidden' }
  expect(await errorOf(await chatAt(await client(), id))).toMatchObject(refused)
  await (await setUp()).put('/api/channel/', { id, status: 2 })
  expect(await errorOf(await chatAt(boss, id))).toMatchObject({ status: 403, code: 'channel_disabled' })
})

test("a named channel overrides the key's list of models", async () => {
  const { id } = await served(chat())
  const boss = await administrator({ model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
  expect((await boss.chat()).status).toBe(403)
  expect((await chatAt(boss, id)).status).toBe(200)
})
