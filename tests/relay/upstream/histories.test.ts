/** Histories as clients send them back, from the client's call to the upstream's request. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { formats } from '../../../src/formats/index.ts'
import { wrap } from '../../../src/formats/translate/signature.ts'
import { anthropicFlaw } from '../../formats/rules/anthropic.ts'
import { geminiFlaw } from '../../formats/rules/gemini.ts'
import { openAiChatFlaw } from '../../formats/rules/openai-chat.ts'
import { openAiResponsesFlaw } from '../../formats/rules/openai-responses.ts'
import { type BodyRule, signatureBy } from '../../formats/rules/rule.ts'
import type { Json } from '../../formats/wire/sse.ts'
import { setOption } from '../../support/app/options.ts'
import { type Client, client, MODEL, RICH } from '../../support/people/client.ts'
import { deleteChannels } from '../../support/upstream/served-channel.ts'
import { callIn, channelFor, lastRequest, serverOf } from '../../support/upstream/translation.ts'

await setOption('RetryTimes', 3)
await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25, 'codex-mini': 1 }))

const flaws: Record<(typeof formats)[number], BodyRule> = {
  'openai-chat': openAiChatFlaw,
  'openai-responses': openAiResponsesFlaw,
  anthropic: anthropicFlaw,
  gemini: geminiFlaw(false),
}

let ann: Client
beforeEach(async () => {
  await deleteChannels()
  ann = await client()
})

/** Models of the makers themselves, which refuse what others may accept. */
const models = {
  'openai-chat': 'gpt-4o',
  'openai-responses': 'codex-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
}

/** @returns what the upstream of a format is sent for a call */
async function sentTo(upstream: (typeof formats)[number], from: (typeof formats)[number], fields: Json): Promise<Json> {
  await channelFor(upstream, { model_mapping: JSON.stringify({ [MODEL]: models[upstream] }) })
  serverOf(upstream).plays('text')
  const response = await callIn(from, ann, fields)
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  const { body } = lastRequest(upstream)
  expect(flaws[upstream](body)).toBeUndefined()
  return body
}

const declared = [
  { functionDeclarations: [{ name: 'f', parameters: { type: 'object', properties: { x: { type: 'number' } } } }] },
]
const signature = signatureBy('anthropic', 'Both at once.')
const model = (...parts: Json[]) => ({ role: 'model', parts })
const said = (...parts: Json[]) => ({ role: 'user', parts })
const called = (id: string, x: number) => ({ functionCall: { id, name: 'f', args: { x } } })
const answered = (id: string) => ({ functionResponse: { id, name: 'f', response: { output: `of ${id}` } } })

/** Google's SDKs keep each chunk of a stream as a content. */
const chunks = {
  contents: [
    said({ text: 'Go' }),
    model({ text: 'Both ', thought: true }),
    model({ text: 'at once.', thought: true }),
    model({ text: '', thought: true, thoughtSignature: wrap({ owner: 'anthropic', value: signature }, 'gemini') }),
    model({ text: 'I ' }),
    model({ text: 'look.' }),
    model(called('a', 1)),
    model(called('b', 2)),
    model({ text: '' }),
    said(answered('b')),
    said(answered('a')),
  ],
  tools: declared,
}

describe('chunks that a client of Gemini keeps', () => {
  test('reach OpenAI as one message with both calls, and both results behind it', async () => {
    const { messages } = await sentTo('openai-chat', 'gemini', chunks)
    expect(messages).toMatchObject([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('of a') },
      { role: 'tool', tool_call_id: 'b', content: expect.stringContaining('of b') },
    ])
  })

  test('reach Claude as one thought with its signature, one text and both calls', async () => {
    const { messages } = await sentTo('anthropic', 'gemini', chunks)
    expect(messages).toMatchObject([
      { role: 'user', content: [{ text: 'Go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Both at once.', signature },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a' },
          { type: 'tool_use', id: 'b' },
        ],
      },
      { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }] },
    ])
  })

  test('may lack the texts that are empty, as those of the Go SDK do', async () => {
    const bare = (part: Json) => (part.text === '' ? { ...part, text: undefined } : part)
    const contents = chunks.contents.map(({ role, parts }) => ({ role, parts: parts.map(bare) }))
    for (const upstream of ['anthropic', 'openai-chat'] as const) {
      const whole = await sentTo(upstream, 'gemini', chunks)
      expect((await sentTo(upstream, 'gemini', { ...chunks, contents })).messages).toEqual(whole.messages)
      await deleteChannels()
    }
    await channelFor('openai-chat')
    const wrong = await callIn('gemini', ann, { contents: [said({ text: 'Go' }, { sound: 'x' })] })
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('contents[0].parts[1].text')])
  })

  test('pass to Gemini unchanged', async () => {
    await channelFor('gemini')
    serverOf('gemini').plays('text')
    expect((await callIn('gemini', ann, chunks)).status).toBe(200)
    expect(lastRequest('gemini').body).toMatchObject(chunks)
  })
})

