/** Streams that outgrow a budget: they end with its name, figures and time in the client's format and language. */
import { afterAll, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { keyOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, MODEL } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { dial, REALTIME_MODEL } from '../../support/people/realtime-client.ts'
import { until } from '../../support/until.ts'
import { hangsAfter } from '../../support/upstream/chat-scripts.ts'
import { realtimeUpstream } from '../../support/upstream/realtime.ts'
import { channelTo, startUpstream } from '../../support/upstream/served-channel.ts'

const upstream = await startUpstream(hangsAfter(3000, { text: 'word '.repeat(9000), chunks: 9000 }))
/** Its API has no responses: they are translated. */
const MOONSHOT = 25
const channel = await channelTo(upstream, { type: MOONSHOT })
const voice = realtimeUpstream()
afterAll(() => voice.stop())
await channelTo(voice.url, { models: REALTIME_MODEL })
await setOption('SettleAfterLeave', 0)
const root = await setUp()

const messages = [{ role: 'user', content: 'hi' }]
const asked = { model: MODEL, stream: true }
const requests: [format: string, path: string, body: object][] = [
  ['OpenAI chat', '/v1/chat/completions', { ...asked, messages }],
  ['OpenAI responses', '/v1/responses', { ...asked, input: 'hi' }],
  ['Anthropic', '/v1/messages', { ...asked, messages, max_tokens: 8000 }],
  ['Gemini', `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`, { contents: [{ parts: [{ text: 'hi' }] }] }],
]
const small = { name: 'Small', unit: 'tokens', amount: 1500, window: 'rolling', seconds: 3600 } as const

const entryOf = (who: Client) => until(async () => (await logsOf(who.person))[0])
const pageOf = async (request_id: string, person = root) => (await person.page(`/app/calls/${request_id}`)).text()

test.each(requests)('a stream of %s that a budget ends names the budget, in both languages', async (_, path, body) => {
  for (const [language, words] of [
    ['en', /The budget “Small” has no room for this call: 0 of 1,500 tokens are used.*Try again in 3\d{3} s/],
    ['zh', /预算.*Small.*1,500/],
  ] as const) {
    const who = await client()
    await makeBudget('token', await keyOf(who), small)
    const answer = await who.postTo(path, body, { headers: { 'accept-language': language } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toMatch(words)
    const { request_id, other } = await entryOf(who)
    expect(other).toMatchObject({ stream_status: 'exhausted' })
    expect(await pageOf(request_id, who.person)).toContain('The budget Small was used up while it ran')
  }
})

test('a realtime session that a budget ends names the budget', async () => {
  const delta = { type: 'response.output_text.delta', delta: 'word '.repeat(5000) }
  voice.turns.splice(0, voice.turns.length, { deltas: [delta], lasts: true })
  const who = await client()
  await makeBudget('user', who.person.id, small)
  const call = await dial(who)
  call.say({ type: 'response.create' })
  expect(await call.closed).toBe(1008)
  expect(call.events.at(-1)).toMatchObject({
    type: 'error',
    error: { code: 'budget_exhausted', message: expect.stringContaining('“Small”') },
  })
})

test('a budget of a channel that ends a stream is named to administrators alone', async () => {
  await makeBudget('channel', channel.id, { ...small, name: 'secret' })
  const who = await client()
  const text = await (await who.post({ ...asked, messages, max_tokens: 1000 })).text()
  expect(text).toContain('upstream load of this group is saturated')
  expect(text).not.toContain('secret')
  const { request_id } = await entryOf(who)
  expect(await pageOf(request_id, who.person)).not.toContain('secret')
  const seen = await (await root.page(`/admin/calls/${request_id}`)).text()
  expect(seen).toContain('The budget secret of its channel was used up while it ran')
})
