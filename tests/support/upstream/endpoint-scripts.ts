/** What a fake upstream answers besides chats: `upstream.scripts('tts-1', sounds(bytes))`. */
import { now } from '../../../src/process/clock.ts'
import type { Script } from './openai.ts'

/** A whole answer in JSON. */
export const says =
  (body: unknown): Script =>
  (_call, answer) =>
    answer.json(body)

/** A whole answer of nothing but text. */
export const saysText =
  (text: string): Script =>
  async (_call, answer) => {
    const bytes = Buffer.from(text)
    await answer.head(200, { 'content-type': 'text/plain; charset=utf-8' }, bytes.length)
    await answer.write(bytes)
  }

interface Sound {
  type?: string
  pieces?: number
  pause_ms?: number
  /** Hangs up after so many pieces. */
  cut_after?: number
}

/** A file that comes piece by piece. */
export const sounds =
  (bytes: Buffer, { type = 'audio/mpeg', pieces = 4, pause_ms = 0, cut_after = pieces }: Sound = {}): Script =>
  async (_call, answer) => {
    await answer.head(200, { 'content-type': type }, 'chunked')
    const size = Math.ceil(bytes.length / pieces)
    for (let piece = 0; piece < cut_after; piece++) {
      if (pause_ms) await Bun.sleep(pause_ms)
      await answer.write(bytes.subarray(piece * size, (piece + 1) * size))
    }
    if (pause_ms) await Bun.sleep(pause_ms)
    if (cut_after < pieces) return answer.fin()
    await answer.end()
  }

/** A stream of events that name their type, without a last word of its own. */
export const tells =
  (...events: { type: string; [more: string]: unknown }[]): Script =>
  async (_call, answer) => {
    await answer.head(200, { 'content-type': 'text/event-stream; charset=utf-8' }, 'chunked')
    for (const event of events) await answer.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    await answer.end()
  }

export const embeddings =
  (usage: unknown = { prompt_tokens: 8, total_tokens: 8 }): Script =>
  ({ body }, answer) => {
    const inputs = Array.isArray(body.input) && typeof body.input[0] !== 'number' ? body.input : [body.input]
    const vector = [0.25, -0.5, 1]
    const embedding = body.encoding_format === 'base64' ? base64Of(vector) : vector
    const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding }))
    return answer.json({ object: 'list', data, model: body.model, ...(usage !== null && { usage }) })
  }

const base64Of = (vector: number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64')

/** So many pictures as were asked for, or as said. */
export const pictures =
  (usage?: unknown, count?: number): Script =>
  ({ body }, answer) => {
    const data = Array.from({ length: count ?? Number(body.n ?? 1) }, () => ({ b64_json: 'aGk=' }))
    return answer.json({ created: now(), data, ...(usage !== undefined && { usage }) })
  }

/** Any answer, with any status. */
export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Script =>
  (_, answer) =>
    answer.json(body, status, headers)
