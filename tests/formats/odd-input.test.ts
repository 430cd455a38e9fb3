// @engine sqlite
/** Malformed fields in requests, responses and streams: readers return a value or an error, and a Flaw names its path. */
import { describe, expect, test } from 'bun:test'
import { anthropic } from '../../src/formats/anthropic/index.ts'
import { unreadable } from '../../src/formats/canonical/api-error.ts'
import type { ApiError, ClientFormatName, Usage } from '../../src/formats/canonical/chat.ts'
import type { ClientFormat, PassedUpstream } from '../../src/formats/format.ts'
import { gemini } from '../../src/formats/gemini/index.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { isFlaw, isObject } from '../../src/formats/json/checks.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { openAiResponses } from '../../src/formats/openai-responses/index.ts'
import type { ModelSettings } from '../../src/formats/translate/model-settings.ts'
import { meter } from '../../src/formats/translate/tally.ts'
import { translateRequest, translateResponse } from '../../src/formats/translate/translate.ts'
import type { Json } from '../../src/pure/json.ts'
import { withCounts } from '../../src/relay/charging/with-counts.ts'
import { seededRandom } from '../support/random.ts'
import { casesInTier } from '../support/tier.ts'
import { pairOf, streamOf } from './support.ts'
import { wires } from './wire/index.ts'
import { eventsOfText, features } from './wire/sse.ts'

const odd = [null, 0, -1, 1.5, '', 'x', true, [], {}, [null], { type: 'x' }, [[]], 'data:,', Number.MAX_VALUE]

/** A text that is JSON all through, as a request or a response goes over the wire. */
const wired = (value: unknown): Json => JSON.parse(JSON.stringify(value))

const isNoCount = (value: unknown) => !(Number.isFinite(value) && Number(value) >= 0)

/** What is wrong with the counts of a usage: none is negative, none is no number. */
function badCounts({ tools = {}, ...buckets }: Partial<Usage> = {}) {
  return Object.entries({ ...buckets, ...tools }).filter(([, count]) => isNoCount(count))
}

const isError = ({ status, message, type }: ApiError) =>
  status >= 400 && status < 600 && [message, type].every(text => typeof text === 'string')

/** Every place in a value, as a way to replace what is there. */
function places(value: unknown, replace: (other: unknown) => unknown): ((other: unknown) => unknown)[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, at) => places(item, other => replace(value.with(at, other))))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) => places(item, other => replace({ ...value, [key]: other })))
      : []
  return [replace, ...inner]
}

const mutations = (value: unknown): unknown[] =>
  places(value, other => other)
    .slice(1)
    .flatMap((replace, turn) => casesInTier([...odd, undefined], turn, 4).map(replace))

const thinking = { enabled: true, share: 0.8 }
const settings: ModelSettings = {
  requested_model: 'm',
  requested_output: undefined,
  claude: { thinking, max_tokens: {}, headers: {} },
  gemini: { thinking, budgeted: [], safety: { default: 'OFF' }, versions: {}, imagining: ['m'] },
}

const codecs: Record<ClientFormatName, ClientFormat & PassedUpstream> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
}

const edit = { model: 'm', stream_usage: true, system_prompt: 'Hi' }

describe.each([...formats])('%s', format => {
  const dialect = chatFormats[format]

  test.each([...features])(
    'a request of %s is a ChatRequest or a Flaw with a code, whatever a field holds',
    feature => {
      const routes = formats.map(upstream => pairOf(format, upstream, feature))
      for (const body of mutations(wires[format].requests[feature]) as Json[]) {
        const request = dialect.readRequest(body, wires[format].asked)
        if (!('messages' in request)) {
          expect(request).toEqual({ ...request, code: expect.any(String), param: expect.any(String) })
          continue
        }
        for (const pair of routes) {
          const sent = translateRequest({ ...pair, label: { ...pair.label, request } }, edit)
          if (isFlaw(sent)) expect(sent.code).toBeString()
          else expect(isObject(wired(sent))).toBeTrue()
        }
      }
    },
  )

  test.each([...features])(
    'a request of %s is forwarded to an upstream of its format, whatever a field holds',
    feature => {
      const codec = codecs[format]
      let forwarded = 0
      for (const body of mutations(wires[format].requests[feature]) as Json[]) {
        for (const model of ['m', 'm-thinking', 'o3-high']) {
          const asked = { ...body, model }
          if (isFlaw(codec.readFacts(asked))) continue
          codec.promptText(asked)
          codec.applyModelSettings?.({ model, body: codec.forward(asked, edit) }, settings)
          forwarded++
        }
      }
      expect(forwarded).toBePositive()
    },
  )
})

