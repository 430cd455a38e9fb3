/** Each end, usage and kind of content of a response alone, as every client gets it, whole and streamed. */
import { type ChatResponse, finishReasons, type ResponsePart, usageOf } from '../../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { streamResponse, translateResponse } from '../../../src/formats/translate/translate.ts'
import { labelFor, requestOf } from '../support.ts'
import { difference, shortened } from './variations.ts'

const text = { kind: 'text', text: 'Fo END ur' } as const
const call = { kind: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"a":1}' } as const
const base: ChatResponse = {
  id: 'up_1',
  model: 'm',
  created: 5,
  doubts: [],
  choices: [{ parts: [text], finish: { reason: 'stop' } }],
}
const of = (parts: ResponsePart[], more: object = {}): ChatResponse => ({
  ...base,
  choices: [{ parts, finish: { reason: 'stop' }, ...more }],
})

const counts = [
  'input',
  'output',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'input_audio',
  'input_image',
  'output_audio',
  'output_image',
  'reasoning',
  'calls',
] as const
const owners = ['openai', 'anthropic', 'gemini', 'bedrock'] as const
const cited = (more: object) => ({ ...text, citations: [{ url: 'https://example.com', title: 'T', ...more }] })

const responses: Record<string, ChatResponse> = {
  ...Object.fromEntries(
    finishReasons.flatMap(reason => [
      [`end ${reason}`, of([text], { finish: { reason } })],
      [`end ${reason} refused`, of([text, { kind: 'refusal', text: 'No.' }], { finish: { reason } })],
      [`end ${reason} called`, of([call], { finish: { reason } })],
    ]),
  ),
  ...Object.fromEntries(
    formats.map(format => [
      `end in the words of ${format}`,
      of([text], { finish: { reason: 'stop', native: { format, value: 'OWN' } } }),
    ]),
  ),
  'end at a sequence': of([text], { finish: { reason: 'stop_sequence', sequence: 'END' } }),
  ...Object.fromEntries(
    counts.map(name => [
      `usage ${name}`,
      { ...base, usage: usageOf({ [name]: 7, ...(name === 'reasoning' && { output: 9 }) }) },
    ]),
  ),
  'usage of tools': {
    ...base,
    usage: usageOf({ input: 1, output: 1, tools: { web_search: 2, google_search: 3, web_fetch: 4 } }),
  },
  ...Object.fromEntries(
    owners.flatMap(owner => [
      [`thought of ${owner}`, of([{ kind: 'thinking', text: 'Hm', signature: { owner, value: 'c2ln' } }, text])],
      [`silent thought of ${owner}`, of([{ kind: 'thinking', text: '', signature: { owner, value: 'c2ln' } }, text])],
      [
        `redacted thought of ${owner}`,
        of([{ kind: 'thinking', text: '', signature: { owner, value: 'c2ln', redacted: true } }, text]),
      ],
      [`signed text of ${owner}`, of([{ ...text, signature: { owner, value: 'c2ln' } }])],
      [`signed call of ${owner}`, of([{ ...call, signature: { owner, value: 'c2ln' } }])],
    ]),
  ),
  'two thoughts': of([{ kind: 'thinking', text: 'A', id: 'rs_1' }, { kind: 'thinking', text: 'B' }, text]),
  nothing: of([]),
  'several texts': of([text, { kind: 'text', text: 'é四' }, text]),
  'calls between texts': of([text, call, { ...call, id: '', arguments: '' }, text]),
  'one id twice': of([call, call]),
  'a refusal': of([{ kind: 'refusal', text: 'No.' }]),
  'a picture': of([{ kind: 'image', source: { via: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }]),
  'a picture elsewhere': of([{ kind: 'image', source: { via: 'url', url: 'https://example.com/a.png' } }]),
  'a voice': of([
    { kind: 'audio', source: { via: 'base64', media_type: 'audio/wav', data: 'UklG' }, transcript: 'said' },
  ]),
  'raw sound': of([{ kind: 'audio', source: { via: 'base64', media_type: 'audio/L16;rate=24000', data: 'AAAA' } }]),
  'a page': of([cited({})]),
  'a passage': of([{ kind: 'text', text: 'é四' }, cited({ start: 1, end: 3, quote: 'Q' })]),
  'a source without address': of([{ ...text, citations: [{ title: 'T' }] }]),
  ...Object.fromEntries(
    formats.map(format => [
      `content of ${format} alone`,
      of([{ kind: 'native', format, value: { type: 'own', a: 1 }, text: 'shown' }, text]),
    ]),
  ),
  'two choices': { ...base, choices: [...base.choices, { parts: [call], finish: { reason: 'length' } }] },
  logprobs: of([text], {
    logprobs: [{ token: 'A', logprob: -0.5, bytes: [65], alternatives: [{ token: 'B', logprob: -1 }] }],
  }),
  'no id': { ...base, id: '', model: '', created: undefined, conversation: 'conv_1' },
}

const linesFor = (client: (typeof formats)[number]): string[] =>
  formats
    .filter(name => name !== client)
    .flatMap(name => {
      const upstream = chatFormats[name]
      const label = labelFor(requestOf(client, 'stop'))
      const pair = { client: chatFormats[client], upstream, label }
      const plain = translateResponse(pair, base)
      const [first, ...others] = Object.entries(responses)
      const streamed = (response: ChatResponse) => shortened(JSON.stringify(streamResponse(pair, response)), 500)
      return [
        `${name} ${first![0]}: ${JSON.stringify(plain)}`,
        ...others.map(
          ([title, response]) =>
            `${name} ${title}: ${difference(plain, translateResponse(pair, response), 400) || '='}`,
        ),
        // The events of a response do not depend on where it comes from.
        ...(name === formats.find(other => other !== client) ? Object.entries(responses) : []).map(
          ([title, response]) => `${name} ${title} streamed: ${streamed(response)}`,
        ),
      ]
    })

/** By the names of their files. */
export const finishLists: Record<string, () => string[]> = Object.fromEntries(
  formats.map(client => [`${client} endings`, () => linesFor(client)]),
)
