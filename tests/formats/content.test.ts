// @engine sqlite
/** What a target cannot be told is left out or refused, by the table; the rest is said in its own words. */
import { describe, expect, test } from 'bun:test'
import { countContentTokens, countMessageTokens } from '../../src/formats/count-tokens.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { remoteUrls, withFetchedMedia } from '../../src/formats/media/media-urls.ts'
import { translateRequest } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, pairOf, sent, user } from './support.ts'
import { picture } from './wire/sse.ts'

const pair = pairOf('openai-chat', 'gemini', 'text')
const edit = { model: 'm', stream_usage: true, system_prompt: '' }

const remote = [user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])]

describe('what cannot be said', () => {
  const everything = chat(
    [
      {
        role: 'user',
        name: 'ann',
        content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      },
    ],
    {
      ...{
        top_k: 5,
        seed: 1,
        presence_penalty: 1,
        frequency_penalty: 1,
        logit_bias: { 5: 1 },
        stop: 'x',
        logprobs: true,
      },
      ...{ verbosity: 'low', user: 'ann', store: true, temperature: 1.5 },
    },
  )

  test('losses: unsupported content is dropped, the rest stays', () => {
    expect(sent('openai-chat', everything, 'anthropic')).toEqual({
      model: 'm',
      max_tokens: 8192,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      ],
      temperature: 1,
      top_k: 5,
      stop_sequences: ['x'],
      metadata: { user_id: 'ann' },
    })
    expect(sent('openai-chat', everything, 'gemini')).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: {
        ...{ temperature: 1.5, topK: 5, seed: 1, presencePenalty: 1, frequencyPenalty: 1, stopSequences: ['x'] },
        responseLogprobs: true,
      },
    })
    expect(sent('openai-chat', everything, 'openai-responses')).toEqual({
      store: true,
      model: 'm',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      temperature: 1.5,
      include: ['message.output_text.logprobs'],
      text: { verbosity: 'low' },
      user: 'ann',
    })
  })

  const audio = [user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }])]
  const uploaded = [user([{ type: 'file', file: { file_id: 'file-1' } }])]

  test.each([
    ['audio for Anthropic', chat(audio), 'anthropic', 'format.no_audio'],
    ['two answers of Anthropic', chat([user('Hi')], { n: 2 }), 'anthropic', 'format.no_choices'],
    ['two answers in a stream of Gemini', chat([user('Hi')], { n: 2, stream: true }), 'gemini', 'format.no_choices'],
    ['a picture by URL for Gemini', chat(remote), 'gemini', 'format.no_image_url'],
    ['a file that another provider has', chat(uploaded), 'gemini', 'format.no_file_id'],
  ] as const)('losses: a request is refused where dropping changes its meaning: %s', (_, body, upstream, code) => {
    expect(sent('openai-chat', body, upstream)).toEqual({ code, param: null })
  })

  test('a conversation that OpenAI remembers is refused elsewhere', () => {
    const body = { model: 'm', input: 'And?', previous_response_id: 'resp_1' }
    for (const upstream of ['openai-chat', 'anthropic', 'gemini'] as const) {
      expect(sent('openai-responses', body, upstream)).toEqual({ code: 'format.no_stored_conversation', param: null })
    }
    expect(sent('openai-responses', body, 'openai-responses')).toMatchObject({ previous_response_id: 'resp_1' })
  })

  test('losses: file ids of Google and audio ids of OpenAI are refused elsewhere', () => {
    const cached = { contents: [{ parts: [{ text: 'And?' }] }], cachedContent: 'cachedContents/1' }
    const aloud = chat([user('Hi'), { role: 'assistant', audio: { id: 'audio_1' } }, user('And?')])
    for (const upstream of formats.filter(format => format !== 'gemini'))
      expect(sent('gemini', cached, upstream)).toEqual({ code: 'format.no_stored_conversation', param: null })
    for (const upstream of formats.filter(format => format !== 'openai-chat'))
      expect(sent('openai-chat', aloud, upstream)).toEqual({ code: 'format.no_stored_conversation', param: null })
  })
})

describe('pictures by URL', () => {
  test('image URLs are replaced by fetched data', () => {
    const request = chatFormats['openai-chat'].readRequest(chat(remote))
    if (!('messages' in request)) throw new Error('not read')
    expect(remoteUrls(request, chatFormats.anthropic)).toEqual([])
    const [url] = remoteUrls(request, chatFormats.gemini)
    expect(url).toBe('https://example.com/a.png')
    const files = new Map([[url!, { media_type: 'image/png', data: picture }]])
    expect(
      translateRequest({ ...pair, label: { ...pair.label, request: withFetchedMedia(request, files) } }, edit),
    ).toMatchObject({
      contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] }],
    })
  })
})

