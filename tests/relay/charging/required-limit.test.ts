/** The limit of output tokens that Anthropic requires, for callers who name none. */
import { expect, test } from 'bun:test'
import { setOption } from '../../support/app/options.ts'
import { setPrice } from '../../support/app/prices.ts'
import { type Client, client } from '../../support/people/client.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'
import { maxOutputUpstream, PROMPT } from '../../support/upstream/max-output-upstream.ts'

const upstream = await maxOutputUpstream('anthropic')
/** A Claude that does not exist yet, and a model that no table knows. */
const [CLAUDE, UNKNOWN] = ['claude-opus-9', 'tireless']
await channelOf('anthropic', upstream, { models: `${CLAUDE},${UNKNOWN}` })
for (const table of ['ModelRatio', 'CompletionRatio']) await setPrice(table, { [CLAUDE]: 1, [UNKNOWN]: 1 })

const ask = (ann: Client, model: string) =>
  ann.postTo('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Write as much as you can.' }] })
const sent = () => upstream.received.at(-1)?.max_tokens

test('the limit is the most that the model can produce, less what the balance does not pay for', async () => {
  expect((await ask(await client(), CLAUDE)).status).toBe(200)
  expect(sent()).toBe(128_000)
  const poor = await client({}, 10_100)
  expect((await ask(poor, CLAUDE)).status).toBe(200)
  expect(sent()).toBeWithin(1, 10_100)
  expect(await poor.balance()).toBeGreaterThanOrEqual(-PROMPT)
  expect((await ask(await client(), UNKNOWN)).status).toBe(200)
  expect(sent()).toBe(8192)
})

test('the operator’s limits apply in its place, and are held', async () => {
  await setOption('claude.default_max_tokens', JSON.stringify({ default: 2000, [UNKNOWN]: 90_000 }))
  expect((await ask(await client(), CLAUDE)).status).toBe(200)
  expect(sent()).toBe(2000)
  expect((await ask(await client({}, 80_000), UNKNOWN)).status).toBe(200)
  expect(sent()).toBeWithin(1, 80_000)
  await setOption('claude.default_max_tokens', '{}')
})
