// @engine sqlite
/** Anthropic's format through the canonical form: what it alone can say comes out as it went in. */
import { describe, expect, test } from 'bun:test'
import type { TextPart } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, eventsOf, labelFor, pairOf, requestOf, sent, translated, user } from './support.ts'
import { named, picture } from './wire/sse.ts'

const { anthropic } = chatFormats
const kept = (ttl?: '1h') => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } })
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }
const passage = { type: 'text', text: 'Four.' }

test('anthropic: a request round-trips through the canonical form', () => {
  const citation = { type: 'char_location', document_index: 0, document_title: 'A', cited_text: 'x' }
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 9000,
    system: [{ type: 'text', text: 'Be brief.', ...kept('1h') }],
    messages: [
      user([
        { type: 'text', text: 'See' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'image', source: { type: 'file', file_id: 'file_1' } },
        { type: 'document', source: pdf, title: 'A', context: 'Of May', citations: { enabled: true }, ...kept('1h') },
        { type: 'document', source: { type: 'content', content: [passage] }, title: 'B' },
        { type: 'search_result', source: 'https://example.com', title: 'C', content: [passage] },
        { type: 'container_upload', file_id: 'file_2' },
      ]),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'text', text: 'So', citations: [citation] },
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
          { type: 'tool_use', id: 'a', name: 'f', input: { x: 0 } },
        ],
      },
      user([{ type: 'tool_result', tool_use_id: 'a', content: [passage, image], is_error: true, ...kept() }]),
    ],
    stop_sequences: ['END'],
    top_p: 0.95,
    tools: [
      { name: 'f', description: 'F', input_schema: { type: 'object', properties: {} }, strict: true, ...kept() },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'web_search_20250305', name: 'web_search', blocked_domains: ['a.example'], max_uses: 2 },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2000 },
    output_config: { effort: 'medium', format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
    metadata: { user_id: 'ann' },
    service_tier: 'auto',
  }
  const schema = { ...body.output_config.format.schema, additionalProperties: false }
  const input_schema = { type: 'object', properties: {}, additionalProperties: false }
  expect(sent('anthropic', body, 'anthropic', body.model)).toEqual({
    ...body,
    tools: [{ ...body.tools[0], input_schema }, ...body.tools.slice(1)],
    output_config: { ...body.output_config, format: { ...body.output_config.format, schema } },
  })
})

