// @engine sqlite
/** Well-formed nonsense in request bodies of every format, to upstreams of every format. */
import { afterAll, expect, spyOn, test } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { formats } from '../../../src/formats/index.ts'
import { log } from '../../../src/process/log.ts'
import { wires } from '../../formats/wire/index.ts'
import { setOption } from '../../support/app/options.ts'
import { client } from '../../support/people/client.ts'
import { errorOf } from '../../support/people/responses.ts'
import { casesInTier } from '../../support/tier.ts'
import { channelOf } from '../../support/upstream/format-upstreams.ts'

const modelOf = (format: ClientFormatName) => `to-${format}`
const received: number[] = []

/** It takes anything. */
const lenient = (format: ClientFormatName) =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      received.push(text.length)
      const streams = JSON.parse(text).stream === true || request.url.includes(':streamGenerateContent')
      if (!streams) return Response.json(wires[format].answers.text)
      return new Response(wires[format].streams.text, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
const servers = formats.map(lenient)
afterAll(() => Promise.all(servers.map(server => server.stop(true))))

await setOption('ModelRatio', JSON.stringify(Object.fromEntries(formats.map(format => [modelOf(format), 1]))))
await setOption('LogChatContentEnabled', true)
for (const [at, format] of formats.entries()) {
  const mapping = JSON.stringify({ [modelOf(format)]: format === 'openai-responses' ? 'codex-mini' : 'm' })
  await channelOf(
    format,
    { url: `http://127.0.0.1:${servers[at]!.port}` },
    { models: modelOf(format), model_mapping: mapping },
  )
}
const ann = await client()

const schema = { type: 'object', properties: { city: { type: ['string', 'null'], enum: ['a'] } }, required: ['city'] }
const named = { name: 'f', description: 'd' }

/** With something of everything. */
const bodies: Record<ClientFormatName, { path: string; body: object }> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: {
      messages: [
        { role: 'system', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      ],
      tools: [{ type: 'function', function: { ...named, parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
      stop: ['x'],
      reasoning_effort: 'low',
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: {
      instructions: 'be brief',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
        { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'x' }], encrypted_content: 'e' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      ],
      tools: [{ type: 'function', ...named, parameters: schema }],
      text: { format: { type: 'json_schema', name: 'n', schema } },
      reasoning: { effort: 'low' },
    },
  },
  anthropic: {
    path: '/v1/messages',
    body: {
      max_tokens: 10,
      system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'x', signature: 's' },
            { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'ok' }] }],
        },
      ],
      tools: [{ ...named, input_schema: schema }],
      tool_choice: { type: 'tool', name: 'f' },
      stop_sequences: ['x'],
    },
  },
  gemini: {
    path: '/v1beta/models/MODEL:generateContent',
    body: {
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [
        { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response: { r: 1 } } }] },
      ],
      tools: [
        {
          functionDeclarations: [
            { ...named, parameters: { type: 'OBJECT', properties: { city: { type: 'STRING', nullable: true } } } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        stopSequences: ['x'],
        responseSchema: { type: 'OBJECT' },
        thinkingConfig: { thinkingBudget: 10 },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    },
  },
}

/** Texts of JSON: what objects have without being told, what cannot be written as text, numbers beyond a double. */
const strange = [
  'null',
  '"constructor"',
  '"__proto__"',
  '{"toString":1,"__proto__":{"a":1}}',
  '1e308',
  '[null]',
  '[[]]',
  '-1',
  '1.5',
]

function* places(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length) yield path
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* places(inner, [...path, key])
}

const MARK = '"what is strange"'

function withAt(body: object, path: string[], text: string): string {
  const copy = structuredClone(body)
  const parent = path.slice(0, -1).reduce((inner, key) => (inner as Record<string, object>)[key]!, copy)
  Object.assign(parent, { [path.at(-1)!]: JSON.parse(MARK) })
  return JSON.stringify(copy).replace(MARK, text)
}

test.each([...formats])('any value anywhere in a body of %s is answered or refused', async caller => {
  const { path, body } = bodies[caller]
  const bug = spyOn(log, 'error')
  let turn = 0
  for (const [row, place] of [...places(body)].entries()) {
    const asked = casesInTier(strange, row, 3).map(text => {
      const model = modelOf(formats[turn++ % formats.length]!)
      const named = caller === 'gemini' ? body : { model, stream: turn % 3 === 0, ...body }
      return ann.postTo(path.replace('MODEL', model), withAt(named, place, text))
    })
    const statuses = await Promise.all(asked.map(async answer => [(await answer).status, await (await answer).text()]))
    expect([place, statuses.filter(([status]) => status === 500)]).toEqual([place, []])
  }
  expect(bug).not.toHaveBeenCalled()
  bug.mockRestore()
})

test('recursive schema definitions do not exhaust the memory', async () => {
  const refers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, { $ref: '#/$defs/d' }]))
  const bomb = { type: 'object', properties: refers, $defs: { d: { type: 'object', properties: refers } } }
  received.length = 0
  const tools = [{ type: 'function', function: { ...named, parameters: bomb } }]
  const body = { model: modelOf('gemini'), messages: [{ role: 'user', content: 'hi' }], tools }
  expect((await ann.post(body)).status).toBe(200)
  expect(received).toEqual([expect.any(Number)])
  expect(received[0]).toBeLessThan(2_000_000)
})

test('too many stop sequences are refused where the gateway scans for them', async () => {
  const asked = (model: string, stop: string[]) =>
    ann.post({ model, messages: [{ role: 'user', content: 'hi' }], stop, max_tokens: 5 })
  for (const stop of [Array.from({ length: 65 }, (_, at) => `${at}`), ['a'.repeat(5000)]]) {
    const refused = await asked(modelOf('gemini'), stop)
    expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'too_many_stops', param: 'stop' })
    expect((await asked(modelOf('openai-chat'), stop)).status).toBe(200)
  }
  expect((await asked(modelOf('gemini'), ['a', 'b', 'c', 'd', 'e', 'f'])).status).toBe(200)
})

test('an unknown kind of part is billed like any other', async () => {
  const before = await ann.balance()
  const content = [{ type: 'constructor', value: 'word '.repeat(1000) }]
  const answer = await ann.post({ model: modelOf('openai-chat'), messages: [{ role: 'user', content }], max_tokens: 1 })
  expect(answer.status).toBe(200)
  expect(before - (await ann.balance())).toBeGreaterThan(0)
  const poor = await client({}, 500)
  const refused = await poor.post({
    model: modelOf('openai-chat'),
    messages: [{ role: 'user', content }],
    max_tokens: 1,
  })
  expect(refused.status).toBe(403)
})
