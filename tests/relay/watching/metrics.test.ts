/** What /metrics says after known calls. */
import { expect, test } from 'bun:test'
import { grownSince, readMetrics, type Series, valuesOf } from '../../support/app/metrics.ts'
import { setOption } from '../../support/app/options.ts'
import { client, MODEL, quotaOf } from '../../support/people/client.ts'
import { afterText } from '../../support/people/responses.ts'
import { until } from '../../support/until.ts'
import { chat, closesAfter, inTurn, refuses } from '../../support/upstream/chat-scripts.ts'
import { channelTo, served, startUpstream } from '../../support/upstream/served-channel.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } }
const answer = chat({ usage })
const { id, scripts } = await served(answer)
const bob = await client()

/** Counters and counts of histograms that have grown meanwhile. */
async function grownBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await readMetrics()
  await work()
  return grownSince(before, await readMetrics())
}

const requests = (status: number, streamed: boolean, channel: number | '' = id) => {
  const [provider, model] = channel === '' ? ['', ''] : ['OpenAI', MODEL]
  const labels = { operation: 'chat', provider, channel, model, status, streamed: channel === '' ? '' : streamed }
  const text = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return `tollgate_requests_total{${text.join(',')}}`
}
const attempts = (outcome: string, channel = id) => `tollgate_attempts_total{channel="${channel}",outcome="${outcome}"}`

test('a whole response counts once in each metric of calls', async () => {
  const grown = await grownBy(async () => expect((await bob.chat()).status).toBe(200))
  const genAi = `gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="${MODEL}"`
  expect(grown).toMatchObject({
    [requests(200, false)]: 1,
    [attempts('answered')]: 1,
    'tollgate_request_seconds_count{operation="chat"}': 1,
    'tollgate_added_seconds_count{operation="chat"}': 1,
    [`tollgate_upstream_seconds_count{channel="${id}"}`]: 1,
    [`tollgate_tokens_total{model="${MODEL}",kind="input"}`]: 60,
    [`tollgate_tokens_total{model="${MODEL}",kind="cache_read"}`]: 40,
    [`tollgate_tokens_total{model="${MODEL}",kind="output"}`]: 20,
    'tollgate_quota_total{group="default",kind="calls"}': quotaOf(60 + 40 / 2, 20),
    tollgate_settle_seconds_count: 1,
    tollgate_settle_batch_sum: 1,
    'tollgate_db_seconds_count{kind="reserve"}': 1,
    'tollgate_db_seconds_count{kind="commit"}': 1,
    [`gen_ai_client_token_usage_sum{${genAi},gen_ai_token_type="input"}`]: 100,
    [`gen_ai_client_token_usage_sum{${genAi},gen_ai_token_type="output"}`]: 20,
    [`gen_ai_client_operation_duration_seconds_count{${genAi},error_type=""}`]: 1,
  })
  expect(grown).not.toHaveProperty(['tollgate_first_token_seconds_count{provider="OpenAI"}'])
  expect(grown).not.toHaveProperty(['tollgate_inflight{kind="calls"}'])
})

test('a stream also counts its first token', async () => {
  const grown = await grownBy(async () => (await bob.stream()).text())
  expect(grown).toMatchObject({
    [requests(200, true)]: 1,
    'tollgate_first_token_seconds_count{provider="OpenAI"}': 1,
  })
})

test('a stream that breaks off counts as 502 and as a broken attempt', async () => {
  const { received, read } = afterText('two')
  scripts(closesAfter(3, { received }))
  const grown = await grownBy(async () => read(await bob.stream()))
  scripts(answer)
  expect(grown).toMatchObject({ [requests(502, true)]: 1, [attempts('answered')]: 1, [attempts('broken')]: 1 })
})

test('a call that every upstream refuses counts its attempts, and its status once', async () => {
  scripts(refuses(400))
  const grown = await grownBy(async () => expect((await bob.chat()).status).toBe(400))
  scripts(answer)
  expect(grown).toMatchObject({ [requests(400, false)]: 1, [attempts('400')]: 1 })
  expect(Object.keys(grown).filter(key => key.startsWith('tollgate_requests_total'))).toHaveLength(1)
})

