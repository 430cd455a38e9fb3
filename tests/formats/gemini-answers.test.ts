// @engine sqlite
/** Google's answers and failures, read and written. */
import { describe, expect, test } from 'bun:test'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { gemini as codec } from '../../src/formats/gemini/index.ts'
import { chatFormats } from '../../src/formats/index.ts'
import { streamResponse, translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { eventsOf, labelFor, pairOf, requestOf } from './support.ts'
import { eventsOfText, unnamed } from './wire/sse.ts'

const { gemini } = chatFormats

describe('an answer', () => {
  const finished = (finishReason: string, parts: Json[] = []) =>
    gemini.readResponse({ candidates: [{ content: { parts }, finishReason }] })!.choices[0]!.finish.reason

  test.each([
    ['STOP', 'stop'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
    ['OTHER', 'stop'],
    ['NO_IMAGE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'pause'],
    ['MALFORMED_FUNCTION_CALL', 'broken_call'],
    ['MALFORMED_RESPONSE', 'broken_call'],
    ['UNEXPECTED_TOOL_CALL', 'broken_call'],
    ['TOO_MANY_TOOL_CALLS', 'broken_call'],
    ['MISSING_THOUGHT_SIGNATURE', 'broken_call'],
    ['SAFETY', 'filter'],
    ['LANGUAGE', 'filter'],
    ['IMAGE_RECITATION', 'filter'],
  ] as const)('gemini: the finish reason %s is read as %s', (word, reason) => {
    expect(finished(word)).toBe(reason)
  })

  test('gemini: a tool call sets the finish reason only when it is complete', () => {
    const call = [{ functionCall: { name: 'f' } }]
    expect([finished('STOP', call), finished('MAX_TOKENS', call)]).toEqual(['tool_calls', 'length'])
  })
})

test('an answer for who asked for a stream is the same answer, signatures and all', () => {
  const parts = [
    { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
    { text: 'So', thoughtSignature: 'dGV4dA==' },
    { inlineData: { mimeType: 'image/webp', data: 'AAAA' } },
    { executableCode: { language: 'PYTHON', code: 'print(4)' } },
    { functionCall: { id: 'c', name: 'f', args: { x: 0 } }, thoughtSignature: 'Y2FsbA==' },
  ]
  const body = { candidates: [{ content: { parts }, finishReason: 'STOP' }] }
  const { choices } = gemini.readResponse(body)!
  expect(assemble(eventsOf(gemini, codec.toStream!(body))).choices).toEqual(choices)
  const label = labelFor(requestOf('gemini', 'text'))
  expect(gemini.writeResponse({ id: '', model: 'm', choices, doubts: [] }, label)).toMatchObject(body)
})

test('gemini: an answer without content has an empty text, so that chats keep the turn', () => {
  const label = labelFor(requestOf('gemini', 'text'))
  const choices = [{ parts: [], finish: { reason: 'stop' as const } }]
  expect(gemini.writeResponse({ id: '', model: 'm', choices, doubts: [] }, label)).toMatchObject({
    candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
  })
})

describe('sources, sounds and several answers', () => {
  const url = 'https://example.com/'
  const noted = (text: string, annotations: Json[]) => ({
    type: 'message',
    content: [{ type: 'output_text', text, annotations }],
  })
  const cited = (text: string, places: Json[]) =>
    noted(
      text,
      places.map(place => ({ type: 'url_citation', ...place })),
    )

  test('gemini: grounding lists each page once, with byte offsets over the whole text', () => {
    const output = [
      cited('四 is 4. ', [{ url, title: 'E', start_index: 0, end_index: 1 }]),
      cited('五 is 5.', [
        { url, title: 'E', start_index: 0, end_index: 8 },
        { url: `${url}5`, title: 'F', start_index: 5, end_index: 6 },
      ]),
    ]
    const file = { type: 'file_citation', filename: 'a.pdf' }
    const answer = chatFormats['openai-responses'].readResponse({ output: [...output, noted('', [file])] })!
    const route = pairOf('gemini', 'openai-responses', 'text')
    const segment = (startIndex: number, endIndex: number, text: string) => ({ startIndex, endIndex, text })
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: url, title: 'E' } }, { web: { uri: `${url}5`, title: 'F' } }],
      groundingSupports: [
        { segment: segment(0, 3, '四'), groundingChunkIndices: [0] },
        { segment: segment(10, 19, '五 is 5.'), groundingChunkIndices: [0] },
        { segment: segment(17, 18, '5'), groundingChunkIndices: [1] },
      ],
    }
    expect(translateResponse(route, answer)).toMatchObject({ candidates: [{ groundingMetadata }] })
    const last = JSON.parse(eventsOfText(streamResponse(route, answer)).at(-1)!)
    expect(last).toMatchObject({ candidates: [{ finishReason: 'STOP', groundingMetadata, index: 0 }] })
  })

  test("gemini: OpenAI's audio comes as inline data, an image URL as file data", () => {
    const message = {
      audio: { data: 'AAAA', transcript: 'Hi' },
      images: [{ image_url: { url: 'https://example.com/a.png' } }],
    }
    const answer = chatFormats['openai-chat'].readResponse({ choices: [{ message, finish_reason: 'stop' }] })!
    expect(translateResponse(pairOf('gemini', 'openai-chat', 'text'), answer)).toMatchObject({
      candidates: [
        {
          content: {
            parts: [
              { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
              { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
            ],
          },
        },
      ],
    })
  })

  test('gemini: grounding offsets skip thoughts, and quotations are kept', () => {
    const parts = [{ text: 'Hmm', thought: true }, { text: '四 is 4' }]
    const recited = { citationSources: [{ uri: url, startIndex: 0, endIndex: 3 }] }
    const body = { candidates: [{ content: { parts }, finishReason: 'STOP', citationMetadata: recited }] }
    expect(gemini.readResponse(body)!.choices[0]!.parts).toMatchObject([
      { kind: 'thinking' },
      { kind: 'text', citations: [{ url, start: 0, end: 1 }] },
    ])
  })

  test('gemini: several candidates stay apart, with their searches and audio', () => {
    const piece = (index: number, parts: Json[], rest: Json = {}) => ({ index, content: { parts }, ...rest })
    const sound = (data: string) => ({ inlineData: { mimeType: 'audio/L16;rate=24000', data } })
    const stream = unnamed([
      { candidates: [piece(0, [sound('AAA=')]), piece(1, [{ text: 'B' }])] },
      {
        candidates: [
          piece(0, [sound('AAAA')], { finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['a'] } }),
          piece(1, [{ text: 'b' }], {
            finishReason: 'MAX_TOKENS',
            groundingMetadata: { webSearchQueries: ['b', 'c'] },
          }),
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
      },
      {
        candidates: [piece(1, [], { finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['b', 'c'] } })],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
      },
    ])
    const events = eventsOf(gemini, stream)
    expect(events.filter(event => event.kind === 'open')).toMatchObject([
      { choice: 0, opening: { kind: 'audio', source: { media_type: 'audio/L16;rate=24000' } } },
      { choice: 1, opening: { kind: 'text' } },
    ])
    expect(events.filter(event => event.kind === 'finish')).toMatchObject([
      { choice: 0, finish: { reason: 'stop' } },
      { choice: 1, finish: { reason: 'length' } },
    ])
    expect(events.findLast(event => event.kind === 'usage')).toMatchObject({ usage: { tools: { google_search: 3 } } })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })
})

describe('a failure', () => {
  const read = (body: unknown, status = 0) => gemini.readError(body, status)

  test('gemini: an error is read alone or in a list', () => {
    const body = { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }
    for (const said of [body, [body]])
      expect(read(said)).toMatchObject({ status: 503, code: 'unavailable', type: 'UNAVAILABLE', message: 'Busy' })
  })

  test('gemini: an error without a known status word is classified by its code', () => {
    expect(read({ error: { code: 429, message: 'No', status: 'TOO_EAGER' } })?.status).toBe(429)
  })

  test('gemini: a wrong API key comes as INVALID_ARGUMENT and is read as 401', () => {
    const details = [{ '@type': 'x' }, { reason: 'API_KEY_INVALID' }]
    expect(read({ error: { code: 400, message: 'No', status: 'INVALID_ARGUMENT', details } }, 400)).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    })
  })

  test('gemini: a blocked prompt is an error with status 200 when no candidate came', () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' } }
    expect(read(blocked, 200)).toMatchObject({ status: 400, code: 'content_filter' })
    expect(read({ ...blocked, candidates: [{}] }, 200)).toBeUndefined()
    expect(read({ usageMetadata: {}, message: 'x' }, 200)).toBeUndefined()
  })

  test.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('gemini: status %i is written as %s', (status, word) => {
    const body = gemini.writeError({ status, message: 'No', type: '', code: '', param: null })
    expect(body).toEqual({ error: { code: status, message: 'No', status: word } })
    expect(read({ error: { message: 'No', status: word } })?.status).toBe(status)
  })
})
