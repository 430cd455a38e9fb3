/** Upstreams of the four formats that stop where a test wants them to, and go on when it lets them. */
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import type { ScriptedAnswer } from './http-server.ts'

/** What the upstream reports at the end: most of the output are thoughts that it does not show. */
export interface Report {
  prompt: number
  output: number
  reasoning: number
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const named = (value: { type: string }) => `event: ${value.type}\n${data(value)}`

interface Wire {
  model: string
  path: string
  body: object
  streamPath?: string
  /** Every event after the words has to be read for the report. */
  events(words: string[], report: Report): { head: string[]; words: string[]; tail: string[] }
  whole(text: string, report: Report): object
}

const chatUsage = ({ prompt, output, reasoning }: Report) => ({
  prompt_tokens: prompt,
  completion_tokens: output,
  total_tokens: prompt + output,
  completion_tokens_details: { reasoning_tokens: reasoning },
})

const responsesUsage = ({ prompt, output, reasoning }: Report) => ({
  input_tokens: prompt,
  output_tokens: output,
  total_tokens: prompt + output,
  output_tokens_details: { reasoning_tokens: reasoning },
})

const geminiUsage = ({ prompt, output, reasoning }: Report) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: output - reasoning,
  thoughtsTokenCount: reasoning,
  totalTokenCount: prompt + output,
})

const question = 'Think long and close with END'
const messages = [{ role: 'user', content: question }]

export const pausedWires: Record<ClientFormatName, Wire> = {
  'openai-chat': {
    model: 'o3',
    path: '/v1/chat/completions',
    body: { messages },
    events(words, report) {
      const chunk = (value: object) => data({ id: 'c', object: 'chat.completion.chunk', created: 1, ...value })
      const choice = (delta: object, finish_reason: string | null = null) =>
        chunk({ choices: [{ index: 0, delta, finish_reason }] })
      return {
        head: [choice({ role: 'assistant', content: '' })],
        words: words.map(content => choice({ content })),
        tail: [choice({}, 'stop'), chunk({ choices: [], usage: chatUsage(report) }), 'data: [DONE]\n\n'],
      }
    },
    whole: (content, report) => ({
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'o3' },
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: chatUsage(report),
    }),
  },
  'openai-responses': {
    model: 'o4-mini',
    path: '/v1/responses',
    body: { input: question },
    events(words, report) {
      const head = { id: 'r', object: 'response', created_at: 1, model: 'o4-mini' }
      const item = { type: 'message', id: 'm', role: 'assistant' }
      const content = [{ type: 'output_text', text: words.join(''), annotations: [] }]
      const at = { item_id: 'm', output_index: 0, content_index: 0 }
      const done = { ...item, status: 'completed', content }
      return {
        head: [
          { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
          { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        ].map(named),
        words: words.map(delta => named({ type: 'response.output_text.delta', ...at, delta } as { type: string })),
        tail: [
          { type: 'response.output_item.done', output_index: 0, item: done },
          {
            type: 'response.completed',
            response: { ...head, status: 'completed', output: [done], usage: responsesUsage(report) },
          },
        ].map(named),
      }
    },
    whole: (text, report) => ({
      ...{ id: 'r', object: 'response', created_at: 1, model: 'o4-mini', status: 'completed' },
      output: [
        ...[{ type: 'message', id: 'm', role: 'assistant', status: 'completed' }].map(item => ({
          ...item,
          content: [{ type: 'output_text', text, annotations: [] }],
        })),
      ],
      usage: responsesUsage(report),
    }),
  },
  anthropic: {
    model: 'claude-sonnet-4-5',
    path: '/v1/messages',
    body: { max_tokens: 20_000, messages, thinking: { type: 'enabled', budget_tokens: 16_000 } },
    events(words, { prompt, output }) {
      const message = { id: 'm', type: 'message', role: 'assistant', content: [], model: 'claude-sonnet-4-5' }
      const thought = { type: 'redacted_thinking', data: 'sealed' }
      return {
        head: [
          { type: 'message_start', message: { ...message, usage: { input_tokens: prompt, output_tokens: 1 } } },
          { type: 'content_block_start', index: 0, content_block: thought },
          { type: 'content_block_stop', index: 0 },
          { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
        ].map(named),
        words: words.map(text =>
          named({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } } as { type: string }),
        ),
        tail: [
          { type: 'content_block_stop', index: 1 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } },
          { type: 'message_stop' },
        ].map(named),
      }
    },
    whole: (text, { prompt, output }) => ({
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
      content: [
        { type: 'redacted_thinking', data: 'sealed' },
        { type: 'text', text },
      ],
      usage: { input_tokens: prompt, output_tokens: output },
    }),
  },
  gemini: {
    model: 'gemini-2.5-pro',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    streamPath: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: question }] }] },
    events(words, report) {
      const candidate = (text: string, more: object = {}) => ({
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
        responseId: 'g',
        modelVersion: 'gemini-2.5-pro',
      })
      return {
        head: [],
        words: words.map(text => data(candidate(text))),
        tail: [data({ ...candidate('', { finishReason: 'STOP' }), usageMetadata: geminiUsage(report) })],
      }
    },
    whole: (text, report) => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: geminiUsage(report),
      responseId: 'g',
      modelVersion: 'gemini-2.5-pro',
    }),
  },
}

/** A point where an answer stops until it is let go on. */
export class Pause {
  readonly #arrived = Promise.withResolvers<void>()
  readonly #released = Promise.withResolvers<void>()
  /** Resolves when the answer has come so far. */
  readonly arrived = this.#arrived.promise
  release = () => this.#released.resolve()

  wait(): Promise<void> {
    this.#arrived.resolve()
    return this.#released.promise
  }
}

const sse = { 'content-type': 'text/event-stream' }

/** Streams `before`, stops, and streams `after`; stops before the head when there is nothing before. */
export const pausedStream =
  (before: string[], after: string[], pause: Pause) =>
  async (answer: ScriptedAnswer): Promise<void> => {
    if (!before.length) await pause.wait()
    await answer.head(200, sse, 'chunked')
    for (const event of before) await answer.write(event)
    if (before.length) await pause.wait()
    for (const event of after) await answer.write(event)
    await answer.end()
  }

/** A whole answer that stops after this share of its bytes; before the head at 0. */
export const pausedWhole =
  (body: object, share: number, pause: Pause) =>
  async (answer: ScriptedAnswer): Promise<void> => {
    const bytes = Buffer.from(JSON.stringify(body))
    const at = Math.floor((bytes.length - 1) * share)
    if (!share) await pause.wait()
    await answer.head(200, { 'content-type': 'application/json' }, bytes.length)
    if (at) await answer.write(bytes.subarray(0, at))
    if (share) await pause.wait()
    await answer.write(bytes.subarray(at))
  }
