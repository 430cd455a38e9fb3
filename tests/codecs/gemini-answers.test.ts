/** Google's answers and failures, read and written. */
import { describe, expect, test } from 'bun:test'
import { dialects } from '../../src/codecs/dialects.ts'
import type { Json } from '../../src/codecs/json.ts'
import { streamAnswer, translateAnswer } from '../../src/codecs/translate.ts'
import { eventsOf, routeOf } from './support.ts'
import { eventsOfText, unnamed } from './wire/sse.ts'

const { gemini } = dialects

describe('an answer', () => {
  const finished = (finishReason: string, parts: Json[] = []) =>
    gemini.readAnswer({ candidates: [{ content: { parts }, finishReason }] })!.choices[0]!.finish.reason

  test.each([
    ['STOP', 'stop'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
    ['OTHER', 'stop'],
    ['NO_IMAGE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['MALFORMED_FUNCTION_CALL', 'broken_call'],
    ['MALFORMED_RESPONSE', 'broken_call'],
    ['UNEXPECTED_TOOL_CALL', 'broken_call'],
    ['TOO_MANY_TOOL_CALLS', 'broken_call'],
    ['MISSING_THOUGHT_SIGNATURE', 'broken_call'],
    ['SAFETY', 'filter'],
    ['LANGUAGE', 'filter'],
    ['IMAGE_RECITATION', 'filter'],
  ] as const)('that ends with %s: %s', (word, reason) => {
    expect(finished(word)).toBe(reason)
  })

  test('that calls says so only where it is whole', () => {
    const call = [{ functionCall: { name: 'f' } }]
    expect([finished('STOP', call), finished('MAX_TOKENS', call)]).toEqual(['tool_calls', 'length'])
  })
})

describe('sources, sounds and several answers', () => {
  const url = 'https://example.com/'
  const cited = (text: string, places: Json[]) => ({
    type: 'message',
    content: [{ type: 'output_text', text, annotations: places.map(place => ({ type: 'url_citation', ...place })) }],
  })

  test('rests on pages that are listed once, by bytes of all that is said', () => {
    const output = [
      cited('四 is 4. ', [{ url, title: 'E', start_index: 0, end_index: 1 }]),
      cited('五 is 5.', [
        { url, title: 'E', start_index: 0, end_index: 8 },
        { url: `${url}5`, title: 'F', start_index: 5, end_index: 6 },
      ]),
    ]
    const answer = dialects['openai-responses'].readAnswer({ output })!
    const route = routeOf('gemini', 'openai-responses', 'text')
    const segment = (startIndex: number, endIndex: number, text: string) => ({ startIndex, endIndex, text })
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: url, title: 'E' } }, { web: { uri: `${url}5`, title: 'F' } }],
      groundingSupports: [
        { segment: segment(0, 3, '四'), groundingChunkIndices: [0] },
        { segment: segment(10, 19, '五 is 5.'), groundingChunkIndices: [0] },
        { segment: segment(17, 18, '5'), groundingChunkIndices: [1] },
      ],
    }
    expect(translateAnswer(route, answer)).toMatchObject({ candidates: [{ groundingMetadata }] })
    const last = JSON.parse(eventsOfText(streamAnswer(route, answer)).at(-1)!)
    expect(last).toMatchObject({ candidates: [{ finishReason: 'STOP', groundingMetadata, index: 0 }] })
  })

  test('of OpenAI’s that is said aloud comes as a file, a picture at an address as its address', () => {
    const message = {
      audio: { data: 'AAAA', transcript: 'Hi' },
      images: [{ image_url: { url: 'https://example.com/a.png' } }],
    }
    const answer = dialects['openai-chat'].readAnswer({ choices: [{ message, finish_reason: 'stop' }] })!
    expect(translateAnswer(routeOf('gemini', 'openai-chat', 'text'), answer)).toMatchObject({
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

  test('of several candidates keeps them apart, searches and sounds too', () => {
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

  test('is one alone, or in a list', () => {
    const body = { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }
    for (const said of [body, [body]])
      expect(read(said)).toMatchObject({ status: 503, code: 'unavailable', type: 'UNAVAILABLE', message: 'Busy' })
  })

  test('of the key is called an invalid argument', () => {
    const details = [{ '@type': 'x' }, { reason: 'API_KEY_INVALID' }]
    expect(read({ error: { code: 400, message: 'No', status: 'INVALID_ARGUMENT', details } }, 400)).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    })
  })

  test('of the prompt comes with status 200, and only where there is no answer', () => {
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
  ])('%i is called %s', (status, word) => {
    const body = gemini.writeError({ status, message: 'No', type: '', code: '', param: null })
    expect(body).toEqual({ error: { code: status, message: 'No', status: word } })
    expect(read({ error: { message: 'No', status: word } })?.status).toBe(status)
  })
})
