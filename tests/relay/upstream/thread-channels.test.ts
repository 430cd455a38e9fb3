/** Threads are begun at channels whose maker keeps them, and refused by those that speak the same format without them. */
import { beforeEach, expect, test } from 'bun:test'
import { setPrice } from '../../support/app/prices.ts'
import { client } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf } from '../../support/people/responses.ts'
import { makeChannel } from '../../support/upstream/channel.ts'
import { keepingUpstream } from '../../support/upstream/keeping-upstream.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'

const maker = keepingUpstream()
beforeEach(deleteChannels)

/** They all speak Anthropic's format with these models. */
const makers = [
  { type: 14, model: 'claude-opus-4-1', holds: true },
  { type: 25, model: 'kimi-k2-thinking', holds: false },
  { type: 43, model: 'deepseek-chat', holds: false },
]
await setPrice('ModelRatio', Object.fromEntries(makers.map(({ model }) => [model, 1])))

test.each(makers)('a thread at a channel of type $type is begun: $holds', async ({ type, model, holds }) => {
  await makeChannel(await setUp(), { type, key: 'sk-one', base_url: maker.url, models: model })
  const before = maker.calls.length
  const body = { model, max_tokens: 10, messages: [{ role: 'user', content: 'Go' }], thread: { type: 'create' } }
  const response = await (await client()).postTo('/v1/messages', body)
  expect([response.status, maker.calls.length - before]).toEqual(holds ? [200, 1] : [400, 0])
  if (!holds) expect(await errorOf(response)).toMatchObject({ type: 'invalid_request_error' })
})
