/** What the code makes of the bodies, a line each: of every body all of it, and of each of its fields what that decides. */
import { assemble } from '../../../src/formats/canonical/assemble.ts'
import type { ClientFormatName, FormatName } from '../../../src/formats/canonical/chat.ts'
import type { ChatFormat, TranslatedUpstream } from '../../../src/formats/format.ts'
import { chatFormats, formats } from '../../../src/formats/index.ts'
import { type Flaw, isFlaw } from '../../../src/formats/json/checks.ts'
import { streamResponse, translateRequest, translateResponse } from '../../../src/formats/translate/translate.ts'
import type { Json } from '../../../src/pure/json.ts'
import { labelFor, requestOf, wired } from '../support.ts'
import { upstreamWires } from '../wire/upstreams.ts'
import { anthropicBodies } from './anthropic.ts'
import type { ExactBodies } from './bodies.ts'
import { geminiBodies } from './gemini.ts'
import { openAiChatBodies } from './openai-chat.ts'
import { openAiResponsesBodies } from './openai-responses.ts'
import { upstreamOnlyBodies } from './upstream-only.ts'
import { agentBodies } from './upstream-only-agents.ts'
import { moreUpstreamOnlyBodies } from './upstream-only-more.ts'
import { difference, variationsOf } from './variations.ts'

export const clientBodies: Record<ClientFormatName, ExactBodies> = {
  'openai-chat': openAiChatBodies,
  'openai-responses': openAiResponsesBodies,
  anthropic: anthropicBodies,
  gemini: geminiBodies,
}
export const allBodies = {
  ...clientBodies,
  ...upstreamOnlyBodies,
  ...agentBodies,
  ...moreUpstreamOnlyBodies,
} as Record<FormatName, Omit<ExactBodies, 'requests'>>

export const upstreams: TranslatedUpstream[] = [
  ...formats.map(name => chatFormats[name]),
  ...upstreamWires.map(({ format }) => format),
]
const upstreamNames = upstreams.map(({ name }) => name)
const upstreamOf = (name: FormatName) => upstreams.find(format => format.name === name)!

/**
 * @param read what is exact about a body
 * @param with_odd whether fields are also of a kind that they should not have
 */
export function* linesOf(
  name: string,
  body: unknown,
  read: (body: unknown) => unknown,
  with_odd = false,
): Generator<string> {
  const whole = read(body)
  yield `${name}: ${exact(whole)}`
  for (const varied of variationsOf(body, with_odd)) {
    const is = read(varied.body)
    const change = isRefused(is) ? exact(is) : difference(wired({ is: whole }).is, wired({ is }).is)
    // Fields without effect have no line: with one, the lists differ.
    if (change && change !== exact(whole)) yield `${name}${varied.name}: ${change}`
  }
}

const isRefused = (value: unknown): value is Flaw => typeof value === 'object' && value !== null && isFlaw(value)
const exact = (value: unknown) =>
  isRefused(value) ? `refused ${value.code} ${value.param}` : `${JSON.stringify(value)}`

export const each = function* <T>(named: Record<string, T>, lines: (name: string, body: T) => Iterable<string>) {
  for (const [name, body] of Object.entries(named)) yield* lines(name, body)
}

/** Bodies of requests as the gateway reads them, and what it refuses. */
const requestLines = (name: ClientFormatName): string[] => {
  const { requests, asked } = clientBodies[name]
  const read = (body: unknown) => chatFormats[name].readRequest(body as Record<string, unknown>, asked)
  return [...each(requests, (title, body) => linesOf(title, body, read, true))]
}

/** Responses as they are read. */
const responseLines = (name: FormatName): string[] => {
  const format = upstreamOf(name)
  const read = (body: unknown) => {
    const response = format.readResponse(body)
    return response && { ...response, choices: response.choices }
  }
  return [...each(allBodies[name].responses, (title, body) => linesOf(title, body, read, true))]
}

/** Events of streams as they are read, and what a whole response has of them. */
const streamLines = (name: FormatName): string[] => {
  const format = upstreamOf(name)
  const eventsIn = (body: unknown) => {
    const reader = format.readStream()
    const data = (body as unknown[]).map(event => (typeof event === 'string' ? event : JSON.stringify(event)))
    return [...data.flatMap(event => reader.read(event)), ...reader.end()]
  }
  const read = (body: unknown) => {
    const events = eventsIn(body)
    const { length } = events
    const failure = events.find(event => event.kind === 'error')
    return {
      length,
      last: events.at(-1),
      failure,
      whole: events.some(({ kind }) => kind === 'end') && assemble(events),
    }
  }
  return [
    ...each(allBodies[name].streams, function* (title, body) {
      yield* eventsIn(body).map((event, at) => `${title} event ${at}: ${JSON.stringify(event)}`)
      yield* linesOf(title, body, read)
    }),
  ]
}

/** Errors as they are read; each client's own also as the others say them. */
const errorLines = (name: FormatName): string[] =>
  allBodies[name].errors.map(([status, body]) => {
    const error = upstreamOf(name).readError(body, status)
    const written = error && name in clientBodies ? formats.map(client => chatFormats[client].writeError(error)) : []
    return `${status} ${JSON.stringify(body)}: ${[error ?? 'none', ...written].map(value => JSON.stringify(value)).join(' ')}`
  })

/** Requests of one client's format as each upstream gets them; of those that every format carries, each field. */
function writtenRequestLines(name: ClientFormatName): string[] {
  const { requests, asked } = clientBodies[name]
  return [
    ...each(requests, function* (title, body) {
      for (const upstream of upstreams) {
        const written = (body: unknown) => writtenRequest(chatFormats[name], body as Json, upstream, asked)
        const into = `${title} to ${upstream.name}`
        if (title.startsWith('portable')) yield* linesOf(into, body, written)
        else yield `${into}: ${exact(written(body))}`
      }
    }),
  ]
}

function writtenRequest(client: ChatFormat, body: Json, upstream: TranslatedUpstream, asked?: ExactBodies['asked']) {
  const request = client.readRequest(body, asked)
  if (isFlaw(request)) return request
  const pair = { client, upstream, label: labelFor(request) }
  return translateRequest(pair, { model: models[upstream.name] ?? 'm', stream_usage: true, system_prompt: '' })
}

/** Models that take most of what a format has. */
const models: Partial<Record<FormatName, string>> = {
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro-preview',
  bedrock: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  cohere: 'command-a-reasoning-08-2025',
  ali: 'qwen3-max',
}

/** Responses of one client's format as the others get them, whole and streamed. */
const writtenResponseLines = (name: ClientFormatName): string[] => [
  ...each(allBodies[name].responses, function* (title, body) {
    const upstream = chatFormats[name]
    for (const client of formats) {
      const pair = { client: chatFormats[client], upstream, label: labelFor(requestOf(client, 'tools')) }
      const response = upstream.readResponse(body)!
      yield `${title} to ${client}: ${JSON.stringify(translateResponse(pair, response))}`
      yield `${title} streamed to ${client}: ${JSON.stringify(streamResponse(pair, response))}`
    }
  }),
]

/** By the names of their files. */
export const chatLists: Record<string, () => string[]> = Object.fromEntries([
  ...formats.flatMap(name => [
    [`${name} requests`, () => requestLines(name)] as const,
    [`${name} requests elsewhere`, () => writtenRequestLines(name)] as const,
    [`${name} responses elsewhere`, () => writtenResponseLines(name)] as const,
  ]),
  ...upstreamNames.map(name => {
    const read = () => [...responseLines(name), ...streamLines(name), ...errorLines(name)]
    return [`${name} responses`, read] as const
  }),
])
