// @engine sqlite
/** Ids of a realtime client's events: which errors of the upstream take a turn off the bill. */
import { afterAll, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { type Client, client } from '../../support/people/client.ts'
import { dial, REALTIME_MODEL as MODEL } from '../../support/people/realtime-client.ts'
import { until } from '../../support/until.ts'
import { realtimeModel } from '../../support/upstream/realtime-model.ts'
import { channelTo } from '../../support/upstream/served-channel.ts'

const upstream = realtimeModel()
afterAll(() => upstream.stop())
await channelTo(upstream.url, { models: MODEL })

const entryOf = (ann: Client) => until(async () => (await logsOf(ann.person))[0])
const words = { type: 'input_text', text: 'word '.repeat(50_000) }
const prompt = {
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [words] },
}
const respond = { type: 'response.create', event_id: 'mine' }

/** Everything that the upstream refuses under an id of the client's choice. */
const refused: [name: string, event: object][] = [
  ['an unknown event', { type: 'no.such.event' }],
  ['a session update', { type: 'session.update' }],
  ['a cancellation', { type: 'response.cancel' }],
  ['a clearing', { type: 'input_audio_buffer.clear' }],
  ['a truncation', { type: 'conversation.item.truncate', item_id: 'none' }],
]

test.each(refused)('%s that is refused under the id of a turn leaves the turn on the bill', async (_, event) => {
  const created = Promise.withResolvers<void>()
  upstream.answers.splice(0, 1, { words: 5, created: created.promise })
  const ann = await client({}, 1_000_000_000)
  const call = await dial(ann)
  await call.seen('session.created')
  // Before the request and after it.
  for (const each of [{ ...event, event_id: 'mine' }, prompt, respond, { ...event, event_id: 'mine' }]) call.say(each)
  await call.seen('error', 2)
  const errors = call.events.filter(({ type }) => type === 'error')
  expect(errors.map(({ error }) => error.event_id)).toEqual(['mine', 'mine'])
  call.socket.close()
  await call.closed
  created.resolve()
  const { prompt_tokens, completion_tokens, other } = await entryOf(ann)
  expect([prompt_tokens >= 50_000, completion_tokens]).toEqual([true, 5])
  expect(other).toMatchObject({ stream_status: 'abandoned' })
  expect(other.counted_locally).toBeFalsy()
})

test.each(['mine', undefined])('a turn that is refused is named by the id of its client: %p', async event_id => {
  const report = Promise.withResolvers<void>()
  upstream.answers.splice(0, 1, { words: 5, report: report.promise })
  const ann = await client()
  const call = await dial(ann)
  call.say({ type: 'response.create', event_id: 'first' })
  await call.seen('response.created')
  call.say({ type: 'response.create', event_id })
  await call.seen('error')
  const { error } = call.events.find(({ type }) => type === 'error')
  expect([error.code, error.event_id]).toEqual(['conversation_already_has_active_response', event_id ?? null])
  report.resolve()
  await call.seen('response.done')
  call.socket.close()
  expect(await entryOf(ann)).toMatchObject({ completion_tokens: 5, other: { stream_status: 'finished' } })
  const sent = upstream.sessions.at(-1)!.events.map(event => event.event_id)
  expect(new Set(sent).size).toBe(2)
})