describe('structured output', () => {
  const schema = {
    type: 'object',
    $defs: { day: { type: 'string', format: 'date', minLength: 3 } },
    properties: {
      when: { $ref: '#/$defs/day' },
      how: { type: ['string', 'null'], default: 'x' },
      kind: { const: 'a' },
      level: { enum: [1, 2], type: 'integer' },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      parts: { type: 'array', items: { type: 'object', properties: { x: { type: 'number', exclusiveMinimum: 0 } } } },
    },
    required: ['when', 'gone'],
    additionalProperties: false,
  }
  const body = chat([user('Hi')], { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } })

  test('structured output: Gemini gets a schema without the keywords that it refuses', () => {
    const { generationConfig } = sent('openai-chat', body, 'gemini') as { generationConfig: Json }
    expect(generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseSchema: {
        type: 'object',
        properties: {
          when: { type: 'string', minLength: 3 },
          how: { type: 'string', nullable: true, default: 'x' },
          kind: { type: 'string', enum: ['a'] },
          level: { type: 'integer' },
          either: { type: 'string', nullable: true },
          parts: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } },
        },
        required: ['when'],
      },
    })
  })

  test('structured output: Anthropic gets a closed schema, older models an instruction', () => {
    expect(sent('openai-chat', body, 'anthropic', 'claude-sonnet-4-5').output_config).toMatchObject({
      format: {
        schema: { additionalProperties: false, properties: { parts: { items: { additionalProperties: false } } } },
      },
    })
    const older = sent('openai-chat', body, 'anthropic', 'claude-sonnet-4-20250514')
    expect(older.output_config).toBeUndefined()
    expect(older.system).toContain('"properties"')
    expect(
      sent('openai-chat', chat([user('Hi')], { response_format: { type: 'json_object' } }), 'anthropic').system,
    ).toContain('JSON')
  })

  test('structured output: a schema that is no object becomes an instruction for OpenAI', () => {
    const generationConfig = {
      responseMimeType: 'application/json',
      responseSchema: { type: 'ARRAY', items: { type: 'STRING' } },
    }
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig }
    const demand = /^Answer with one JSON value .*\n\{"type":"array","items":\{"type":"string"\}\}$/
    const chat = sent('gemini', body, 'openai-chat')
    expect(chat).not.toHaveProperty('response_format')
    expect((chat.messages as Json[])[0]).toEqual({ role: 'system', content: expect.stringMatching(demand) })
    const response = sent('gemini', body, 'openai-responses')
    expect(response).not.toHaveProperty('text')
    expect(response.instructions).toMatch(demand)
  })

  test('a schema that refers to itself ends somewhere', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    }
    const tool = { type: 'function', function: { name: 'f', parameters: tree } }
    expect(JSON.stringify(sent('openai-chat', chat([user('Hi')], { tools: [tool] }), 'gemini')).length).toBeLessThan(
      2000,
    )
  })
})

describe('other spellings', () => {
  test('gemini: field names in snake case are read', () => {
    const body = {
      system_instruction: { parts: { text: 'S' } },
      contents: { parts: { text: 'Hi' } },
      generation_config: { max_output_tokens: 5, stop_sequences: ['x'], thinking_config: { thinking_budget: 0 } },
      tools: [
        {
          function_declarations: [
            { name: 'f', parameters: { type: 'OBJECT', properties: { a_b: { type: 'STRING', nullable: true } } } },
          ],
        },
      ],
    }
    expect(sent('gemini', body, 'openai-chat')).toMatchObject({
      messages: [{ content: 'S' }, { content: 'Hi' }],
      max_tokens: 5,
      stop: ['x'],
      reasoning_effort: 'none',
      tools: [
        { function: { name: 'f', parameters: { type: 'object', properties: { a_b: { type: ['string', 'null'] } } } } },
      ],
    })
  })

  test('openai: legacy and bent spellings are read', () => {
    const messages = [
      user([{ type: 'image_url', image_url: 'https://e.com/a.png' }, 'and this']),
      { role: 'assistant', content: { type: 'text', text: 'Ok' } },
    ]
    expect(sent('openai-chat', chat(messages), 'anthropic').messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://e.com/a.png' } },
          { type: 'text', text: 'and this' },
        ],
      },
      { role: 'assistant', content: 'Ok' },
    ])
  })
})

describe('an estimate before the call', () => {
  test('prompt estimate: the texts of Anthropic and Gemini bodies are counted', () => {
    const messages = [user('How many tokens are these eight plain words?')]
    const { input_tokens } = countMessageTokens({ model: 'm', messages }) as { input_tokens: number }
    expect(input_tokens).toBeGreaterThan(8)
    expect(input_tokens).toBeLessThan(30)
    const contents = [{ parts: [{ text: 'How many tokens are these eight plain words?' }] }]
    // A list of parts is one object more.
    const total = { totalTokens: input_tokens + 3 }
    expect(countContentTokens({ contents }, 'm')).toEqual(total)
    expect(countContentTokens({ generateContentRequest: { contents } }, 'm')).toEqual(total)
    expect(countContentTokens({ generate_content_request: { contents } }, 'm')).toEqual(total)
    expect(countMessageTokens({ model: 'm' })).toMatchObject({ param: 'messages' })
  })
})
