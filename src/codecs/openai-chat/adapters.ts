import { type Adapt, effortIn } from '../adapter.ts'
import type { Json } from '../codec.ts'

/** What OpenAI's reasoning models want otherwise than the models before them. */
export const adapt: Adapt = out => {
  const { model, effort } = effortIn(out.model)
  const fitted = isReasoner(model) ? fitReasoner(out.body, model) : out.body
  if (!effort) return fitted === out.body ? out : { model, body: fitted }
  return { model, body: { ...fitted, model, reasoning_effort: effort } }
}

const isReasoner = (model: string) => /^(?:o\d|gpt-5)/.test(model) && !model.includes('chat')
const isOSeries = (model: string) => /^o\d/.test(model)
/** The first ones take no instructions, whatever their sender is called. */
const takesDeveloper = (model: string) => isOSeries(model) && !/^o1-(?:mini|preview)/.test(model)

function fitReasoner(body: Json, model: string): Json {
  let fitted = body
  if ('max_tokens' in fitted) {
    const { max_tokens, ...others } = fitted
    fitted = max_tokens === null ? others : { max_completion_tokens: max_tokens, ...others }
  }
  if ('temperature' in fitted && isOSeries(model)) {
    const { temperature: _, ...others } = fitted
    fitted = others
  }
  return takesDeveloper(model) ? withDeveloper(fitted) : fitted
}

/** They refuse a request in which both names are used. */
function withDeveloper(body: Json): Json {
  const messages = body.messages as Json[]
  if (!messages.some(({ role }) => role === 'system')) return body
  return {
    ...body,
    messages: messages.map(message => (message.role === 'system' ? { ...message, role: 'developer' } : message)),
  }
}
