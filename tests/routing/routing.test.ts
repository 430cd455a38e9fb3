/** The choice of channel, model name and key. */
import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invalidate } from '../../src/cluster/invalidation.ts'
import { db } from '../../src/db/database.ts'
import { channels } from '../../src/domain/channels/table.ts'
import { translate } from '../../src/locales/index.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, clientOf, MODEL, RICH } from '../support/people/client.ts'
import { setUp } from '../support/people/person.ts'
import { errorOf } from '../support/people/responses.ts'
import { channelNow } from '../support/upstream/channel.ts'
import { chat, html, inTurn, refuses } from '../support/upstream/chat-scripts.ts'
import { answers } from '../support/upstream/endpoint-scripts.ts'
import { errorBody, type Script } from '../support/upstream/openai.ts'
import { channelTo, deleteChannels, served, startUpstream } from '../support/upstream/served-channel.ts'

let ann: Client
beforeEach(async () => {
  await setOption('RetryTimes', 5)
  await deleteChannels()
  ann = await client()
})

async function calls(count: number) {
  for (let turn = 0; turn < count; turn++) expect((await ann.chat()).status).toBe(200)
}

test('the highest priority serves alone, the next one after a failure, each once', async () => {
  const third = await served(chat(), { priority: 1 })
  const second = await served(refuses(500), { priority: 5 })
  const first = await served(inTurn(chat(), refuses(503)), { priority: 9 })
  await calls(1)
  expect([first.calls(), second.calls(), third.calls()]).toEqual([1, 0, 0])
  await calls(1)
  expect([first.calls(), second.calls(), third.calls()]).toEqual([2, 1, 1])
  const [entry] = await logsOf(ann.person)
  expect(entry.channel).toBe(third.id)
  expect(entry.other.admin_info.use_channel).toEqual([first.id, second.id, third.id].map(String))
})

test('weights share the calls, and weight 0 gets none beside others', async () => {
  const [heavy, light, none] = [
    await served(chat(), { weight: 90 }),
    await served(chat(), { weight: 10 }),
    await served(chat()),
  ]
  await calls(200)
  expect(none.calls()).toBe(0)
  expect(light.calls()).toBeWithin(1, 60)
  expect(heavy.calls() + light.calls()).toBe(200)
})

test('channels of weight 0 share equally', async () => {
  const [one, other] = [await served(chat()), await served(chat())]
  await calls(60)
  expect(one.calls()).toBeWithin(5, 56)
  expect(one.calls() + other.calls()).toBe(60)
})

test('a channel with a token limit is skipped for longer prompts unless it is the only one', async () => {
  const short = await served(chat(), { priority: 9, max_input_tokens: 100 })
  const long = await served(chat())
  const ask = (words: number) => ann.chat({ messages: [{ role: 'user', content: 'word '.repeat(words) }] })
  await ask(10)
  await ask(1000)
  expect([short.calls(), long.calls()]).toEqual([1, 1])
  await (await setUp()).delete(`/api/channel/${long.id}/`)
  expect((await ask(1000)).status).toBe(200)
  expect(short.calls()).toBe(2)
})

test('RetryTimes limits the attempts', async () => {
  await setOption('RetryTimes', 1)
  const all = [await served(refuses(500)), await served(refuses(500)), await served(refuses(500))]
  expect((await ann.chat()).status).toBe(502)
  expect(all.reduce((sum, { calls }) => sum + calls(), 0)).toBe(2)
})

test('timeouts reported by an upstream are not retried', async () => {
  const late = await served(answers(504, errorBody('late', 'server_error')), { priority: 2 })
  const other = await served(chat())
  expect((await ann.chat()).status).toBe(504)
  expect([late.calls(), other.calls()]).toEqual([1, 0])
})

test('several keys rotate, and a rejected one is skipped', async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  const { upstream, id } = await served(chat(), { key: 'sk-one,sk-two,sk-three' })
  upstream.keys.delete('sk-two')
  await calls(6)
  expect(upstream.journal.filter(call => call.key === 'sk-two')).toHaveLength(1)
  expect(new Set(upstream.journal.map(call => call.key))).toEqual(new Set(['sk-one', 'sk-two', 'sk-three']))
  expect((await channelNow(id)).status).toBe(1)
  upstream.keys.clear()
  await ann.chat()
  expect((await channelNow(id)).status).toBe(3)
  await setOption('AutomaticDisableChannelEnabled', false)
})