describe('each model', () => {
  const ask = { max_tokens: 9000, temperature: 0.5, top_p: 0.5, top_k: 5 }
  const format = { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object', properties: {} } } }
  const adaptive = { type: 'adaptive' }
  const budget = { type: 'enabled', budget_tokens: 1024 }

  test.each([
    ['claude-3-5-sonnet-20241022', ['temperature', 'top_p', 'top_k'], undefined, undefined],
    ['claude-3-7-sonnet-20250219', ['temperature', 'top_p', 'top_k'], budget, budget],
    ['claude-opus-4-20250514', ['temperature', 'top_p', 'top_k'], budget, budget],
    ['claude-opus-4-1-20250805', ['temperature', 'top_k', 'output_config'], budget, budget],
    ['claude-sonnet-4-20250514', ['temperature', 'top_p', 'top_k'], budget, budget],
    ['claude-sonnet-4.5', ['temperature', 'top_k', 'output_config'], budget, budget],
    ['claude-opus-4-6', ['temperature', 'top_k', 'output_config'], budget, adaptive],
    ['claude-opus-4-7', ['output_config'], adaptive, adaptive],
    ['claude-sonnet-5', ['output_config'], adaptive, adaptive],
    ['kimi-k2', ['temperature', 'top_p', 'top_k'], budget, budget],
  ])('anthropic: %s gets its own sampling, schema and thinking', (model, fields, some, own) => {
    const body = sent('openai-chat', chat([user('Hi')], { ...ask, response_format: format }), 'anthropic', model)
    const optional = ['temperature', 'top_p', 'top_k', 'output_config']
    expect(optional.filter(field => field in body)).toEqual(fields)
    const thinking = (asked: Json) =>
      sent('anthropic', { model, max_tokens: 9000, messages: [user('Hi')], thinking: asked }, 'anthropic', model)
        .thinking as Json | undefined
    expect(thinking(budget)).toEqual(some)
    expect(thinking(adaptive)?.type).toEqual(own?.type)
  })

  test('anthropic: temperature alone or top_p alone is passed on', () => {
    const told = (rest: Json) => sent('openai-chat', chat([user('Hi')], rest), 'anthropic', 'claude-sonnet-4-5')
    expect(told({ top_p: 0 })).toMatchObject({ top_p: 0 })
    expect(told({ temperature: 0 })).toMatchObject({ temperature: 0 })
  })
})

describe('thinking', () => {
  const say = (rest: Json, model = 'claude-sonnet-4-5') =>
    sent('anthropic', { model: 'm', max_tokens: 3000, messages: [user('Hi')], ...rest }, 'anthropic', model)

  test('anthropic: hidden thinking is requested as omitted', () => {
    const thinking = { type: 'adaptive', display: 'omitted' }
    expect(say({ thinking, output_config: { effort: 'low' } }, 'claude-opus-5')).toMatchObject({
      thinking,
      output_config: { effort: 'low' },
    })
  })

  test('anthropic: the thinking budget stays below max_tokens', () => {
    const budget = (budget_tokens: number) =>
      (say({ thinking: { type: 'enabled', budget_tokens } }).thinking as Json).budget_tokens
    expect([budget(2999), budget(3000), budget(500)]).toEqual([2999, 2400, 1024])
  })

  test('anthropic: a forced tool disables thinking, and thinking drops a low top_p', () => {
    const tools = [{ name: 'f', input_schema: { type: 'object' } }]
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    expect(say({ tools, tool_choice: { type: 'tool', name: 'f' }, thinking })).not.toHaveProperty('thinking')
    expect(say({ tool_choice: { type: 'any' }, thinking })).toMatchObject({ thinking })
    expect(say({ thinking, top_p: 0.5 })).not.toHaveProperty('top_p')
  })
})

describe('what others have no word for', () => {
  const told = (block: Json, upstream: 'openai-chat' | 'gemini' = 'openai-chat') =>
    sent('anthropic', { model: 'm', max_tokens: 9, messages: [user([block])] }, upstream)

  test('anthropic: search results, their sources and document context become text elsewhere', () => {
    const found = { type: 'search_result', source: 'https://example.com', title: 'Sums', content: [passage] }
    expect(told(found).messages).toEqual([user('Sums\nhttps://example.com\nFour.')])
    const document = { type: 'document', context: 'Of May', title: 'A', source: pdf }
    expect(told(document).messages).toMatchObject([
      user([
        { type: 'text', text: 'Of May' },
        { type: 'file', file: { filename: 'A' } },
      ]),
    ])
  })

  test('anthropic: a tool reference in a tool result becomes its JSON', () => {
    const reference = { type: 'tool_reference', tool_name: 'f' }
    const result = { type: 'tool_result', tool_use_id: 'a', content: [reference] }
    expect(told(result).messages).toEqual([user(JSON.stringify(reference))])
  })
})

describe('for Anthropic', () => {
  const seen = (part: Json) =>
    ((sent('openai-chat', chat([user([part])]), 'anthropic').messages as Json[])[0]!.content as Json[])[0]!

  test.each([
    ['/9j/4AAQ', 'image/jpeg'],
    ['R0lGODlh', 'image/gif'],
    ['UklGRiQA', 'image/webp'],
    ['AAAA', 'image/bmp'],
  ])('anthropic: a file of type %s is an image of type %s by its bytes', (data, media_type) => {
    const url = `data:image/bmp;base64,${data}`
    expect(seen({ type: 'image_url', image_url: { url } })).toMatchObject({ source: { media_type, data } })
  })

  test('anthropic: a text file is a text document, and the code interpreter its own tool', () => {
    const file = { filename: 'a.csv', file_data: 'data:text/csv;base64,YSxi' }
    expect(seen({ type: 'file', file })).toEqual({
      type: 'document',
      title: 'a.csv',
      source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
    })
    const code = { model: 'm', input: 'Hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }
    expect(sent('openai-responses', code, 'anthropic').tools).toEqual([
      { type: 'code_execution_20250825', name: 'code_execution' },
    ])
  })

  test('anthropic: instructions and every kind of tool are written', () => {
    const messages = [{ role: 'system', content: [{ type: 'text', text: 'One', ...kept() }] }, user('Hi')]
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const rest = { tools, tool_choice: 'none', parallel_tool_calls: false }
    expect(sent('openai-chat', chat(messages, rest), 'anthropic')).toMatchObject({
      system: [{ type: 'text', text: 'One', ...kept() }],
      tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'none' },
    })
    const { tool_choice } = sent('openai-chat', chat(messages, rest), 'anthropic')
    expect(tool_choice).toEqual({ type: 'none' })
  })
})

describe('an answer', () => {
  const citation = { type: 'web_search_result_location', url: 'https://example.com/', title: 'E', cited_text: 'Four' }
  const stream = named([
    { type: 'message_start', message: {} },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Four' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 3 } },
  ])

  test('anthropic: a stream has its sources, its stop reason, and an end when none came', () => {
    const told = translated('anthropic', 'anthropic', stream).choices[0]!
    expect(told.parts).toMatchObject([{ text: 'Four', citations: [{ native: { value: citation } }] }])
    expect(told.finish).toEqual({ reason: 'pause' })
    expect(eventsOf(anthropic, stream).at(-1)).toEqual({ kind: 'end' })
    expect(translated('openai-chat', 'anthropic', stream).choices[0]!.parts).toMatchObject([
      { citations: [{ url: 'https://example.com/', title: 'E' }] },
    ])
  })

  test('anthropic: citations name search results and documents', () => {
    const passages = [
      { type: 'search_result_location', source: 'https://example.com/s', title: 'S' },
      { type: 'char_location', document_title: 'D' },
    ]
    const { parts } = anthropic.readResponse({ content: [{ ...passage, citations: passages }] })!.choices[0]!
    expect(parts).toMatchObject([{ citations: [{ url: 'https://example.com/s', title: 'S' }, { title: 'D' }] }])
  })

  test('anthropic: a web citation keeps its quotation, and a refusal in words is a refusal', () => {
    const refused = { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] }
    const answer = chatFormats['openai-chat'].readResponse(refused)!
    expect(translateResponse(pairOf('anthropic', 'openai-chat', 'text'), answer)).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
    })
    const cited: TextPart = { kind: 'text', text: 'A', citations: [{ url: 'https://example.com/', quote: 'Q' }] }
    const written = anthropic.writeResponse(
      { id: '', model: 'm', choices: [{ parts: [cited], finish: { reason: 'stop' } }], doubts: [] },
      labelFor(requestOf('anthropic', 'text')),
    )
    expect(written).toMatchObject({ content: [{ citations: [{ url: 'https://example.com/', cited_text: 'Q' }] }] })
  })

  test('anthropic: audio and image tokens count as input, and 1h cache writes never exceed all writes', () => {
    const written = (usage: Json) => anthropic.readResponse({ content: [], usage })!.usage
    const creation = { ephemeral_1h_input_tokens: 9 }
    expect(
      written({ input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 5, cache_creation: creation }),
    ).toMatchObject({ cache_write_5m: 0, cache_write_1h: 5 })
    const report = { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { audio_tokens: 4 } }
    const answer = chatFormats['openai-chat'].readResponse({ choices: [], usage: report })!
    expect(translateResponse(pairOf('anthropic', 'openai-chat', 'text'), answer).usage).toMatchObject({
      input_tokens: 9,
    })
  })
})

