// @engine sqlite
/** Channel settings apply between formats. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { open } from '../../../src/domain/wallet/reservations.ts'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { eventsOf } from '../../formats/support.ts'
import { type Json, picture } from '../../formats/wire/sse.ts'
import { app } from '../../support/app/app.ts'
import { logsOf } from '../../support/app/logs.ts'
import { setOption } from '../../support/app/options.ts'
import { setEnv } from '../../support/env.ts'
import { type Client, chatBody, client, MODEL, quotaOf, RICH } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

const THINKER = 'claude-3-7-sonnet-20250219-thinking'
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25, [THINKER]: 1 }))

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

const ask = (format: ClientFormatName, fields?: Json) => callIn(format, ann, fields)

describe('channel settings between formats', () => {
  test("prompts, overrides in the upstream's format and thresholds apply", async () => {
    await channelFor('gemini', { system_prompt: 'Be kind.', param_override: '{"generationConfig":{"topK":3}}' })
    serverOf('gemini').plays('text')
    await ask('openai-chat', {
      messages: [{ role: 'system', content: 'Be brief.' }, ...(chatBody().messages as Json[])],
    })
    expect(lastRequest('gemini').body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] },
      generationConfig: { topK: 3 },
      safetySettings: expect.arrayContaining([expect.objectContaining({ threshold: expect.any(String) })]),
    })
    expect(lastRequest('gemini').body).not.toHaveProperty('stream')
  })

  test.each([
    ['anthropic', { system: 'Be brief.' }, { system: 'Be kind.\n\nBe brief.' }, { system: 'Be kind.' }],
    [
      'openai-responses',
      { instructions: 'Be brief.' },
      { instructions: 'Be kind.\n\nBe brief.' },
      { instructions: 'Be kind.' },
    ],
    [
      'gemini',
      { system_instruction: { parts: [{ text: 'Be brief.' }] } },
      { system_instruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] } },
      { system_instruction: { parts: [{ text: 'Be kind.' }] } },
    ],
  ] as const)("the prompt stands before or in place of a %s client's", async (format, theirs, before, alone) => {
    await channelFor(format, { setting: JSON.stringify({ system_prompt: 'Be kind.' }) })
    serverOf(format).plays('text')
    await ask(format, theirs)
    expect(lastRequest(format).body).toMatchObject(before)
    await deleteChannels()
    await channelFor(format, { setting: JSON.stringify({ system_prompt: 'Be kind.', system_prompt_override: true }) })
    await ask(format, theirs)
    expect(lastRequest(format).body).toMatchObject(alone)
    serverOf(format).violations.length = 0
  })

  test('suffixes of the model name set the effort', async () => {
    await channelFor('anthropic', { models: THINKER, model_mapping: '' })
    serverOf('anthropic').plays('thinking')
    for (const format of ['openai-chat', 'anthropic'] as const) {
      await ask(format, { model: THINKER, max_tokens: 4000 })
      expect(lastRequest('anthropic').body).toMatchObject({
        model: 'claude-3-7-sonnet-20250219',
        thinking: { type: 'enabled', budget_tokens: 3200 },
      })
    }
  })

  test('channels without streams write a stream from the whole response', async () => {
    for (const upstream of ['anthropic', 'gemini', 'openai-responses'] as const) {
      await deleteChannels()
      await channelFor(upstream, { setting: '{"stream_support":"NON_STREAM_ONLY"}' })
      serverOf(upstream).plays('tools')
      for (const caller of formats) {
        const text = await (await ask(caller, { stream: true })).text()
        const told = eventsOf(chatFormats[caller], text)
        expect(told.at(-1)).toEqual({ kind: 'end' })
        expect(told).toContainEqual(expect.objectContaining({ kind: 'finish' }))
        expect(lastRequest(upstream).body.stream).not.toBe(true)
      }
    }
    expect(await ann.balance()).toBe(RICH - 12 * quotaOf(80, 30))
  })

  test('sensitive words are found in every format', async () => {
    await channelFor('openai-chat')
    serverOf('openai-chat').plays('text')
    const before = serverOf('openai-chat').asked.length
    const said = 'this is test_sensitive'
    const refused = await Promise.all([
      ask('openai-responses', { input: [{ role: 'user', content: said }] }),
      ask('anthropic', { messages: [{ role: 'user', content: [{ type: 'text', text: said }] }] }),
      ask('gemini', { contents: [{ parts: [{ text: said }] }] }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(serverOf('openai-chat').asked).toHaveLength(before)
  })
})

test.each([
  ['anthropic', { max_tokens: 100_000 }],
  ['openai-responses', { max_output_tokens: 100_000 }],
  ['gemini', { generationConfig: { maxOutputTokens: 1000, candidateCount: 8 } }],
] as const)('an override in %s that allows longer output is reserved for', async (format, own) => {
  await channelFor(format, { param_override: JSON.stringify(own) })
  serverOf(format).plays('text')
  const before = serverOf(format).asked.length
  const poor = await client({}, quotaOf(100, 1000))
  const refused = await callIn('openai-chat', poor, { max_tokens: 5 })
  expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  expect(serverOf(format).asked).toHaveLength(before)
  expect((await ask('openai-chat', { max_tokens: 5 })).status).toBe(200)
  expect(lastRequest(format).body).toMatchObject(own)
  expect(await poor.balance()).toBe(quotaOf(100, 1000))
  expect(open.size).toBe(0)
})

test("an override without a length keeps the operator's settings", async () => {
  await setOption('claude.default_max_tokens', JSON.stringify({ default: 777 }))
  await channelFor('anthropic', { param_override: JSON.stringify({ temperature: 0 }) })
  serverOf('anthropic').plays('text')
  expect((await ask('openai-chat')).status).toBe(200)
  expect(lastRequest('anthropic').body).toMatchObject({ max_tokens: 777, temperature: 0 })
  await setOption('claude.default_max_tokens', JSON.stringify({ default: 8192 }))
})

/** A server of one picture, and a chat about it. */
function pictured(answer: () => Promise<Response> | Response) {
  const restore = setEnv({ OUTBOUND_ALLOW: ['127.0.0.0/8'] })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  const image_url = { url: `http://127.0.0.1:${server.port}/dot.png` }
  const stop = () => {
    restore()
    server.stop(true)
  }
  return { body: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }] }, stop }
}

const dot = () => new Response(Buffer.from(picture, 'base64'), { headers: { 'content-type': 'image/png' } })

test('a client that disconnects while media are fetched pays nothing', async () => {
  const came = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const { body, stop } = pictured(async () => {
    came.resolve()
    await gone.promise
    return dot()
  })
  await channelFor('gemini')
  serverOf('gemini').plays('image')
  const before = serverOf('gemini').asked.length
  const leaving = new AbortController()
  // Without a connection between them, it is known at once that the caller has left.
  const call = app.handle(
    new Request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer sk-${ann.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody(body)),
      signal: leaving.signal,
    }),
  )
  await came.promise
  leaving.abort()
  gone.resolve()
  expect((await call).status).toBe(499)
  expect(open.size).toBe(0)
  stop()
  expect(serverOf('gemini').asked).toHaveLength(before)
  expect(await ann.balance()).toBe(RICH)
  expect(await logsOf(ann.person)).toEqual([])
})

test('images by URL are fetched for upstreams that fetch none', async () => {
  const { body, stop } = pictured(dot)
  await channelFor('gemini')
  serverOf('gemini').plays('image')
  await ask('openai-chat', body)
  stop()
  expect(lastRequest('gemini').body.contents).toEqual([
    { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] },
  ])
})
