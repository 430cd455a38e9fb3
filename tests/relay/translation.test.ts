// @engine sqlite
/** Calls between formats: bills, failover, broken streams. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { formats } from '../../src/formats/index.ts'
import { skipTime } from '../../src/process/clock.ts'
import { wires } from '../formats/wire/index.ts'
import { type Json, named } from '../formats/wire/sse.ts'
import { app } from '../support/app/app.ts'
import { logsOf } from '../support/app/logs.ts'
import { setOption } from '../support/app/options.ts'
import { type Client, client, MODEL, quotaOf, RICH } from '../support/people/client.ts'
import { readStream } from '../support/people/responses.ts'
import { until } from '../support/until.ts'
import { events } from '../support/upstream/format-upstreams.ts'
import { deleteChannels } from '../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../support/upstream/translation.ts'

await setOption('RetryTimes', 3)
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25, 'codex-mini': 1 }))

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

const ask = (format: ClientFormatName, fields?: Json) => callIn(format, ann, fields)

describe('bills between formats', () => {
  test.each([...formats])('the usage reaches a client of %s, whole and streamed', async format => {
    const from = format === 'anthropic' ? 'gemini' : 'anthropic'
    await channelFor(from)
    serverOf(from).plays('tools')
    const whole = await ask(format)
    const cost = whole.headers.get('x-tollgate-cost')!
    expect(Number(cost)).toBe(quotaOf(80, 30) / 500_000)
    expect(await whole.text()).toContain(`"cost":${cost}`)
    const stream = await ask(format, { stream: true, ...(format === 'openai-chat' && wanting) })
    expect((await stream.text()).split(`"cost":${cost}`)).toHaveLength(2)
    expect(await ann.balance()).toBe(RICH - 2 * quotaOf(80, 30))
  })

  test('the bill is durable before the last event', async () => {
    await channelFor('anthropic')
    serverOf('anthropic').plays('tools')
    const reader = (await ask('openai-chat', { stream: true })).body!.getReader()
    let text = ''
    while (!text.includes('[DONE]')) text += new TextDecoder().decode((await reader.read()).value)
    expect(await ann.balance()).toBe(RICH - quotaOf(80, 30))
  })

  test('a client that disconnects early pays for what came', async () => {
    await channelFor('anthropic')
    const half = named([
      { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 50, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one two three four five' } },
    ])
    const gone = Promise.withResolvers<void>()
    serverOf('anthropic').scripts(async answer => {
      await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
      await answer.write(half)
      await answer.left
      gone.resolve()
    })
    const reader = (await ask('openai-chat', { stream: true })).body!.getReader()
    let text = ''
    while (!text.includes('five')) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    await until(() => app.server!.pendingRequests === 0)
    skipTime(10)
    await gone.promise
    const entry = await until(async () => (await logsOf(ann.person))[0])
    expect(entry).toMatchObject({ prompt_tokens: 50, completion_tokens: 5, other: { stream_status: 'abandoned' } })
    expect(await ann.balance()).toBe(RICH - quotaOf(50, 5))
  })
})

const wanting = { stream_options: { include_usage: true } }

describe('failover between formats', () => {
  test('a channel of another format takes over', async () => {
    await channelFor('anthropic', { priority: 9 })
    await channelFor('openai-chat')
    serverOf('anthropic').scripts(answer =>
      answer.json({ type: 'error', error: { type: 'api_error', message: 'No' } }, 500),
    )
    serverOf('openai-chat').plays('text')
    for (const format of formats) expect(await (await ask(format)).text()).toContain('Four 四.')
    serverOf('anthropic').scripts(answer =>
      events(answer, named([{ type: 'error', error: { type: 'overloaded_error', message: 'No' } }])),
    )
    expect(await (await ask('gemini', { stream: true })).text()).toContain(' 四')
    expect((await logsOf(ann.person))[0].other.admin_info.use_channel).toHaveLength(2)
  })

  test("an upstream's error reaches the client in its own format", async () => {
    await channelFor('gemini')
    const error = { code: 404, message: 'No such thing', status: 'NOT_FOUND' }
    serverOf('gemini').scripts(answer => answer.json({ error }, 404))
    const told = async (format: ClientFormatName) => ((await (await ask(format)).json()) as any).error
    expect(await told('openai-chat')).toMatchObject({ type: 'not_found_error', code: 'not_found' })
    expect(await told('anthropic')).toMatchObject({ type: 'not_found_error' })
    expect(await told('gemini')).toMatchObject({ code: 404, status: 'NOT_FOUND' })
  })

  test('an untranslatable request fails over, and the last reason is returned', async () => {
    await channelFor('anthropic', { priority: 9 })
    const refused = await ask('openai-chat', { n: 2 })
    expect(refused.status).toBe(400)
    expect(((await refused.json()) as any).error).toMatchObject({ code: 'no_choices', type: 'invalid_request_error' })
    await channelFor('openai-chat')
    serverOf('openai-chat').plays('text')
    expect((await ask('openai-chat', { n: 2 })).status).toBe(200)
    expect(lastRequest('openai-chat').body).toMatchObject({ n: 2 })
    expect(serverOf('anthropic').violations).toEqual([])
  })

  test('an unknown kind of content passes where its format is spoken', async () => {
    const messages = [{ role: 'user', content: [{ type: 'brand_new', words: 'hello' }] }]
    await channelFor('openai-chat', { priority: 9 })
    expect((await ask('anthropic', { messages })).status).toBe(400)
    await channelFor('anthropic')
    serverOf('anthropic').plays('text')
    expect((await ask('anthropic', { messages })).status).toBe(200)
    expect(lastRequest('anthropic').body.messages).toEqual(messages)
  })

  test('models that only have Responses are asked there', async () => {
    await channelFor('openai-responses', { models: `codex-mini,${MODEL}`, model_mapping: '' })
    serverOf('openai-responses').plays('text')
    expect(await (await ask('openai-chat', { model: 'codex-mini' })).json()).toMatchObject({
      object: 'chat.completion',
    })
    expect(lastRequest('openai-responses').target).toBe('/v1/responses')
  })
})

describe('streams between formats', () => {
  test('chunk boundaries change nothing', async () => {
    await channelFor('anthropic')
    const stream = wires.anthropic.streams.text
    const raw = async (cut: number) => {
      serverOf('anthropic').scripts(async answer => {
        answer.cutAt(cut)
        await events(answer, stream)
      })
      return (await (await ask('openai-chat', { stream: true })).text()).replace(/chatcmpl-\w+|"created":\d+/g, '')
    }
    const whole = await raw(Number.MAX_SAFE_INTEGER)
    for (let cut = 1; cut < Buffer.from(stream).length; cut += 17) expect(await raw(cut)).toBe(whole)
    expect(whole).toContain('四')
  })

  test("a stream that breaks off ends with an error in the client's format", async () => {
    await channelFor('openai-chat')
    const { text } = wires['openai-chat'].streams
    serverOf('openai-chat').scripts(answer => events(answer, text.slice(0, text.indexOf('四') - 40)))
    expect(await (await ask('anthropic', { stream: true })).text()).toContain('event: error\ndata: {"type":"error"')
    expect(await (await ask('openai-responses', { stream: true })).text()).toContain(
      'event: error\ndata: {"type":"error"',
    )
    expect(await (await ask('gemini', { stream: true })).text()).toContain('data: {"error":{"code":502')
    const list = await ask('gemini', { stream: 'array' })
    expect(((await list.json()) as Json[]).at(-1)).toMatchObject({ error: { code: 502 } })
  })

  test('a client that asks for no usage gets none', async () => {
    await channelFor('gemini')
    serverOf('gemini').plays('text')
    expect(await readStream(await ask('openai-chat', { stream: true }))).toMatchObject({ done: true, usage: undefined })
    expect(await readStream(await ask('openai-chat', { stream: true, ...wanting }))).toMatchObject({
      usage: { prompt_tokens: 22, completion_tokens: 5 },
    })
  })
})
