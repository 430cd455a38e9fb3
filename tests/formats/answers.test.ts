// @engine sqlite
/** What answers hold beside words and calls: sources, pictures, sound, probabilities, refusals. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import type { ClientFormatName, ResponsePart } from '../../src/formats/canonical/chat.ts'
import { replay } from '../../src/formats/canonical/replay.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { eventsOf, pairOf, wired } from './support.ts'
import { picture } from './wire/sse.ts'

/** What a caller reads of an upstream's answer: the same whole and streamed. */
function read(
  body: unknown,
  upstream: ClientFormatName,
  caller: ClientFormatName,
): { parts: ResponsePart[]; logprobs?: unknown; reason: string } {
  const answer = chatFormats[upstream].readResponse(body)!
  const route = pairOf(caller, upstream, 'text')
  const whole = chatFormats[caller].readResponse(wired(translateResponse(route, answer)))!.choices[0]!
  const streamed = assemble(eventsOf(chatFormats[caller], streamResponse(route, answer))).choices[0]!
  expect(streamed).toEqual(whole)
  return { parts: whole.parts, reason: whole.finish.reason, ...(whole.logprobs && { logprobs: whole.logprobs }) }
}

const message = (message: Json, rest: Json = {}) => ({
  choices: [{ index: 0, message, finish_reason: 'stop', ...rest }],
})

describe('sources on the web', () => {
  const url = 'https://example.com/'
  const cited = { url, title: 'Example', start: 0, end: 6 }

  const said: Partial<Record<ClientFormatName, unknown>> = {
    'openai-chat': message({
      content: '四 is 4',
      annotations: [{ type: 'url_citation', url_citation: { url, title: 'Example', start_index: 0, end_index: 6 } }],
    }),
    'openai-responses': {
      output: [
        {
          type: 'message',
          content: [
            {
              type: 'output_text',
              text: '四 is 4',
              annotations: [{ type: 'url_citation', url, title: 'Example', start_index: 0, end_index: 6 }],
            },
          ],
        },
      ],
    },
    gemini: {
      candidates: [
        {
          content: { parts: [{ text: '四 is 4' }] },
          finishReason: 'STOP',
          groundingMetadata: {
            groundingChunks: [{ web: { uri: url, title: 'Example' } }],
            groundingSupports: [{ segment: { endIndex: 8, text: '四 is 4' }, groundingChunkIndices: [0] }],
            webSearchQueries: ['four'],
          },
        },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    },
  }

  test.each(Object.keys(said) as ClientFormatName[])(
    'web sources of %s reach the clients of every format',
    upstream => {
      for (const caller of ['openai-chat', 'openai-responses', 'gemini'] as const) {
        expect(read(said[upstream], upstream, caller).parts).toMatchObject([{ text: '四 is 4', citations: [cited] }])
      }
      expect(read(said[upstream], upstream, 'anthropic').parts).toMatchObject([
        { citations: [{ url, title: 'Example' }] },
      ])
    },
  )

  test('web sources of Anthropic stay with their own block', () => {
    const citation = {
      type: 'web_search_result_location',
      url,
      title: 'Example',
      cited_text: 'Four',
      encrypted_index: 'e',
    }
    const content = [
      { type: 'text', text: 'So ' },
      { type: 'text', text: 'four', citations: [citation] },
    ]
    const body = { content, stop_reason: 'end_turn' }
    expect(read(body, 'anthropic', 'openai-chat').parts).toEqual([
      { kind: 'text', text: 'So four', citations: [{ url, title: 'Example', start: 3, end: 7 }] },
    ])
    expect(read(body, 'anthropic', 'anthropic').parts).toMatchObject([
      {},
      { citations: [{ native: { value: citation } }] },
    ])
  })

  test("citations keep map places, documents and Gemini's quotations", () => {
    const recited = { citations: [{ startIndex: 0, endIndex: 3, uri: url, title: 'Example' }] }
    const chunks = [{ maps: { uri: url, title: 'M' } }, { retrievedContext: { uri: url, title: 'D' } }]
    const answer = (rest: Json) => ({
      candidates: [{ content: { parts: [{ text: '四 is 4' }] }, finishReason: 'STOP', ...rest }],
    })
    expect(read(answer({ citationMetadata: recited }), 'gemini', 'openai-chat').parts).toMatchObject([
      { citations: [{ url, title: 'Example', start: 0, end: 1 }] },
    ])
    expect(
      read(answer({ groundingMetadata: { groundingChunks: chunks } }), 'gemini', 'openai-chat').parts,
    ).toMatchObject([{ citations: [{ title: 'M' }, { title: 'D' }] }])
  })

  test('gemini: searches are counted as tool calls', () => {
    expect(chatFormats.gemini.readResponse(said.gemini)!.usage!.tools).toEqual({ google_search: 1 })
  })
})

describe('pictures', () => {
  const source = { via: 'base64', media_type: 'image/png', data: picture } as const
  const url = `data:image/png;base64,${picture}`

  test.each([
    ['openai-chat', message({ content: 'See', images: [{ type: 'image_url', image_url: { url } }] })],
    [
      'openai-responses',
      {
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'See' }] },
          { type: 'image_generation_call', result: picture },
        ],
      },
    ],
    [
      'gemini',
      {
        candidates: [
          {
            content: { parts: [{ text: 'See' }, { inlineData: { mimeType: 'image/png', data: picture } }] },
            finishReason: 'STOP',
          },
        ],
      },
    ],
  ] as const)('images of %s reach the clients whose format has images', (upstream, body) => {
    for (const caller of ['openai-chat', 'openai-responses', 'gemini'] as const) {
      expect(read(body, upstream, caller).parts).toMatchObject([{ text: 'See' }, { kind: 'image', source }])
    }
    expect(read(body, upstream, 'anthropic').parts).toEqual([{ kind: 'text', text: 'See' }])
  })
})

