/** Concurrent failures disable a channel and log it once. */
import { expect, test } from 'bun:test'
import { ChannelStatus } from '../../src/contracts/channel.ts'
import { autoDisableOf } from '../../src/domain/routing/health/auto-disable.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { client, quotaOf, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, refuses } from '../support/upstream/chat-scripts.ts'
import type { Script } from '../support/upstream/openai.ts'
import { served } from '../support/upstream/served-channel.ts'

/** As many as `fetch` keeps in flight by itself, there and back. */
const CALLS = 100

test('a hundred rejected calls at once disable their channel and log it once', async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  await setOption('RetryTimes', 1)
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const together: Script = async (call, answer) => {
    if (lost.calls() === CALLS) resolve()
    await all
    await refuses(401)(call, answer)
  }
  const lost = await served(together, { priority: 9 })
  await served(chat({ usage: { prompt_tokens: 10, completion_tokens: 3 } }))
  const ann = await client()
  const statuses = await Promise.all(Array.from({ length: CALLS }, async () => (await ann.chat()).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await channelNow(lost.id)).toMatchObject({ status: 3 })
  expect((await logsOf(await setUp(), 4)).filter((note: any) => note.channel === lost.id)).toHaveLength(1)
  expect(await ann.balance()).toBe(RICH - CALLS * quotaOf(10, 3))
})

test.each([
  [ChannelStatus.autoDisabled, '{"status_reason":"401 No","status_time":7}', { reason: '401 No', at: 7 }],
  [ChannelStatus.autoDisabled, '', undefined],
  [ChannelStatus.enabled, '{"status_reason":"test","status_time":7}', undefined],
  [ChannelStatus.disabled, '{"status_reason":"manual","status_time":7}', undefined],
  [ChannelStatus.enabled, '', undefined],
])('a channel of status %d with the note %p has closed itself: %j', (status, other_info, closed) => {
  expect(autoDisableOf({ status, other_info })).toEqual(closed)
})
