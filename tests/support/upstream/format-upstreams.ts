/** Upstreams of the four formats, as strict as their owners: what they do not know they refuse, and note. */
import { afterAll } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { anthropicCallsFlaw } from '../../formats/rules/anthropic.ts'
import { openAiOrderFlaw } from '../../formats/rules/openai-chat.ts'
import { openAiResponsesFlaw } from '../../formats/rules/openai-responses.ts'
import { wires } from '../../formats/wire/index.ts'
import type { Feature, Json } from '../../formats/wire/sse.ts'
import { listen, type Received, type ScriptedAnswer } from './http-server.ts'
import { channelTo } from './served-channel.ts'

export interface ReceivedRequest {
  target: string
  headers: Record<string, string>
  body: Json
}

export interface FormatUpstream {
  url: string
  /** What it answers from now on. */
  plays(row: Feature | 'error'): void
  /** Answers so, once. */
  scripts(script: (answer: ScriptedAnswer) => Promise<void>): void
  asked: ReceivedRequest[]
  violations: string[]
}

interface Rules {
  path: RegExp
  headers: Record<string, string>
  known: string[]
  violation(body: Json): string | undefined
  streams(asked: ReceivedRequest): boolean
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const inBody = ({ body }: ReceivedRequest) => body.stream === true

const rules: Record<ClientFormatName, Rules> = {
  'openai-chat': {
    path: /^\/v1\/chat\/completions$/,
    headers: { authorization: 'Bearer sk-upstream' },
    known: [
      ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'temperature'],
      ...['top_p', 'stop', 'tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'reasoning_effort'],
      ...['user', 'n', 'seed', 'metadata', 'store', 'logprobs', 'unknown_field'],
    ],
    violation: body => {
      if (body.stream && !(body.stream_options as Json | undefined)?.include_usage) return 'no usage asked for'
      if (!body.stream && body.stream_options) return 'stream_options without a stream'
      return openAiOrderFlaw(list(body.messages))
    },
    streams: inBody,
  },
  'openai-responses': {
    path: /^\/v1\/responses$/,
    headers: { authorization: 'Bearer sk-upstream' },
    known: [
      ...['model', 'input', 'instructions', 'stream', 'max_output_tokens', 'temperature', 'top_p', 'text', 'store'],
      ...['tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'user', 'include', 'unknown_field'],
    ],
    violation: openAiResponsesFlaw,
    streams: inBody,
  },
  anthropic: {
    path: /^\/v1\/messages$/,
    headers: { 'x-api-key': 'sk-upstream' },
    known: [
      ...['model', 'messages', 'system', 'max_tokens', 'stream', 'stop_sequences', 'temperature', 'top_p', 'top_k'],
      ...['tools', 'tool_choice', 'thinking', 'metadata', 'output_config', 'unknown_field'],
    ],
    violation: body => {
      if (!Number.isInteger(body.max_tokens)) return 'no max_tokens'
      const roles = list(body.messages).map(({ role }) => role)
      if (roles[0] !== 'user') return 'the first message is not from the user'
      if (roles.some((role, at) => role === roles[at + 1])) return 'roles do not alternate'
      return anthropicCallsFlaw(body)
    },
    streams: inBody,
  },
  gemini: {
    path: /^\/v1beta\/models\/[^/:]+:(?:generateContent|streamGenerateContent\?alt=sse)$/,
    headers: { 'x-goog-api-key': 'sk-upstream' },
    known: [
      ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings'],
      ...['unknownField', 'cachedContent'],
    ],
    violation: body => (list(body.contents).every(({ parts }) => list(parts).length) ? undefined : 'an empty turn'),
    streams: ({ target }) => target.includes(':streamGenerateContent'),
  },
}

const credentials = ['authorization', 'x-api-key', 'x-goog-api-key', 'cookie']

function violationOf(format: ClientFormatName, { target, headers, body }: ReceivedRequest): string | undefined {
  const { path, headers: needed, known, violation } = rules[format]
  if (!path.test(target)) return `no such path: ${target}`
  for (const name of credentials) {
    if (headers[name] !== needed[name]) return `${name} is ${headers[name]}, not ${needed[name]}`
  }
  if (Boolean(headers['anthropic-version']) !== (format === 'anthropic')) return 'an API version where none belongs'
  const unknown = Object.keys(body).filter(name => !known.includes(name))
  return unknown.length ? `unknown fields: ${unknown}` : violation(body)
}

export async function upstreamOf(format: ClientFormatName): Promise<FormatUpstream> {
  const wire = wires[format]
  const asked: ReceivedRequest[] = []
  const violations: string[] = []
  let row: Feature | 'error' = 'text'
  let script: ((answer: ScriptedAnswer) => Promise<void>) | undefined

  const server = await listen(async ({ target, headers, body }: Received, answer) => {
    const ask = { target, headers, body: JSON.parse(body || '{}') }
    asked.push(ask)
    const violation = violationOf(format, ask)
    if (violation) {
      violations.push(violation)
      return answer.json({ error: { message: violation } }, 418)
    }
    if (script) return script(answer)
    const streams = rules[format].streams(ask)
    if (row === 'error') return streams ? events(answer, wire.errors.stream) : fails(answer, wire.errors)
    return streams ? events(answer, wire.streams[row]) : answer.json(wire.answers[row])
  })
  afterAll(() => server.stop())
  return {
    url: `http://127.0.0.1:${server.port}`,
    plays(next) {
      row = next
      script = undefined
    },
    scripts(next) {
      script = next
    },
    asked,
    violations,
  }
}

const fails = (answer: ScriptedAnswer, { body, status }: { body: Json; status: number }) => answer.json(body, status)

export async function events(answer: ScriptedAnswer, stream: string) {
  await answer.head(200, { 'content-type': 'text/event-stream' }, 'chunked')
  await answer.write(stream)
  await answer.end()
}

/** Those of type 1 have Responses too, those of type 47 have not. */
const types: Record<ClientFormatName, number> = { 'openai-chat': 47, 'openai-responses': 1, anthropic: 14, gemini: 24 }

export const channelOf = (format: ClientFormatName, { url }: { url: string }, fields: Json = {}) =>
  channelTo(url, { type: types[format], ...fields })
