/** Events of a realtime session that choose another model, route or tariff. */
import { afterAll, expect, test } from 'bun:test'
import { realtimePlaces } from '../../../src/formats/openai-realtime/index.ts'
import { client } from '../../support/people/client.ts'
import { dial, REALTIME_MODEL as MODEL } from '../../support/people/realtime-client.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo, deleteChannels } from '../../support/upstream/served-channel.ts'

const upstream = realtimeUpstream()
afterAll(() => upstream.stop())

const update = (session: object) => ({ type: 'session.update', session })
const dearer = [
  update({ service_tier: 'priority' }),
  update({ model: 'gpt-realtime-pro' }),
  update({ models: ['a'] }),
  { type: 'response.create', response: { provider: { only: ['a'] } } },
]
/** An event for each place of an id. */
const referring = realtimePlaces.map(({ at }) => {
  const [part, ...names] = at.split('.')
  const value = names.reduceRight<unknown>(
    (inner, name) => (name === 'tools' ? { tools: [inner] } : { [name === '*' ? 'any' : name]: inner }),
    'elsewhere_1',
  )
  return { type: part === 'session' ? 'session.update' : 'response.create', [part!]: value }
})
const plain = [update({ model: MODEL, speed: 1.2, service_tier: 'auto' }), { type: 'response.create' }]

/** What the upstream and the client got once the session has answered. */
async function played() {
  const call = await dial(await client())
  for (const event of [...dearer, ...plain]) call.say(event)
  await call.seen('response.done')
  call.socket.close()
  const errors = call.events.filter(({ type }) => type === 'error')
  const passed = upstream.sessions.at(-1)!.events.map(({ event_id: _, ...event }) => event)
  return { passed, refused: errors.map(({ error }) => [error.code, error.param]) }
}

test('an event of a session that chooses what has no price is refused by name', async () => {
  upstream.turns.push({ usage: { total_tokens: 2, input_tokens: 1, output_tokens: 1 } })
  await channelTo(upstream.url, { models: MODEL })
  const { passed, refused } = await played()
  expect(refused).toEqual(
    ['session.service_tier', 'session.model', 'session.models', 'response.provider'].map(param => [
      'field_unpriced',
      param,
    ]),
  )
  expect(passed).toEqual(plain)
})

test('an event passes where the channel allows its fields', async () => {
  await deleteChannels()
  const allowed_fields = ['service_tier', 'model', 'models', 'provider']
  await channelTo(upstream.url, { models: MODEL, setting: JSON.stringify({ allowed_fields }) })
  expect(await played()).toEqual({ passed: [...dearer, ...plain], refused: [] })
})

test('an event that refers to what was made elsewhere is refused in the maker’s words', async () => {
  await deleteChannels()
  await channelTo(upstream.url, { models: MODEL })
  const call = await dial(await client())
  for (const event of [...referring, ...plain]) call.say(event)
  await call.seen('response.done')
  call.socket.close()
  const errors = call.events.filter(({ type }) => type === 'error').map(({ error }) => error.message)
  expect(errors).toEqual(referring.map(() => expect.stringMatching(/elsewhere_1' not found|: elsewhere_1/)))
  expect(upstream.sessions.at(-1)!.events.map(({ event_id: _, ...event }) => event)).toEqual(plain)
})