describe.each([...formats])('%s', format => {
  const dialect = chatFormats[format]

  test.each([...features])(
    'a response of %s is an error, a ChatResponse or neither, whatever a field holds',
    feature => {
      const routes = formats.map(caller => pairOf(caller, format, feature))
      for (const body of mutations(wires[format].answers[feature])) {
        const error = dialect.readError(body, 200)
        if (error) expect([error, isError(error)]).toEqual([error, true])
        const response = dialect.readResponse(body)
        if (!response) continue
        expect(response.choices).toBeArray()
        expect(badCounts(response.usage)).toEqual([])
        for (const pair of routes) {
          const read = chatFormats[pair.client.name].readResponse(wired(translateResponse(pair, response)))
          expect(read?.choices).toBeArray()
          expect(badCounts(read?.usage)).toEqual([])
        }
      }
    },
  )

  test.each([...features])('a response of %s becomes a stream, whatever a field holds', feature => {
    const codec = codecs[format]
    for (const body of mutations(wires[format].answers[feature])) {
      if (codec.responseFacts(body)) expect(codec.toStream!(body as Json)).toBeString()
    }
  })

  test.each([...features])(
    'a stream of %s in any order, with anything in a field, stays readable for every client',
    feature => {
      const events = eventsOfText(wires[format].streams[feature])
      const random = seededRandom(7)
      for (let round = 0; round < 60; round++) {
        const caller = formats[round % formats.length]!
        const stream = streamOf(caller, format, feature)
        for (const _ of events) {
          const data = events[random(events.length)]!
          const changed = data === '[DONE]' ? [data] : mutations(JSON.parse(data))
          const event = round % 3 ? changed[random(changed.length)] : data
          stream.read(typeof event === 'string' ? event : (JSON.stringify(event) ?? ''))
        }
        expect(isNoCount(stream.output_estimate)).toBeFalse()
        const metered = withCounts(meter(stream), { prompt: 1, output: stream.output_estimate })
        expect(badCounts(metered.usage)).toEqual([])
        const sent = stream.takeRewritten() + stream.end(metered)
        const reader = chatFormats[caller].readStream()
        const read = eventsOfText(sent).flatMap(data => reader.read(data))
        const errors = read.flatMap(event => (event.kind === 'error' ? [event.failure] : []))
        expect(errors.filter(error => error === unreadable || !isError(error))).toEqual([])
      }
    },
  )

  test('a body or an event that is no object is unreadable', () => {
    for (const data of ['', 'x', '{', '[]', 'null', '"x"', '1'])
      expect(dialect.readStream().read(data)).toEqual([{ kind: 'error', failure: unreadable }])
    for (const body of [undefined, null, 'x', 1, [], {}]) {
      expect(dialect.readResponse(body)).toBeUndefined()
      expect(dialect.readError(body, 500)).toBeUndefined()
    }
  })
})

describe('a flaw names the path of the field', () => {
  test.each([
    ['openai-chat', { messages: [] }, 'format.missing', 'model'],
    ['openai-chat', { model: 'm' }, 'format.missing', 'messages'],
    ['openai-chat', { model: 'm', messages: [{ role: 'x' }] }, 'format.not_one_of', 'messages[0].role'],
    [
      'openai-chat',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
      'format.unknown_kind',
      'messages[0].content[0].type',
    ],
    ['openai-responses', { model: 'm', input: [{ type: 'nothing' }] }, 'format.unknown_kind', 'input[0].type'],
    ['anthropic', { model: 'm', messages: [] }, 'format.missing', 'max_tokens'],
    [
      'anthropic',
      {
        model: 'm',
        max_tokens: 1,
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64' } }] }],
      },
      'format.missing',
      'messages[0].content[0].source.media_type',
    ],
    ['gemini', { contents: [{ parts: [{ sound: 'x' }] }] }, 'format.missing', 'contents[0].parts[0].text'],
    ['gemini', { contents: [], tools: 1 }, 'format.not_object', 'tools'],
    ['openai-chat', { model: 'm', messages: [], max_tokens: -1 }, 'relay.field_outside', 'max_tokens'],
    ['openai-chat', { model: 'm', messages: [], n: 1e9 }, 'relay.field_outside', 'n'],
    ['anthropic', { model: 'm', messages: [], max_tokens: 2 ** 40 }, 'relay.field_outside', 'max_tokens'],
    ['openai-responses', { model: 'x'.repeat(300), input: '' }, 'relay.field_wrong', 'model'],
    [
      'gemini',
      { contents: [], generationConfig: { candidateCount: 0 } },
      'relay.field_outside',
      'generationConfig.candidateCount',
    ],
  ] as const)('%s refuses %j with its code', (format, body, code, param) => {
    expect(chatFormats[format].readRequest(body as Json, { model: 'm' })).toMatchObject({ code, param })
  })
})
