/** What OpenAI's reasoning models refuse. */
import type { Json } from './json.ts'

export const isReasoner = (model: string): boolean => /^(?:o\d|gpt-5)/.test(model) && !model.includes('chat')

const lots = new Set([
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
])

/** Who thinks is not to be told how to draw lots; from 5.1 on they need not think. */
export function withoutLots(body: Json, model: string, effort: unknown = 'none'): Json {
  const isFree = /^gpt-5\.\d/.test(model) && effort === 'none'
  if (isFree || !Object.keys(body).some(name => lots.has(name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !lots.has(name)))
}
