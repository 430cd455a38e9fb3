/** Channel settings: mapping, parameter override, prompt, pass-through, forced format. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { budgetsOf, keyOf, makeBudget } from '../../support/people/budgets.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { setUp } from '../../support/people/person.ts'
import { errorOf, readStream } from '../../support/people/responses.ts'
import { chat, gate, streams } from '../../support/upstream/chat-scripts.ts'
import { answers } from '../../support/upstream/endpoint-scripts.ts'
import { channelTo, deleteChannels, served } from '../../support/upstream/served-channel.ts'

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})
afterEach(() => setOption('global.pass_through_request_enabled', false))

const json = JSON.stringify
const usage = { prompt_tokens: 10, completion_tokens: 4 }

describe('mapping of models', () => {
  test('a mapping is followed to its end, a mapping to itself too', async () => {
    const model_mapping = json({ [MODEL]: 'middle', middle: 'last', last: 'last' })
    const { upstream } = await served(chat({ usage }), { model_mapping }, 'last')
    expect((await ann.chat()).status).toBe(200)
    expect(upstream.journal[0]!.body.model).toBe('last')
    expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
  })

  test.each([
    { a: 'b', b: 'a' },
    { a: 'b', b: 'c', c: 'b' },
  ])('a circular mapping is refused: %j', async mapping => {
    const { id } = await served(chat())
    const root = await setUp()
    const answer = await root.put('/api/channel/', { id, model_mapping: json(mapping) })
    expect(answer).toMatchObject({ status: 400, field: 'model_mapping', code: 'mapping.circle' })
    const chinese = await root.put('/api/channel/', { id, model_mapping: json(mapping) }, { language: 'zh' })
    expect(chinese.message).toContain('循环')
  })

  test('the longest prefix wins, also at retries, and a prefixed model is not served without it', async () => {
    await setOption('RetryTimes', 3)
    await setOption('ModelRatio', json({ [`eu/fast/${MODEL}`]: 1, [MODEL]: 1.25 }))
    const long = await served(answers(500, {}), { model_prefix: 'eu/fast/' })
    const second = await served(chat(), { model_prefix: 'eu/fast/', priority: -1 })
    const short = await served(chat(), { model_prefix: 'eu/', models: `fast/${MODEL}`, priority: 9 })
    const bare = await served(chat(), { models: `eu/fast/${MODEL}`, priority: 9 })
    expect((await ann.chat({ model: `eu/fast/${MODEL}` })).status).toBe(200)
    expect([long, second, short, bare].map(({ calls }) => calls())).toEqual([1, 1, 0, 0])
    expect(second.upstream.journal[0]!.body.model).toBe(MODEL)
    expect(await errorOf(await ann.chat())).toMatchObject({ status: 404, code: 'model_not_found' })
  })
})

describe('override of parameters', () => {
  test('an override that raises the output is held of budgets of tokens while the call runs', async () => {
    const held = gate()
    await served(held.script, { param_override: json({ max_tokens: 5000 }) })
    const owner = await keyOf(ann)
    await makeBudget('token', owner, { unit: 'tokens', amount: 100_000 })
    const running = await ann.stream({ max_tokens: 4 })
    const [{ reserved } = { reserved: 0 }] = await budgetsOf('token', owner)
    expect(reserved).toBeWithin(5000, 5100)
    held.open()
    await running.text()
    expect(await budgetsOf('token', owner)).toMatchObject([{ reserved: 0 }])
  })

  test("an override replaces the client's parameters and is reserved for", async () => {
    const param_override = json({ max_tokens: 100_000, n: 2, reasoning_effort: 'low' })
    const { upstream, calls } = await served(chat({ usage }), { param_override })
    const poor = await client({}, quotaOf(100, 1000))
    expect(await errorOf(await poor.chat({ max_tokens: 5 }))).toMatchObject({
      status: 403,
      code: 'insufficient_user_quota',
    })
    expect(calls()).toBe(0)
    expect((await ann.chat({ max_tokens: 5, n: 1, top_p: 0 })).status).toBe(200)
    expect(upstream.journal[0]!.body).toMatchObject({ max_tokens: 100_000, n: 2, top_p: 0 })
    expect(await ann.balance()).toBe(RICH - quotaOf(10, 4))
    expect(await poor.balance()).toBe(quotaOf(100, 1000))
    expect((await logsOf(ann.person))[0].other.reasoning_effort).toBe('low')
  })

  test('an override that makes a request invalid fails over', async () => {
    await setOption('RetryTimes', 1)
    const wrong = await served(chat(), { param_override: json({ n: -1 }), priority: 9 })
    const other = await served(chat())
    expect((await ann.chat()).status).toBe(200)
    expect([wrong.calls(), other.calls()]).toEqual([0, 1])
  })

  test('an override cannot turn streaming on or off', async () => {
    await served(chat({ text: 'as asked' }), { param_override: json({ stream: false, stream_options: null }) })
    expect(await readStream(await ann.stream())).toMatchObject({ text: 'as asked', done: true })
  })

  test('client fields that look like channel settings change nothing', async () => {
    const { upstream } = await served(chat())
    const elsewhere = await served(chat(), { models: 'another' })
    const hosts = { api_base: elsewhere.upstream.url, base_url: elsewhere.upstream.url, custom_llm_provider: 'x' }
    const headers = {
      'x-custom-host': elsewhere.upstream.url,
      'x-forwarded-host': elsewhere.upstream.url,
      host: 'evil',
    }
    await ann.chat(hosts, { headers })
    expect([upstream.journal.length, elsewhere.calls()]).toEqual([1, 0])
    expect(json(upstream.journal[0]!.headers)).not.toContain(elsewhere.upstream.url)
  })
})

describe('prompt of the channel', () => {
  const mine = { role: 'system', content: 'Mine.' }
  const said = { role: 'user', content: 'Hi' }
  const sent = async (fields: Record<string, unknown>) => {
    const { upstream } = await served(chat(), fields)
    await ann.chat({ messages: [mine, said] })
    return upstream.journal[0]!.body.messages
  }

  test("the channel's prompt stands before the client's", async () => {
    expect(await sent({ system_prompt: 'Ours.' })).toEqual([{ role: 'system', content: 'Ours.\n\nMine.' }, said])
  })

  test("the prompt may stand in the channel's settings", async () => {
    const setting = json({ system_prompt: 'Ours.' })
    expect(await sent({ setting })).toEqual([{ role: 'system', content: 'Ours.\n\nMine.' }, said])
  })

  test("the prompt may replace the client's", async () => {
    const setting = json({ system_prompt_override: true })
    expect(await sent({ system_prompt: 'Ours.', setting })).toEqual([{ role: 'system', content: 'Ours.' }, said])
  })
})

describe('bodies passed through', () => {
  const fields = {
    system_prompt: 'Ours.',
    param_override: '{"temperature":0}',
    model_mapping: json({ [MODEL]: 'real' }),
  }
  const asked = { temperature: 1, unknown_field: { deep: [0, false, null] } }

  test.each(['channel', 'site'])("the client's body is sent unchanged except for the mapped model: %s", async where => {
    if (where === 'site') await setOption('global.pass_through_request_enabled', true)
    const setting = where === 'channel' ? json({ pass_through_body: true }) : ''
    const { upstream } = await served(chat({ usage }), { ...fields, setting }, 'real')
    await ann.chat(asked)
    expect(upstream.journal[0]!.body).toEqual({
      model: 'real',
      messages: [{ role: 'user', content: 'Say hello' }],
      ...asked,
    })
    await (await ann.stream(asked)).text()
    expect(upstream.journal[1]!.body.stream_options).toEqual({ include_usage: true })
    expect(await ann.balance()).toBe(RICH - 2 * quotaOf(10, 4))
  })
})

const event = (delta: object, more: object = {}) => `data: ${json({ choices: [{ index: 0, delta, ...more }] })}\n\n`
const thinking = [
  event({ role: 'assistant', reasoning_content: 'Let me ' }),
  event({ reasoning_content: 'see.' }),
  event({ content: 'Yes' }),
  event({ content: '.' }, { finish_reason: 'stop' }),
  'data: [DONE]\n\n',
]

describe('force_format and thinking_to_content', () => {
  test('thinking_to_content moves thinking into the text, streamed and whole', async () => {
    const setting = json({ thinking_to_content: true })
    const channel = await served(streams(thinking), { setting })
    const stream = await readStream(await ann.stream())
    expect(stream).toMatchObject({ text: '<think>\nLet me see.\n</think>\nYes.', done: true })
    expect(stream.raw).not.toContain('reasoning')
    const message = { role: 'assistant', content: 'Yes.', reasoning: 'Let me see.' }
    channel.scripts(answers(200, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
    const whole = (await (await ann.chat()).json()) as any
    expect(whole.choices[0].message).toEqual({ role: 'assistant', content: '<think>\nLet me see.\n</think>\nYes.' })
  })

  test('thinking before a tool call is closed too', async () => {
    const tool = event({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] })
    await served(streams([thinking[0]!, tool, event({}, { finish_reason: 'tool_calls' }), 'data: [DONE]\n\n']), {
      setting: json({ thinking_to_content: true }),
    })
    const stream = await readStream(await ann.stream())
    expect(stream.text).toBe('<think>\nLet me \n</think>\n')
    expect(stream.events.find(({ choices }) => choices[0]?.delta.tool_calls)).toBeDefined()
  })

  test("force_format gives events OpenAI's fields and one id", async () => {
    const odd = [
      `data: ${json({ id: 'first', vendor: 1, choices: [{ delta: { content: 'A', mood: 'odd' } }] })}\n\n`,
      `data: ${json({ choices: [{ index: 0, delta: { content: 'B' }, finish_reason: 'stop' }] })}\n\n`,
      'data: [DONE]\n\n',
    ]
    await served(streams(odd), { setting: json({ force_format: true }) })
    const { events, text, done } = await readStream(await ann.stream())
    expect([text, done]).toEqual(['AB', true])
    const common = { id: 'first', object: 'chat.completion.chunk', created: expect.any(Number), model: MODEL }
    expect(events[0]).toEqual({
      ...common,
      choices: [{ index: 0, delta: { content: 'A' }, logprobs: null, finish_reason: null }],
    })
    expect(events[1]).toMatchObject(common)
  })

  test('an error keeps its format', async () => {
    await served(answers(422, { error: { message: 'No such voice', type: 'invalid_request_error', code: 'odd' } }), {
      setting: json({ force_format: true, thinking_to_content: true }),
    })
    expect(await errorOf(await ann.chat())).toMatchObject({ status: 422, code: 'odd', type: 'invalid_request_error' })
  })
})

describe('responses in another format', () => {
  const CLAUDE = 14
  const blocks = [
    { type: 'thinking', thinking: 'Let me see.', signature: 'sig' },
    { type: 'text', text: 'Yes.' },
  ]
  const of = (kind: string, fields: object = {}) => `event: ${kind}\ndata: ${json({ type: kind, ...fields })}\n\n`
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null }
  const tokens = { input_tokens: 10, output_tokens: 4 }
  const events = [
    of('message_start', { message: { ...message, usage: tokens } }),
    of('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
    of('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Let me see.' } }),
    of('content_block_stop', { index: 0 }),
    of('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
    of('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'Yes.' } }),
    of('content_block_stop', { index: 1 }),
    of('message_delta', { delta: { stop_reason: 'end_turn' }, usage: tokens }),
    of('message_stop'),
  ]

  test('force_format applies to translated responses', async () => {
    const claude = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { stream } = (await request.json()) as { stream?: boolean }
        if (stream) return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
        return Response.json({ ...message, content: blocks, stop_reason: 'end_turn', usage: tokens })
      },
    })
    await channelTo(`http://127.0.0.1:${claude.port}`, { type: CLAUDE, setting: json({ thinking_to_content: true }) })
    const text = '<think>\nLet me see.\n</think>\nYes.'
    const stream = await readStream(await ann.stream())
    const whole = (await (await ann.chat()).json()) as any
    await claude.stop(true)
    expect(stream).toMatchObject({ text, done: true })
    expect(stream.raw).not.toContain('reasoning')
    expect(whole.choices[0].message.content).toBe(text)
    expect(whole.choices[0].message).not.toHaveProperty('reasoning_content')
    expect(await ann.balance()).toBe(RICH - 2 * quotaOf(10, 4))
  })
})

test('settings that cannot work are refused', async () => {
  const { id } = await served(chat())
  const root = await setUp()
  for (const setting of ['{"proxy":"example.org"}', '{"proxy":"ftp://a:1"}', '{"force_format":"yes"}', '{"proxy":7}']) {
    expect(await root.put('/api/channel/', { id, setting })).toMatchObject({ status: 400, field: 'setting' })
  }
  const setting = json({ proxy: 'socks5://me:secret@127.0.0.1:1080', of_another: { kept: 1 } })
  expect(await root.put('/api/channel/', { id, setting })).toMatchObject({ success: true })
})

test('operators see that a model is mapped', async () => {
  await served(chat({ usage }), { model_mapping: json({ [MODEL]: 'real' }) }, 'real')
  await ann.chat()
  const [entry] = await logsOf(ann.person)
  expect(entry.other).toMatchObject({ is_model_mapped: true, upstream_model_name: 'real' })
})