const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (tool_use_id: string, content: string) => ({ type: 'tool_result', tool_use_id, content })
const asks = (...content: Json[]) => ({ role: 'user', content })
const answers = (...content: Json[]) => ({ role: 'assistant', content })
const text = (text: string) => ({ type: 'text', text })

/** A history with every fault at once: calls of one id, without results, results before and without calls, blank texts. */
const bent = {
  tools: [
    { name: 'f', input_schema: { type: 'object', properties: {} } },
    { name: 'f', input_schema: { type: 'object' } },
  ],
  messages: [
    asks(result('early', 'EARLY'), text('')),
    answers(text(' '), use('same'), use('early')),
    asks(result('same', 'FIRST'), result('lost', 'LOST')),
    answers(use('same'), use('open')),
    asks(text('And?')),
    asks(result('same', 'SECOND')),
    answers({ type: 'thinking', thinking: 'Cut', signature: '' }),
  ],
}

describe('a bent history', () => {
  test.each(formats.filter(format => format !== 'anthropic'))('reaches %s whole', async upstream => {
    const written = JSON.stringify(await sentTo(upstream, 'anthropic', bent))
    for (const once of ['EARLY', 'FIRST', 'LOST', 'SECOND', 'And?', 'No result.'])
      expect([once, written.split(once).length - 1]).toEqual([once, 1])
  })

  test('keeps the results of calls with one id apart', async () => {
    const { messages } = await sentTo('openai-chat', 'anthropic', bent)
    expect(messages).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'same' }, { id: 'early' }] },
      { role: 'tool', tool_call_id: 'same', content: 'FIRST' },
      { role: 'tool', tool_call_id: 'early', content: 'EARLY' },
      { role: 'user', content: 'LOST' },
      { role: 'assistant', tool_calls: [{ id: 'same_2' }, { id: 'open' }] },
      { role: 'tool', tool_call_id: 'same_2', content: 'SECOND' },
      { role: 'tool', tool_call_id: 'open', content: 'No result.' },
      { role: 'user', content: 'And?' },
    ])
  })
})

test('200 tools are refused before an OpenAI model is called, and pass to others', async () => {
  const tools = Array.from({ length: 200 }, (_, at) => ({
    name: `t${at}`,
    input_schema: { type: 'object', properties: {} },
  }))
  await channelFor('openai-chat', { model_mapping: JSON.stringify({ [MODEL]: 'gpt-4o' }) })
  const before = serverOf('openai-chat').asked.length
  const refused = await callIn('anthropic', ann, { tools })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('at most 128 tools')])
  expect(serverOf('openai-chat').asked).toHaveLength(before)
  expect(await ann.balance()).toBe(RICH)
  await channelFor('gemini')
  serverOf('gemini').plays('text')
  expect((await callIn('anthropic', ann, { tools })).status).toBe(200)
})

const line = 'x-anthropic-billing-header: cc_version=2.1.197.abc; cc_entrypoint=cli; cch=1f2e3;'

describe('the line of Claude Code that changes with each request', () => {
  const system = [text(line), text('You are Claude Code.')]

  test('passes to Anthropic unchanged', async () => {
    expect((await sentTo('anthropic', 'anthropic', { system })).system).toEqual(system)
  })

  test('is not in the instructions of others, alone or before a text', async () => {
    for (const given of [system, [text(`${line}\nYou are Claude Code.`)], `${line}\nYou are Claude Code.`]) {
      const { messages } = await sentTo('openai-chat', 'anthropic', { system: given })
      expect((messages as Json[])[0]).toEqual({ role: 'system', content: 'You are Claude Code.' })
      await deleteChannels()
    }
  })
})
