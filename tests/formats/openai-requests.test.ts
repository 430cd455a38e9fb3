// @engine sqlite
/** OpenAI's two formats through the canonical form: what they alone can say comes out as it went in. */
import { describe, expect, test } from 'bun:test'
import type { ChatRequest } from '../../src/formats/canonical/chat.ts'
import { chatFormats } from '../../src/formats/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user } from './support.ts'
import { picture } from './wire/sse.ts'

const image_url = `data:image/png;base64,${picture}`
const file_data = 'data:application/pdf;base64,JVBERi0='
const schema = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'], additionalProperties: false }
const about = { description: 'F', strict: true }

test('openai-chat: a request round-trips through the canonical form', () => {
  const thought = {
    type: 'reasoning.text',
    id: 'r',
    text: 'Hm',
    signature: 's',
    format: 'anthropic-claude-v1',
    index: 0,
  }
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":0}' } }
  const body = chat(
    [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: image_url, detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          { type: 'file', file: { file_id: 'file_1' } },
          { type: 'file', file: { filename: 'a.pdf', file_data } },
          { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
        ],
      },
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'user', content: 'Why?' },
      { role: 'assistant', name: 'bob', content: 'Said aloud.', audio: { id: 'audio_1' } },
      { role: 'developer', content: 'Now sum.' },
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: 'So',
        reasoning_content: 'Hm',
        reasoning_details: [thought],
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'c2ln' } } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ],
    {
      ...{ stream: true, stream_options: { include_usage: true }, max_tokens: 9, n: 2, stop: ['x'], user: 'ann' },
      ...{ temperature: 0, top_p: 0, seed: 0, presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: -100 } },
      ...{ logprobs: true, top_logprobs: 2, reasoning_effort: 'high', verbosity: 'low', parallel_tool_calls: false },
      tools: [
        { type: 'function', function: { name: 'f', parameters: schema, ...about } },
        { type: 'own', own: {} },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema, ...about } },
      web_search_options: { search_context_size: 'low', own: true },
      modalities: ['text', 'audio'],
      audio: { voice: 'nova', format: 'mp3' },
      metadata: { a: 'b' },
      prediction: { type: 'content', content: 'x' },
    },
  )
  const messages = (body.messages as Json[]).map(message =>
    message.role === 'developer' ? { ...message, role: 'system' } : message,
  )
  expect(sent('openai-chat', body, 'openai-chat')).toEqual({ ...body, messages })
})

describe('between OpenAI’s two', () => {
  const both = {
    ...{ store: true, metadata: { a: 'b' }, service_tier: 'flex', safety_identifier: 'u' },
    ...{ prompt_cache_key: 'k', prompt_cache_retention: '24h' },
  }

  test('fields that mean the same go along, and those of one alone do not', () => {
    const asked = chat([user('Hi')], { ...both, prediction: { type: 'content', content: 'x' } })
    const { input: _, ...response } = sent('openai-chat', asked, 'openai-responses')
    expect(response).toEqual({ model: 'm', ...both, user: 'u' })
    const { messages: __, ...back } = sent(
      'openai-responses',
      { model: 'm', input: 'Hi', ...both, truncation: 'auto' },
      'openai-chat',
    )
    expect(back).toEqual({ model: 'm', ...both, user: 'u' })
    expect(sent('openai-chat', asked, 'anthropic')).toEqual({
      model: 'm',
      max_tokens: 8192,
      messages: [user('Hi')],
      metadata: { user_id: 'u' },
    })
  })

  test('openai-responses: store is false by default, and reasoning comes encrypted for the next call', () => {
    const told = sent('anthropic', { model: 'm', max_tokens: 99, messages: [user('Hi')] }, 'openai-responses', 'o3')
    expect(told).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  })

  test('openai-responses: consecutive texts stay apart, and full reasoning goes before its summary', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }
    const reasoning = { type: 'reasoning', content: [{ text: 'In full' }], summary: [{ text: 'Short' }] }
    const output = { type: 'function_call_output', call_id: 'a', output: 'ok' }
    const input = [user('A'), user('B'), reasoning, call, output]
    expect(sent('openai-responses', { model: 'm', input }, 'openai-chat').messages).toMatchObject([
      user('A'),
      user('B'),
      { role: 'assistant', reasoning_content: 'In full' },
      { role: 'tool' },
    ])
  })

  test('openai: text formats and verbosity pass between chat and Responses', () => {
    const formats = (format: Json) =>
      sent('openai-responses', { model: 'm', input: 'Hi', text: { format } }, 'openai-chat').response_format
    expect([formats({ type: 'text' }), formats({ type: 'json_object' })]).toEqual([
      { type: 'text' },
      { type: 'json_object' },
    ])
    const choose = (response_format: Json) =>
      sent('openai-chat', chat([user('Hi')], { response_format }), 'openai-responses').text
    expect([choose({ type: 'text' }), choose({ type: 'json_object' })]).toEqual([
      { format: { type: 'text' } },
      { format: { type: 'json_object' } },
    ])
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const choice = (tool_choice: string) =>
      sent('openai-chat', chat([user('Hi')], { tools, tool_choice }), 'openai-responses').tool_choice
    expect(['auto', 'none', 'required'].map(choice)).toEqual(['auto', 'none', 'required'])
  })

  test('a tool without a word about strictness is not strict, and has parameters', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(sent('openai-chat', chat([user('Hi')], { tools }), 'openai-responses').tools).toEqual([
      { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
    ])
  })

  test('a tool that another’s caller does not call strict is not, however closed its schema', () => {
    const tools = [{ name: 'f', input_schema: schema }]
    const body = { model: 'm', max_tokens: 9, messages: [user('Hi')], tools }
    expect(sent('anthropic', body, 'openai-responses').tools).toMatchObject([{ strict: false }])
    expect((sent('anthropic', body, 'openai-chat').tools as Json[])[0]!.function).not.toHaveProperty('strict')
  })

  test('a schema of those who do not name it has a name, and holds where it can', () => {
    const asked = (schema: Json) => ({
      model: 'm',
      ...{ max_tokens: 9, messages: [user('Hi')], output_config: { format: { type: 'json_schema', schema } } },
    })
    expect(sent('anthropic', asked(schema), 'openai-responses').text).toEqual({
      format: { type: 'json_schema', name: 'answer', schema, strict: true },
    })
    const loose = { type: 'object', properties: { x: {}, y: {} }, required: ['x'], additionalProperties: false }
    expect(sent('anthropic', asked(loose), 'openai-chat').response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: loose },
    })
  })
})

