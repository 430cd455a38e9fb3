/** An upstream that produces as many output tokens as a request allows, most of them unseen, and reports them. */
import { afterAll } from 'bun:test'
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import { until } from '../until.ts'
import { events } from './format-upstreams.ts'
import { listen } from './http-server.ts'

type Json = Record<string, any>

/** Tokens of one choice when nothing limits them. */
export const PRODUCED = 100_000
export const PROMPT = 8

interface Wire {
  limit(body: Json): unknown
  /** What the maker refuses. */
  violation(body: Json): string | undefined
  streams(target: string, body: Json): boolean
  choices(body: Json): number
  whole(output: number, choices: number): Json
  stream(output: number): string
}

const data = (...all: Json[]) => all.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
const typed = (...all: Json[]) => all.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const inBody = (_: string, { stream }: Json) => stream === true
const has = (body: Json, ...names: string[]) => names.find(name => name in body)
const one = () => 1

const chatUsage = (output: number) => ({
  prompt_tokens: PROMPT,
  completion_tokens: output,
  total_tokens: PROMPT + output,
})
const inputOutput = (output: number) => ({ input_tokens: PROMPT, output_tokens: output, total_tokens: PROMPT + output })
const chunk = (more: Json) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })

const response = (output: number) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
  output: [
    {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: inputOutput(output),
})

const wires: Record<ClientFormatName, Wire> = {
  'openai-chat': {
    limit: ({ max_tokens, max_completion_tokens }) => max_tokens ?? max_completion_tokens,
    violation: body =>
      'max_tokens' in body && 'max_completion_tokens' in body
        ? 'both limits'
        : has(body, 'max_output_tokens', 'generationConfig'),
    streams: inBody,
    choices: ({ n }) => n ?? 1,
    whole: (output, choices) => ({
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage: chatUsage(output * choices) },
      choices: Array.from({ length: choices }, (_, index) => ({
        ...{ index, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' },
      })),
    }),
    stream: output =>
      `${data(
        chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] }),
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] }),
        chunk({ choices: [], usage: chatUsage(output) }),
      )}data: [DONE]\n\n`,
  },
  'openai-responses': {
    limit: ({ max_output_tokens }) => max_output_tokens,
    violation: body => has(body, 'max_tokens', 'max_completion_tokens', 'generationConfig'),
    streams: inBody,
    choices: one,
    whole: response,
    stream: output =>
      typed(
        { type: 'response.created', response: { ...response(output), status: 'in_progress', output: [], usage: null } },
        { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hello' },
        { type: 'response.completed', response: response(output) },
      ),
  },
  anthropic: {
    limit: ({ max_tokens }) => max_tokens,
    violation(body) {
      if (!Number.isInteger(body.max_tokens)) return 'max_tokens: Field required'
      const budget = body.thinking?.budget_tokens
      if (budget !== undefined && budget < 1024) return 'thinking.budget_tokens: at least 1024'
      if (budget >= body.max_tokens) return '`max_tokens` must be greater than `thinking.budget_tokens`'
      return has(body, 'max_completion_tokens', 'max_output_tokens', 'generationConfig')
    },
    streams: inBody,
    choices: one,
    whole: output => ({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Hello' }] },
      ...{ stop_reason: 'max_tokens', stop_sequence: null, usage: inputOutput(output) },
    }),
    stream: output =>
      typed(
        {
          type: 'message_start',
          message: {
            ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
            usage: inputOutput(1),
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: output } },
        { type: 'message_stop' },
      ),
  },
  gemini: {
    limit: ({ generationConfig }) => generationConfig?.maxOutputTokens,
    violation(body) {
      const { maxOutputTokens, thinkingConfig } = body.generationConfig ?? {}
      if (thinkingConfig?.thinkingBudget >= maxOutputTokens) return 'the budget leaves no room for an answer'
      return has(body, 'max_tokens', 'max_completion_tokens', 'max_output_tokens')
    },
    streams: target => target.includes(':streamGenerateContent'),
    choices: ({ generationConfig }) => generationConfig?.candidateCount ?? 1,
    whole: output => ({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'MAX_TOKENS', index: 0 }],
      usageMetadata: {
        promptTokenCount: PROMPT,
        candidatesTokenCount: 1,
        thoughtsTokenCount: output - 1,
        totalTokenCount: PROMPT + output,
      },
      modelVersion: 'm',
    }),
    stream: output => data(wires.gemini.whole(output, 1)),
  },
}

export interface MaxOutputUpstream {
  url: string
  /** Bodies that came, oldest first. */
  received: Json[]
  violations: string[]
  /** Tokens that were reported. */
  reported: number
  /** Answers wait from now on until `release`. */
  hold(): void
  /** Answers that wait. */
  waiting: number
  release(): void
}

export async function maxOutputUpstream(format: ClientFormatName): Promise<MaxOutputUpstream> {
  const wire = wires[format]
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  const server = await listen(async ({ target, body: text }, answer) => {
    const body = JSON.parse(text) as Json
    made.received.push(body)
    const violation = wire.violation(body)
    if (violation) {
      made.violations.push(violation)
      return answer.json({ error: { message: violation, type: 'invalid_request_error' } }, 400)
    }
    made.waiting++
    await gate.promise
    made.waiting--
    const limit = wire.limit(body)
    const output = Math.min(typeof limit === 'number' ? limit : PRODUCED, PRODUCED)
    const choices = wire.choices(body)
    made.reported += PROMPT + output * choices
    if (wire.streams(target, body)) return events(answer, wire.stream(output))
    return answer.json(wire.whole(output, choices))
  })
  afterAll(() => server.stop())
  const made: MaxOutputUpstream = {
    url: `http://127.0.0.1:${server.port}`,
    received: [],
    violations: [],
    reported: 0,
    waiting: 0,
    hold() {
      gate = Promise.withResolvers()
    },
    release: () => gate.resolve(),
  }
  return made
}

/** Sends all calls; the upstream answers when each has reached it or was refused. @returns the responses, read */
export async function atOnce(upstream: MaxOutputUpstream, calls: (() => Promise<Response>)[]) {
  upstream.hold()
  let refused = 0
  const all = calls.map(async call => {
    const response = await call()
    if (response.status !== 200) refused++
    return { status: response.status, text: await response.text() }
  })
  await until(() => upstream.waiting + refused === calls.length)
  upstream.release()
  return Promise.all(all)
}
