// @engine sqlite
/** OpenAI's Responses through the canonical form: what is asked, what a stream says, and what an answer says again. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { type ChatRequest, type ChatResponse, usageOf } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { streamResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { eventsOf, labelFor, pairOf, sent, user } from './support.ts'
import { eventsOfText, named, picture } from './wire/sse.ts'

const responses = chatFormats['openai-responses']
const image_url = `data:image/png;base64,${picture}`
const file_data = 'data:application/pdf;base64,JVBERi0='
const schema = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'], additionalProperties: false }
const about = { description: 'F', strict: true }

test('nothing that is asked of Responses is lost', () => {
  const cited = { type: 'url_citation', url: 'https://example.com/', title: 'E', start_index: 0, end_index: 2 }
  const body = {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url, detail: 'low' },
          { type: 'input_image', file_id: 'file_1', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'e' },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'So', annotations: [cited, { type: 'file_citation', filename: 'a.pdf' }] },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'item_reference', id: 'msg_1' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":0}' },
      { type: 'computer_call_output', call_id: 'c', output: {} },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'ok' },
          { type: 'input_image', image_url, detail: 'high' },
        ],
      },
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Now sum.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
    ],
    ...{ stream: true, max_output_tokens: 20, temperature: 0, top_p: 0, top_logprobs: 3, user: 'ann' },
    tools: [
      { type: 'function', name: 'f', parameters: schema, ...about },
      { type: 'file_search', vector_store_ids: ['v'] },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'n', schema, ...about }, verbosity: 'low' },
    reasoning: { effort: 'high', summary: 'detailed' },
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    ...{ store: true, previous_response_id: 'resp_1', metadata: { a: 'b' }, truncation: 'auto' },
  }
  expect(sent('openai-responses', body, 'openai-responses')).toEqual(body)
})

describe('a stream of Responses', () => {
  const read = (...events: Json[]) => {
    const completed = { type: 'response.completed', response: { status: 'completed', output: [] } }
    return assemble(eventsOf(responses, named([...events, completed] as never))).choices[0]!
  }
  const item = (item: Json) => ({ type: 'response.output_item.added', output_index: 0, item })
  const at = { output_index: 0, content_index: 0 }

  test('openai-responses: reasoning is read from summaries or in full, once', () => {
    const thought = item({ type: 'reasoning', id: 'rs_1', summary: [] })
    const done = (summary: Json[]) => ({
      ...item({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'e' }),
      type: 'response.output_item.done',
    })
    const summary = [{ text: 'A' }, { text: 'B' }]
    const parts = [{ kind: 'thinking', id: 'rs_1', text: 'A\n\nB', signature: { owner: 'openai', value: 'e' } }]
    const part = (summary_index: number) => ({ type: 'response.reasoning_summary_part.added', ...at, summary_index })
    const words = (delta: string) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })
    expect(read(thought, part(0), words('A'), part(1), words('B'), done(summary)).parts).toEqual(parts as never)
    expect(read(thought, done(summary)).parts).toEqual(parts as never)
    const full = { type: 'response.reasoning_text.delta', ...at, delta: 'In full' }
    expect(read(thought, full, done([])).parts).toMatchObject([{ text: 'In full' }])
    const whole = { output: [{ type: 'reasoning', content: [{ text: 'In full' }], summary }] }
    expect(responses.readResponse(whole)!.choices[0]!.parts).toEqual([{ kind: 'thinking', text: 'In full' }])
  })

  test('openai-responses: arguments are read whole or in pieces, once', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'f' }
    const done = { ...item({ ...call, arguments: '{"x":1}' }), type: 'response.output_item.done' }
    const piece = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x":1}' }
    for (const events of [[done], [piece, done]])
      expect(read(item({ ...call, arguments: '' }), ...events)).toMatchObject({
        parts: [{ id: 'c', arguments: '{"x":1}' }],
        finish: { reason: 'tool_calls' },
      })
  })

  test('openai-responses: a stream has refusals, citations and logprobs', () => {
    const annotation = { type: 'url_citation', url: 'https://example.com/', title: 'E' }
    const logprobs = [{ token: 'So', logprob: -1, top_logprobs: [] }]
    const words = { type: 'response.output_text.delta', ...at, delta: 'So' }
    const noted = { type: 'response.output_text.annotation.added', ...at, annotation }
    const done = { type: 'response.output_text.done', ...at, text: 'So', logprobs }
    expect(read(words, noted, done)).toMatchObject({
      parts: [{ text: 'So', citations: [{ url: 'https://example.com/' }] }],
      logprobs: [{ token: 'So' }],
    })
    expect(read({ ...words, logprobs }, done).logprobs).toHaveLength(1)
    const whole = { output: [{ type: 'message', content: [{ type: 'output_text', text: 'So', logprobs }] }] }
    expect(responses.readResponse(whole)!.choices[0]!.logprobs).toMatchObject([{ token: 'So' }])
    const refusal = { type: 'response.refusal.delta', ...at, delta: 'No.' }
    expect(read(refusal).parts).toEqual([{ kind: 'refusal', text: 'No.' }])
  })

  test('counts what was charged by the call, and knows the kind of a picture', () => {
    const output = ['web_search', 'file_search', 'code_interpreter', 'image_generation'].map(tool => ({
      type: `${tool}_call`,
      ...{ result: 'AAAA', output_format: 'webp' },
    }))
    const usage = { input_tokens: 1, output_tokens: 1 }
    const tools = { web_search: 1, file_search: 1, code_interpreter: 1, image_generation: 1 }
    expect(responses.readResponse({ output, usage })).toMatchObject({
      usage: { tools },
      choices: [{ parts: [{}, {}, {}, { kind: 'image', source: { media_type: 'image/webp' } }] }],
    })
    const last = { type: 'response.completed', response: { status: 'completed', output, usage } }
    expect(assemble(eventsOf(responses, named([last]))).usage).toMatchObject({ tools })
  })

  test('openai-responses: a failed stream has the error of its code', () => {
    const error = { type: 'error', code: 'rate_limit_exceeded', message: 'Slow', param: null }
    expect(eventsOf(responses, named([error]))).toMatchObject([{ kind: 'error', failure: { status: 429, type: '' } }])
    expect(responses.readError({ object: 'response', error: null, message: 'fine' }, 200)).toBeUndefined()
  })
})

test('a response says again what was asked', () => {
  const body = {
    ...{ model: 'm', input: 'Hi', instructions: 'Be brief.', max_output_tokens: 20, temperature: 0, top_p: 0.5 },
    ...{ metadata: { a: 'b' }, parallel_tool_calls: false, truncation: 'auto', user: 'ann' },
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_object' } },
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }],
    tool_choice: 'required',
  }
  const request = responses.readRequest(body) as ChatRequest
  const answer: ChatResponse = { id: 'x', model: 'y', created: 5, choices: [], doubts: [] }
  const { input: _, ...again } = body
  const head = {
    ...again,
    created_at: 5,
    object: 'response',
    previous_response_id: null,
    background: false,
    store: false,
  }
  const { id, ...told } = responses.writeResponse(answer, labelFor(request))
  expect(id).toMatch(/^resp_\w+$/)
  const ended = { status: 'completed', error: null, incomplete_details: null, output: [], usage: null }
  expect(told).toEqual({ ...head, ...ended })
  const bare = responses.writeResponse(
    answer,
    labelFor(responses.readRequest({ model: 'm', input: 'Hi' }) as ChatRequest),
  )
  expect(bare).toMatchObject({
    ...{ temperature: 1, top_p: 1, tools: [], tool_choice: 'auto', parallel_tool_calls: true, metadata: {} },
    ...{ max_output_tokens: null, user: null, truncation: 'disabled', text: { format: { type: 'text' } } },
  })
})

test('a thought is asked for as the model knows it, by either name, and of those alone that think', () => {
  const asked = (reasoning: Json, model: string) =>
    sent('openai-responses', { model: 'm', input: 'Hi', reasoning }, 'openai-responses', model)
  expect(asked({ effort: 'max' }, 'gpt-5.2')).toEqual({
    model: 'gpt-5.2',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    reasoning: { effort: 'xhigh' },
  })
  const shown = { model: 'm', input: 'Hi', reasoning: { generate_summary: 'auto' } }
  const { generationConfig } = sent('openai-responses', shown, 'gemini', 'gemini-2.5-flash')
  expect(generationConfig).toEqual({ thinkingConfig: { includeThoughts: true } })
  const thinking = { max_tokens: 2000, messages: [user('Hi')], thinking: { type: 'enabled', budget_tokens: 1024 } }
  expect(sent('anthropic', { model: 'm', ...thinking }, 'openai-responses', 'gpt-4o')).not.toHaveProperty('reasoning')
})

test('a stream tells each item as it begins, grows and is done, and the next answer begins with nothing', () => {
  const logprobs = [{ token: 'So', logprob: -1, bytes: null, alternatives: [] }]
  const answer: ChatResponse = {
    ...{ id: 'resp_a', model: 'm', doubts: [], usage: usageOf({ input: 2, output: 3 }) },
    choices: [
      {
        parts: [
          { kind: 'thinking', text: 'Hm', signature: { owner: 'openai', value: 'e' }, id: 'rs_1' },
          { kind: 'text', text: 'So' },
          { kind: 'tool_call', id: 'c', name: 'f', arguments: '' },
        ],
        finish: { reason: 'tool_calls' },
        logprobs,
      },
    ],
  }
  const route = pairOf('openai-responses', 'openai-chat', 'text')
  const told = () => eventsOfText(streamResponse(route, answer)).map(data => JSON.parse(data))
  const part = { type: 'summary_text', text: 'Hm' }
  const token = { token: 'So', logprob: -1, bytes: null, top_logprobs: [] }
  const words = { type: 'output_text', text: 'So', annotations: [], logprobs: [token] }
  const thought = { type: 'reasoning', id: 'rs_1', summary: [part], encrypted_content: 'e' }
  const message = { type: 'message', status: 'completed', role: 'assistant', content: [words] }
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' }
  const events = [
    ...['response.created', 'response.in_progress'].map(type => ({ type, response: { status: 'in_progress' } })),
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } },
    { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...part, text: '' } },
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', delta: 'Hm' },
    { type: 'response.reasoning_summary_text.done', text: 'Hm' },
    { type: 'response.reasoning_summary_part.done', part },
    { type: 'response.output_item.done', item: thought },
    { type: 'response.output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', content_index: 0, part: { ...words, text: '', logprobs: [] } },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'So' },
    { type: 'response.output_text.done', text: 'So', logprobs: [token] },
    { type: 'response.content_part.done', part: words },
    { type: 'response.output_item.done', item: message },
    { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '', status: 'in_progress' } },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{}' },
    { type: 'response.function_call_arguments.done', name: 'f', arguments: '{}' },
    { type: 'response.output_item.done', item: call },
    {
      type: 'response.completed',
      response: { output: [thought, message, call], usage: { input_tokens: 2, output_tokens: 3, total_tokens: 5 } },
    },
  ]
  const begun = told()
  expect(begun).toMatchObject(events)
  expect(told()).toEqual(begun)
})

test('openai-responses: each search of tools in a stream has its own arguments', () => {
  const writer = responses.writeStream(labelFor(responses.readRequest({ model: 'm', input: 'Hi' }) as ChatRequest))
  const texts = ['{"query":"goats"}', '{"query":"gates"}']
  const written = texts.map((text, part) => {
    const opening = {
      kind: 'tool_call',
      id: `c${part}`,
      name: 'tool_search',
      arguments: '',
      finds_tools: true,
    } as const
    const at = { choice: 0, part }
    return [
      writer.write({ kind: 'open', ...at, opening }),
      writer.write({ kind: 'delta', ...at, delta: { arguments: text } }),
      writer.write({ kind: 'close', ...at }),
    ].join('')
  })
  const done = eventsOfText(written.join('')).map(text => JSON.parse(text) as Json)
  expect(done.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toMatchObject(
    texts.map(text => ({ type: 'tool_search_call', arguments: JSON.parse(text) })),
  )
})

test('openai-responses: thoughts that come with the same id, or one of another maker, are sent with ids of their own', () => {
  const turn = (id: string, encrypted_content: string) => [
    user('Hi'),
    { type: 'reasoning', id, summary: [], encrypted_content },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'So', annotations: [] }] },
  ]
  const input = [...turn('rs_1', 'a'), ...turn('rs_1', 'b'), ...turn('rs_0', 'c'), ...turn('thought', 'd')]
  const asked = sent('openai-responses', { model: 'm', input: [...input, user('Go on')] }, 'openai-responses')
  const thoughts = (asked.input as Json[]).filter(({ type }) => type === 'reasoning')
  expect(thoughts.map(({ encrypted_content }) => encrypted_content)).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(thoughts.map(({ id }) => id)).size).toBe(4)
  expect(thoughts[0]!.id).toBe('rs_1')
  for (const { id } of thoughts) expect(id).toStartWith('rs_')
})
