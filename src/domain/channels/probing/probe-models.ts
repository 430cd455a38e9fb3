/** What a model is asked to find out whether it answers: one word, and as few tokens for the answer as will do. */

import type { Operation } from '../../../providers/index.ts'
import type { Json } from '../../../pure/json.ts'

export interface ProbeRequest {
  operation: Operation
  body: Json
}

const MOKA = 44

/** What is told by a model's name; the rest talks. */
const kinds: [RegExp, ProbeRequest | undefined][] = [
  [/rerank/i, { operation: 'rerank', body: { query: 'hi', documents: ['hello', 'world'] } }],
  [/embed|bge-|^m3e|embo-/i, { operation: 'embeddings', body: { input: ['hello world'] } }],
  [/moderation/i, { operation: 'moderations', body: { input: 'hi' } }],
  // Pictures cost too much for a question, and sound wants a voice or a recording.
  [/dall-e|imagen-|cogview|seedream|kolors|flux|stable-diffusion|^(?!gemini).*image/i, undefined],
  [/whisper|transcribe|(?:^|[-/])tts|tts$|(?:^|[-/])speech-|realtime/i, undefined],
]

/** Undefined where the answer would not be worth its price. */
export function probeFor(model: string, type: number): ProbeRequest | undefined {
  const kind = type === MOKA ? kinds[1] : kinds.find(([pattern]) => pattern.test(model))
  return kind
    ? kind[1]
    : { operation: 'chat', body: { messages: [{ role: 'user', content: 'hi' }], ...roomFor(model) } }
}

export const PROBE_TOKENS = 10
const ENOUGH_TO_THINK = 50
const ENOUGH_FOR_GEMINI = 300

function roomFor(model: string): Json {
  if (/^(o\d|gpt-5)/.test(model)) return { max_completion_tokens: PROBE_TOKENS }
  if (model.includes('gemini')) return { max_tokens: ENOUGH_FOR_GEMINI }
  const thinks = model.includes('thinking') && !model.includes('claude')
  return { max_tokens: thinks ? ENOUGH_TO_THINK : PROBE_TOKENS }
}
