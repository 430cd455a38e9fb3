// @engine sqlite
/** Responses without usage: the gateway's own count of the output depends on its text alone. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { assemble } from '../../src/formats/canonical/assemble.ts'
import { type ChatFormat, isChatUpstream, type PassedUpstream, type StreamReader } from '../../src/formats/format.ts'
import { GrowingText } from '../../src/formats/growing-text.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { openAiCompletions } from '../../src/formats/openai-completions/index.ts'
import { TranslatingStream } from '../../src/formats/translate/translating-stream.ts'
import { estimateTokens, TokenCounter } from '../../src/pure/estimate-tokens.ts'
import { EventCutter, eventsIn } from '../../src/stream/sse.ts'
import { labelFor, requestOf } from './support.ts'
import { wires } from './wire/index.ts'
import { dataOfAll, features, type Json } from './wire/sse.ts'

interface Recorded {
  name: string
  format: PassedUpstream
  /** As it is on the wire. */
  stream?: string
  body?: Json
}

const usageFields = new Set(['usage', 'usageMetadata', 'bot_usage'])

function withoutUsage<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUsage) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !usageFields.has(key))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutUsage(inner)])) as T
}

function formatOf({ type, choices, candidates, object, message, response }: Json, path: string) {
  if (/^(?:response\.|error$)/.test(String(type)) || object === 'response' || response)
    return chatFormats['openai-responses']
  if (message || /^(?:message|content_block|ping)/.test(String(type))) return chatFormats.anthropic
  if (candidates) return chatFormats.gemini
  if (!Array.isArray(choices)) return undefined
  return path.endsWith('/completions') && !path.includes('chat') ? openAiCompletions : chatFormats['openai-chat']
}

const dataOf = (event: unknown): Json | undefined => {
  const text =
    typeof event === 'string' ? event.replace(/^event:.*\n/, '').replace(/^data: /, '') : JSON.stringify(event)
  if (!text.startsWith('{')) return undefined
  const data: unknown = JSON.parse(text)
  return data as Json
}

const recorded: Recorded[] = formats.flatMap(name =>
  features.map(feature => ({
    name: `${name} ${feature}`,
    format: chatFormats[name],
    body: withoutUsage(wires[name].answers[feature]),
    stream: wires[name].streams[feature].replace(
      /^data: (\{.*\})$/gm,
      (_, data) => `data: ${JSON.stringify(withoutUsage(JSON.parse(data)))}`,
    ),
  })),
)