test('logprobs pass between the formats that have them', () => {
  const content = [{ token: 'A', logprob: -0.1, bytes: [65], top_logprobs: [{ token: 'B', logprob: -2, bytes: [66] }] }]
  const body = message({ content: 'A' }, { logprobs: { content } })
  const expected = [{ token: 'A', logprob: -0.1, alternatives: [{ token: 'B', logprob: -2 }] }]
  for (const caller of ['openai-chat', 'openai-responses', 'gemini'] as const) {
    expect(read(body, 'openai-chat', caller).logprobs).toMatchObject(expected)
  }
  expect(read(body, 'openai-chat', 'anthropic')).not.toHaveProperty('logprobs')
})

test('a refusal is a refusal in every format', () => {
  const body = message({ content: null, refusal: 'No.' })
  expect(read(body, 'openai-chat', 'openai-responses')).toEqual({
    parts: [{ kind: 'refusal', text: 'No.' }],
    reason: 'stop',
  })
  expect(read(body, 'openai-chat', 'anthropic')).toEqual({ parts: [{ kind: 'text', text: 'No.' }], reason: 'refusal' })
  expect(read(body, 'openai-chat', 'gemini')).toEqual({ parts: [{ kind: 'text', text: 'No.' }], reason: 'filter' })
})

test('gemini: code execution becomes text in formats without it', () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: 'print(4)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4\n' } },
    { text: 'Four' },
  ]
  const body = { candidates: [{ content: { parts }, finishReason: 'STOP' }] }
  const { parts: told } = read(body, 'gemini', 'openai-chat')
  expect(told).toMatchObject([{ text: '\n```python\nprint(4)\n```\n\n```output\n4\n```\nFour' }])
  const [first] = read(body, 'gemini', 'gemini').parts
  expect(first).toMatchObject({ kind: 'native', value: parts[0] })
})

test('a whole answer, replayed as a stream, is the same answer', () => {
  const body = {
    content: [
      { type: 'text', text: 'A' },
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 2 },
  }
  const answer = chatFormats.anthropic.readResponse(body)!
  expect(assemble(replay(answer))).toEqual(answer)
})

test('a finish reason named like an object property is unknown', () => {
  for (const word of ['constructor', 'toString']) {
    expect(read(message({ content: 'Hi' }, { finish_reason: word }), 'openai-chat', 'anthropic').reason).toBe('stop')
    const said = { content: [{ type: 'text', text: 'Hi' }], stop_reason: word }
    expect(read(said, 'anthropic', 'openai-chat').reason).toBe('stop')
    const candidates = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: word }]
    expect(read({ candidates }, 'gemini', 'openai-chat').reason).toBe('filter')
  }
})