describe('a chat, as clients bend it', () => {
  const seen = (part: Json) =>
    (sent('openai-chat', chat([user([part])]), 'openai-responses').input as { content: Json[] }[])[0]!.content[0]

  test('files may be bare base64, and are called by their names', () => {
    const file = (fields: Json) => seen({ type: 'file', file: fields })
    expect(file({ file_data: 'JVBERi0=' })).toEqual({ type: 'input_file', filename: 'document.pdf', file_data })
    expect(file({ filename: 'a.txt', file_data: 'TWlsaw==' })).toEqual({ type: 'input_text', text: 'a.txt\n\nMilk' })
    expect(file({ file_id: 'file_1' })).toEqual({ type: 'input_file', file_id: 'file_1' })
  })

  test('thoughts of Mistral’s stand among the words, and a bare list of words is a list of parts', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }
    const round = [
      user('Go'),
      {
        role: 'assistant',
        content: [thinking, 'So'],
        tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }],
      },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'ok' }] },
    ]
    expect(sent('openai-chat', chat(round), 'openai-chat').messages).toMatchObject([
      user('Go'),
      {
        role: 'assistant',
        content: 'So',
        reasoning_content: 'Hm',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ])
  })

  test('openai-chat: hidden reasoning adds nothing to the visible one', () => {
    const messages = [
      user('Go'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
      },
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }]),
    ]
    expect(sent('anthropic', { model: 'm', max_tokens: 9, messages }, 'openai-chat').messages).toMatchObject([
      user('Go'),
      {
        reasoning_content: 'Hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1' },
          { type: 'reasoning.encrypted', data: 'xyz', format: 'anthropic-claude-v1' },
        ],
      },
      {},
    ])
  })
})

test('sound and pictures are asked of OpenAI’s own models as those take it', () => {
  const asked = (responseModalities: string[], model: string, stream = false) => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { responseModalities } }
    const request = chatFormats.gemini.readRequest(body, { model, stream }) as ChatRequest
    return chatFormats['openai-chat'].writeRequest(request)
  }
  expect(asked(['AUDIO'], 'gpt-4o-audio-preview')).toMatchObject({
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
  })
  expect(asked(['AUDIO'], 'gpt-4o-audio-preview', true)).toMatchObject({ audio: { format: 'pcm16' } })
  expect(asked(['TEXT', 'IMAGE'], 'gpt-4o').modalities).toBeUndefined()
  expect(asked(['TEXT', 'IMAGE'], 'qwen-image').modalities).toEqual(['text', 'image'])
})

test('openai-chat: fields with two names or shapes are read in both', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const told = (rest: Json) => sent('openai-chat', chat([user('Hi')], { tools, ...rest }), 'openai-responses')
  expect(told({ max_completion_tokens: 20, max_tokens: 30 }).max_output_tokens).toBe(20)
  expect(told({ tool_choice: { type: 'custom', custom: { name: 'f' } } }).tool_choice).toEqual({
    type: 'function',
    name: 'f',
  })
  const some = { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] }
  expect(told({ tool_choice: { type: 'allowed_tools', allowed_tools: some } }).tool_choice).toMatchObject({
    mode: 'auto',
  })
  expect(told({ web_search_options: { search_context_size: 'low' } }).tools).toContainEqual({
    type: 'web_search',
    search_context_size: 'low',
  })
  expect(sent('openai-chat', chat([user('Hi')], { logprobs: true }), 'openai-chat')).toEqual(
    chat([user('Hi')], { logprobs: true }),
  )
})