test('a channel with a fatal error is disabled with the reason, and no other', async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  const lost: [Script, string][] = [
    [refuses(401), '401'],
    [answers(429, errorBody('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota')), '429'],
    [answers(403, errorBody('Your account is not authorized', 'request_forbidden')), '403'],
  ]
  const healthy = await served(chat())
  for (const [script, reason] of lost) {
    const { id } = await served(script, { priority: 5 })
    await calls(1)
    const channel = await channelNow(id)
    expect(channel.status).toBe(3)
    expect(JSON.parse(channel.other_info).status_reason).toContain(reason)
  }
  expect((await channelNow(healthy.id)).status).toBe(1)
  await setOption('AutomaticDisableChannelEnabled', false)
})

test('no client text disables a channel', async () => {
  await setOption('AutomaticDisableChannelEnabled', true)
  const words = 'You exceeded your current quota'
  const echoes: Script[] = [400, 403, 429, 500].map(
    status => (call, answer) => answer.json(errorBody(JSON.stringify(call.body.messages), 'server_error'), status),
  )
  for (const [priority, script] of [...echoes, html()].entries()) {
    const { id, calls } = await served(script, { priority })
    await ann.chat({ messages: [{ role: 'user', content: words }] })
    expect(calls()).toBe(1)
    expect((await channelNow(id)).status).toBe(1)
  }
  await setOption('AutomaticDisableChannelEnabled', false)
})

test("a mapped model is sent under the upstream's name and priced by the client's", async () => {
  const { upstream } = await served(
    chat({ usage: { prompt_tokens: 100, completion_tokens: 4 } }),
    { model_mapping: '{"gpt-4o":"my-model"}' },
    'my-model',
  )
  await calls(1)
  expect(upstream.journal[0]!.body.model).toBe('my-model')
  const [entry] = await logsOf(ann.person)
  expect(entry).toMatchObject({
    model_name: MODEL,
    quota: 145,
    other: { is_model_mapped: true, upstream_model_name: 'my-model' },
  })
})

test('a prefix chooses the channel and is not sent', async () => {
  const { upstream } = await served(chat(), { model_prefix: 'mine/' }, MODEL)
  await setOption('ModelRatio', '{"mine/gpt-4o":1,"gpt-4o":1.25}')
  expect((await ann.chat({ model: `mine/${MODEL}` })).status).toBe(200)
  expect(upstream.journal[0]!.body.model).toBe(MODEL)
})

test('a mapping of the name with its prefix comes before one of the bare name', async () => {
  const model_mapping = `{"mine/${MODEL}":"my-model","${MODEL}":"another"}`
  const { upstream } = await served(chat(), { model_prefix: 'mine/', model_mapping }, 'my-model')
  expect((await ann.chat({ model: `mine/${MODEL}` })).status).toBe(200)
  expect(upstream.journal[0]!.body.model).toBe('my-model')
})