test.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [502, 'api_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])('anthropic: status %i is error type %s, also inside a stream', (status, type) => {
  const failure = { status, message: 'No', type: '', code: '', param: null }
  const body = anthropic.writeError(failure)
  expect(body).toEqual({ type: 'error', error: { type, message: 'No' } })
  const among: Record<number, number> = { 422: 400, 502: 500, 529: 503 }
  expect(anthropic.readError(body, 0)?.status).toBe(among[status] ?? status)
})

test('anthropic: a response with an empty error field is no error', () => {
  expect(anthropic.readError({ type: 'message', content: [], msg: 'success' }, 200)).toBeUndefined()
})

test('a schema that a model is held to has nothing in it that is refused', () => {
  const limits = { minItems: 1, maxItems: 2, uniqueItems: true, minLength: 1, maxLength: 2, multipleOf: 2, minimum: 0 }
  const x = { type: 'string', pattern: 'x' }
  const schema = { type: 'object', $schema: 's', properties: { x: { ...x, ...limits }, o: { type: 'object' } } }
  const format = { type: 'json_schema', json_schema: { name: 'n', schema } }
  const body = sent('openai-chat', chat([user('Hi')], { response_format: format }), 'anthropic', 'claude-sonnet-4-5')
  const told = (body.output_config as Json).format as Json
  const o = { type: 'object', additionalProperties: false }
  expect(told.schema).toEqual({ ...o, properties: { x, o } })
})

test('a stream begins with about how many tokens were asked, before anyone has counted', () => {
  const writer = anthropic.writeStream({ ...labelFor(requestOf('anthropic', 'text')), prompt: 12 })
  expect(writer.write({ kind: 'start', id: '', model: 'm' })).toContain('"usage":{"input_tokens":12,')
})
