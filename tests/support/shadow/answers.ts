/** Answers of the stand-in for the old gateway, whole and as events, in three formats. */
import type { Asked } from './old-gateway.ts'

export type Format = 'openai' | 'anthropic' | 'gemini'

/** `prompt` with what is cached, `completion` with what is thought. */
export interface Counts {
  prompt: number
  completion: number
  cached: number
  reasoning: number
}

interface Answer {
  request_id: string
  /** The call is complete, and logged. */
  kept(): void
}

export const TEXT = 'an answer that is passed on'

export function answerIn(asked: Asked, counts: Counts, { request_id, kept }: Answer): Response {
  const headers = { 'x-oneapi-request-id': request_id, 'set-cookie': 'session=theirs' }
  if (!asked.stream) {
    kept()
    return Response.json(wholes[asked.format](asked.model, counts), { headers })
  }
  const all = streams[asked.format](asked.model, counts)
  const events = asked.name === 'silent' ? all.filter(event => !event.includes('"usage"')) : all
  const body = async function* () {
    for (const [at, event] of events.entries()) {
      if (asked.name === 'broken' && at === 0) throw new Error('broken off')
      yield new TextEncoder().encode(event)
      await Bun.sleep(0)
    }
    kept()
  }
  return new Response(body() as never, { headers: { ...headers, 'content-type': 'text/event-stream' } })
}

const openAiUsage = ({ prompt, completion, cached, reasoning }: Counts) => ({
  ...{ prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
const anthropicUsage = ({ prompt, completion, cached }: Counts) => ({
  ...{ input_tokens: prompt - cached, output_tokens: completion },
  ...{ cache_read_input_tokens: cached, cache_creation_input_tokens: 0 },
})
const geminiUsage = ({ prompt, completion, cached, reasoning }: Counts) => ({
  ...{ promptTokenCount: prompt, candidatesTokenCount: completion - reasoning, thoughtsTokenCount: reasoning },
  ...{ cachedContentTokenCount: cached, totalTokenCount: prompt + completion },
})

const wholes: Record<Format, (model: string, counts: Counts) => object> = {
  openai: (model, counts) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_790_000_000, model },
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
    usage: openAiUsage(counts),
  }),
  anthropic: (model, counts) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn', stop_sequence: null },
    ...{ content: [{ type: 'text', text: TEXT }], usage: anthropicUsage(counts) },
  }),
  gemini: (model, counts) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP' }],
    ...{ modelVersion: model, usageMetadata: geminiUsage(counts) },
  }),
}

const event = (data: object, name?: string) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`

const streams: Record<Format, (model: string, counts: Counts) => string[]> = {
  openai(model, counts) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({
        ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model },
        choices: [{ index: 0, delta, finish_reason }],
      })
    const usage = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model, choices: [] }
    return [
      ...[chunk({ role: 'assistant', content: '' }), ...TEXT.split(' ').map(content => chunk({ content }))],
      ...[chunk({}, 'stop'), event({ ...usage, usage: openAiUsage(counts) }), 'data: [DONE]\n\n'],
    ]
  },
  anthropic(model, counts) {
    const named = (data: { type: string; [field: string]: unknown }) => event(data, data.type)
    const { output_tokens, ...input } = anthropicUsage(counts)
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null }
    return [
      named({ type: 'message_start', message: { ...message, usage: { ...input, output_tokens: 1 } } }),
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...TEXT.split(' ').map(text =>
        named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      ),
      named({ type: 'content_block_stop', index: 0 }),
      named({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens },
      }),
      named({ type: 'message_stop' }),
    ]
  },
  gemini(model, counts) {
    const part = (text: string, more: object = {}) =>
      event({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }], modelVersion: model })
    const last = {
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '.' }] }, finishReason: 'STOP' }],
      ...{ modelVersion: model, usageMetadata: geminiUsage(counts) },
    }
    return [...TEXT.split(' ').map(text => part(text)), event(last)]
  },
}