test('a call whose client leaves before the response counts as 499, with the prompt that is billed', async () => {
  await setOption('SettleAfterLeave', 0)
  const abort = new AbortController()
  scripts((_call, reply) => {
    abort.abort()
    return reply.left
  })
  const before = await readMetrics()
  await bob.chat({}, { signal: abort.signal }).catch(() => {})
  const grown = async () => grownSince(before, await readMetrics())
  await until(async () => requests(499, false) in (await grown()))
  scripts(answer)
  expect(await grown()).toMatchObject({
    [requests(499, false)]: 1,
    [attempts('left')]: 1,
    'tollgate_quota_total{group="default",kind="calls"}': expect.any(Number),
    [`tollgate_tokens_total{model="${MODEL}",kind="input"}`]: expect.any(Number),
  })
})

test('a repeated call counts an attempt for each channel', async () => {
  await setOption('RetryTimes', '2')
  const first = await startUpstream(refuses(500), 'gpt-4.1')
  const second = await startUpstream(inTurn(answer), 'gpt-4.1')
  const { id: failing } = await channelTo(first, { models: 'gpt-4.1', priority: 9 })
  const { id: answering } = await channelTo(second, { models: 'gpt-4.1' })
  const grown = await grownBy(async () => expect((await bob.chat({ model: 'gpt-4.1' })).status).toBe(200))
  expect(grown).toMatchObject({ [attempts('500', failing)]: 1, [attempts('answered', answering)]: 1 })
})

test('a refused call counts by its status, without names that it made up', async () => {
  const grown = await grownBy(async () => expect((await bob.chat({ model: 'made "up"\n' })).status).toBe(404))
  expect(grown).toMatchObject({ [requests(404, false, '')]: 1 })
  expect([...valuesOf(await readMetrics(), 'model')].join()).not.toContain('made')
})

test('limits count what they refuse by their names', async () => {
  const ann = await client({ rate_limit_enabled: true, rate_limit_count: 1, rate_limit_success: 0 })
  const grown = await grownBy(async () => {
    expect([(await ann.chat()).status, (await ann.chat()).status]).toEqual([200, 429])
  })
  expect(grown).toMatchObject({
    'tollgate_limited_total{limit="token_rate_limited"}': 1,
    [requests(429, false, '')]: 1,
  })
})

test('gauges say what is now: calls, reservations, channels and their circuits', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  scripts(async (call, reply) => {
    await promise
    return answer(call, reply)
  })
  const running = bob.chat()
  let during: Series = await readMetrics()
  await until(async () => {
    during = await readMetrics()
    return during.get('tollgate_inflight{kind="calls"}') === 1
  })
  expect(during.get('tollgate_reservations{kind="count"}')).toBe(1)
  expect(during.get('tollgate_reservations{kind="quota"}')).toBeGreaterThan(0)
  expect(during.get(`tollgate_channel_state{channel="${id}"}`)).toBe(1)
  expect(during.get(`tollgate_breaker_state{channel="${id}"}`)).toBe(0)
  expect(during.get('tollgate_nodes')).toBe(1)
  resolve()
  await running
  scripts(answer)
  expect((await readMetrics()).get('tollgate_inflight{kind="calls"}')).toBe(0)
})

test('a circuit that opens is 2, and one whose cooldown is over 1', async () => {
  const { id: failing, scripts } = await served(refuses(500), { models: 'gpt-4.1-mini' }, 'gpt-4.1-mini')
  const state = async () => (await readMetrics()).get(`tollgate_breaker_state{channel="${failing}"}`)
  for (let turn = 0; turn < 5; turn++) await bob.chat({ model: 'gpt-4.1-mini' })
  expect(await state()).toBe(2)
  scripts(answer)
})

test('1,000 distinct models have at most 201 names', async () => {
  const names = Array.from({ length: 1000 }, (_, at) => `model-"${at}"-\\-of-many`)
  const upstream = await startUpstream()
  for (const name of names) upstream.scripts(name, answer)
  await channelTo(upstream, { models: names.join(','), name: 'many' })
  await setOption('SelfUseModeEnabled', 'true')
  for (let at = 0; at < names.length; at += 10) {
    const responses = await Promise.all(names.slice(at, at + 10).map(model => bob.chat({ model })))
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
  }
  const series = await readMetrics()
  const values = valuesOf(series, 'model')
  values.delete('')
  expect(values.size).toBe(201)
  const others = [...series].filter(([key]) => key.startsWith('tollgate_requests_total') && key.includes('"other"'))
  const named = [...values].filter(name => name.startsWith('model-'))
  expect(others.reduce((sum, [, value]) => sum + value, 0)).toBe(names.length - named.length)
}, 60_000)

test('neither users nor keys are values of labels', async () => {
  const text = [...(await readMetrics()).keys()].join('\n')
  expect(text).not.toContain(bob.key)
  expect(text).not.toContain(bob.person.username)
})