const folder = join(import.meta.dir, '../providers/fixtures')
for (const file of [...new Bun.Glob('*/*.json').scanSync(folder)].sort()) {
  const { asks, answers } = await Bun.file(join(folder, file)).json()
  const events: Json[] = (answers.events ?? []).flatMap((event: unknown) => dataOf(event) ?? [])
  const first = events[0] ?? answers.body
  const format = typeof first === 'object' && first !== null && formatOf(first as Json, asks.path)
  if (!format) continue
  const stream = events.map(event => `data: ${JSON.stringify(withoutUsage(event))}\n\n`).join('')
  recorded.push({ name: file, format, ...(answers.events ? { stream } : { body: withoutUsage(answers.body) }) })
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Reads a stream as the relay does, in pieces of this size. */
function reading(reader: StreamReader, stream: string, piece_bytes: number, skims = true): StreamReader {
  const cutter = new EventCutter()
  const all = bytes(stream)
  for (let from = 0; from < all.length; from += piece_bytes) {
    const events = cutter.push(Buffer.from(all.slice(from, from + piece_bytes)))
    if (!events) continue
    const skimmed = (skims && reader.skim?.(events)) || 0
    for (const event of eventsIn(events.subarray(skimmed))) {
      const data = event.match(/^data: (.*)$/m)?.[1]
      if (data !== undefined && ['end', 'error', 'broken'].includes(reader.read(data))) return reader
    }
  }
  return reader
}

const streams = recorded.filter(({ stream }) => stream)
const bodies = recorded.filter(({ body, format }) => body && format.responseFacts(body))

test('the recordings contain every chat format, whole and streamed', () => {
  for (const list of [streams, bodies])
    for (const format of [...Object.values(chatFormats), openAiCompletions])
      expect(list.filter(entry => entry.format === format).length).toBePositive()
  expect(streams.length + bodies.length).toBeGreaterThan(120)
})

describe('a stream without usage has one count', () => {
  test.each(streams.map(entry => [entry.name, entry] as const))(
    '%s: read at once or by skimming',
    (_, { format, stream }) => {
      const read = (keep_text: boolean, piece_bytes: number, skims?: boolean) =>
        reading(format.streamReader({ keep_text }), stream!, piece_bytes, skims).output_estimate
      const count = read(false, 1e6)
      for (const piece_bytes of [1e6, 7, 333]) {
        expect(read(true, piece_bytes)).toBe(count)
        expect(read(false, piece_bytes)).toBe(count)
        expect(read(false, piece_bytes, false)).toBe(count)
      }
      if (!isChatUpstream(format)) return
      const chat = format as ChatFormat
      const label = labelFor(requestOf('openai-chat', 'text'))
      for (const client of Object.values(chatFormats)) {
        if (client === chat) continue
        const translating = new TranslatingStream({ client, upstream: chat, label }, { keep_text: true })
        for (const data of dataOfAll([bytes(stream!)])) {
          if (['end', 'error', 'broken'].includes(translating.read(data))) break
        }
        expect(translating.output_estimate).toBe(count)
      }
      const reader = chat.readStream()
      const events = dataOfAll([bytes(stream!)]).flatMap(data => reader.read(data))
      if (events.some(({ kind }) => kind === 'error')) return
      const whole = chat.writeResponse({ ...assemble(events), usage: undefined }, label)
      expect(chat.responseFacts(JSON.parse(JSON.stringify(withoutUsage(whole))))!.output_estimate).toBe(count)
    },
  )
})

describe('a whole response without usage has the count of the stream made of it', () => {
  test.each(bodies.map(entry => [entry.name, entry] as const))(
    '%s: whole or made into a stream',
    (_, { format, body }) => {
      const facts = format.responseFacts(body)!
      expect(facts.usage_report).toBeUndefined()
      const stream = format.toStream?.(body!)
      if (stream) {
        const reader = reading(format.streamReader({ keep_text: true }), stream, 1e6)
        expect(reader.output_estimate).toBe(facts.output_estimate)
        expect(reader.text).toBe(facts.text)
      }
    },
  )
})

describe('a stream and a whole response of the same recording have the same count', () => {
  const pairs = streams.flatMap(entry => {
    const whole = recorded.find(({ name, body }) => body && name === entry.name.replace('-streamed', ''))
    return whole ? [[entry.name, entry, whole] as const] : []
  })
  test.each(pairs)('%s: streamed and whole', (_, { format, stream }, { format: wholeFormat, body }) => {
    const streamed = reading(format.streamReader({ keep_text: true }), stream!, 1e6)
    const whole = wholeFormat.responseFacts(body)
    if (whole?.text !== streamed.text) return
    expect(whole.output_estimate).toBe(streamed.output_estimate)
  })
})

test('a text in pieces has the tokens of the joined text, wherever it is cut', () => {
  const text =
    'The internationalization of {"a":1234567,"b":[2,3]}\n\n  Привет, 世界 👍🏽 characteristically… it’s 10.5 %'
  for (let size = 1; size < text.length; size++) {
    const counter = new TokenCounter()
    for (let from = 0; from < text.length; from += size) counter.add(text.slice(from, from + size))
    expect(counter.tokens).toBe(estimateTokens(text))
  }
})

test('a text in pieces is kept as the joined text, wherever it is cut, and estimated beyond a million bytes', () => {
  const text = 'Привет, 世界 👍🏽 '.repeat(30)
  for (const size of [1, 2, 3, 7, 63, 64, 65, 500]) {
    const grown = new GrowingText()
    for (let from = 0; from < text.length; from += size) grown.add(text.slice(from, from + size))
    expect([grown.text, grown.rest]).toEqual([text, 0])
  }
  const long = new GrowingText()
  for (let piece = 0; piece < 30_000; piece++) long.add('word '.repeat(10))
  expect(long.text.length).toBeLessThan(1_001_000)
  // The blank at the cut has a price of its own.
  expect(estimateTokens(long.text) + long.rest).toBeWithin(300_000, 300_002)
})