test('override, system prompt and organisation are sent, and no client header', async () => {
  const { upstream } = await served(chat(), {
    param_override: '{"temperature":0,"stream":true,"top_k":5}',
    system_prompt: 'Be brief.',
    openai_organization: 'org-1',
  })
  await ann.chat(
    { temperature: 1 },
    { headers: { cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', 'openai-beta': 'assistants=v2' } },
  )
  const { body, headers } = upstream.journal[0]!
  expect(body).toMatchObject({
    temperature: 0,
    top_k: 5,
    messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
  })
  expect(body.stream).toBeUndefined()
  expect(headers).toMatchObject({
    'openai-organization': 'org-1',
    'openai-beta': 'assistants=v2',
    authorization: 'Bearer sk-upstream',
  })
  expect(headers.cookie ?? headers['x-forwarded-for'] ?? headers['accept-language']).toBeUndefined()
  expect(upstream.violations).toEqual([])
})

test("status_code_mapping changes the client's status, not the retry", async () => {
  const mapping = { status_code_mapping: '{"400":"500","500":"400"}' }
  const mapped = await served(refuses(400), { priority: 2, ...mapping })
  const other = await served(chat())
  expect((await ann.chat()).status).toBe(500)
  expect([mapped.calls(), other.calls()]).toEqual([1, 0])
  const failing = await served(refuses(500), { priority: 3, ...mapping })
  await (await setUp()).delete(`/api/channel/${mapped.id}/`)
  await calls(1)
  expect([failing.calls(), other.calls()]).toEqual([1, 1])
})

test.each([
  [401, '{"401":"400"}'],
  [402, ''],
  [403, ''],
  [429, ''],
])('account errors with %d stay hidden under any mapping', async (status, status_code_mapping) => {
  await served(answers(status, errorBody('Your account has run dry', 'server_error')), { status_code_mapping })
  expect((await errorOf(await ann.chat())).message).not.toContain('dry')
})

test('a mapping to a success status is ignored', async () => {
  const { id } = await served(refuses(500), {})
  for (const status of ['100', '101', '200', '204', '302']) {
    await db
      .update(channels)
      .set({ status_code_mapping: JSON.stringify({ 500: status }) })
      .where(eq(channels.id, id))
    invalidate('channels')
    expect((await errorOf(await ann.chat())).status).toBe(502)
  }
})

test('upstream messages can be hidden, and account errors always are', async () => {
  const message = 'Model gpt-4o at https://10.2.3.4:9000/v1 with sk-upstream failed for host.internal'
  await served(answers(422, errorBody(message, 'invalid_request_error')))
  expect(await errorOf(await ann.chat())).toMatchObject({
    status: 422,
    message: expect.not.stringMatching(/10\.2|sk-up/),
  })
  await setOption('global.hide_upstream_error_enabled', true)
  expect((await errorOf(await ann.chat())).message).toStartWith('Upstream error with status code 422')
  await setOption('global.hide_upstream_error_enabled', false)
})

test('an HTML page in place of a response is reported by its status', async () => {
  await served(async (_, answer) => {
    await answer.head(422, { 'content-type': 'text/html' }, 'chunked')
    await answer.write('<html><h1>The proxy of the house</h1></html>')
    await answer.end()
  })
  expect((await errorOf(await ann.chat())).message).toStartWith('Upstream error with status code 422')
})

test('failed attempts are logged one by one while the option is on', async () => {
  await setOption('LogErrorEnabled', true)
  await served(refuses(500), { priority: 3 })
  await served(refuses(503), { priority: 2 })
  await served(chat(), { priority: 1 })
  await calls(1)
  await setOption('LogErrorEnabled', false)
  const failures = await logsOf(ann.person, 6)
  expect(failures.map((entry: any) => entry.other.status_code)).toEqual([503, 500])
  expect(failures[0]).toMatchObject({ model_name: MODEL, quota: 0, other: { error_type: 'server_error' } })
  expect(await logsOf(ann.person)).toHaveLength(1)
  await calls(1)
  expect(await logsOf(ann.person, 6)).toHaveLength(2)
})

test('a custom channel is called at its exact URL', async () => {
  const upstream = await startUpstream(chat(), MODEL)
  await channelTo(`${upstream.url}/v1/chat/completions`, { type: 8 })
  expect((await ann.stream()).status).toBe(200)
  expect(upstream.journal[0]!.body.stream_options).toBeUndefined()
  const wanted = { include_usage: true }
  expect((await ann.stream({ stream_options: wanted })).status).toBe(200)
  expect(upstream.journal[1]!.body.stream_options).toEqual(wanted)
  expect(upstream.violations).toEqual([])
})

test('a failure in the gateway’s own words is read in the reader’s language', async () => {
  await setOption('LogErrorEnabled', true)
  await channelTo('http://127.0.0.1:9')
  expect((await ann.chat()).status).toBe(502)
  await setOption('LogErrorEnabled', false)
  const [en, zh] = await Promise.all(
    (['en', 'zh'] as const).map(async language => {
      const { data } = await ann.person.get('/api/log/self/?type=6', { language })
      return data.items[0].content
    }),
  )
  expect([en, zh]).toEqual([
    translate('en', 'relay.upstream_unreachable'),
    translate('zh', 'relay.upstream_unreachable'),
  ])
})

test('two keys of one user are billed to that user', async () => {
  await served(chat({ usage: { prompt_tokens: 4, completion_tokens: 1 } }))
  const again = await clientOf(ann.person)
  await ann.chat()
  await again.chat()
  expect(await ann.balance()).toBe(RICH - 20)
})
