import { type Adapt, effortIn } from '../adapter.ts'
import type { Json } from '../codec.ts'

/** What OpenAI's reasoning models want otherwise than the models before them. */
export const adapt: Adapt = out => {
  const { model, effort } = effortIn(out.model)
  const body = effort ? { ...out.body, model, reasoning_effort: effort } : out.body
  const fitted = isReasoner(model) ? fitReasoner(body, model) : body
  return fitted === out.body ? out : { model, body: fitted }
}

const isReasoner = (model: string) => /^(?:o\d|gpt-5)/.test(model) && !model.includes('chat')

function fitReasoner(body: Json, model: string): Json {
  const fitted = withOwnLimit(drawsLots(model, body) ? body : without(body, lots))
  if (!/^o\d/.test(model)) return fitted
  // The first ones take no instructions, whatever their sender is called.
  return /^o1-(?:mini|preview)/.test(model) ? withRole(fitted, 'user') : withRole(fitted, 'developer')
}

const lots = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
] as const

/** Who thinks is not to be told how to draw lots; from 5.1 on they need not think. */
const drawsLots = (model: string, { reasoning_effort = 'none' }: Json): boolean =>
  /^gpt-5\.\d/.test(model) && reasoning_effort === 'none'

function without(body: Json, names: readonly string[]): Json {
  if (!names.some(name => name in body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

function withOwnLimit(body: Json): Json {
  if (!('max_tokens' in body)) return body
  const { max_tokens, ...others } = body
  return max_tokens === null ? others : { max_completion_tokens: max_tokens, ...others }
}

/** They refuse a request in which instructions come from two roles. */
function withRole(body: Json, role: 'user' | 'developer'): Json {
  const messages = body.messages as Json[]
  const isOther = (message: Json) => message.role !== role && /^(?:system|developer)$/.test(String(message.role))
  if (!messages.some(isOther)) return body
  return { ...body, messages: messages.map(message => (isOther(message) ? { ...message, role } : message)) }
}
