/** Cache writes that a prompt may be billed as, which cost more than plain input. */
import type { Candidate } from '../../domain/routing/index.ts'
import type { Json } from '../../pure/json.ts'
import type { ReadCall } from '../call.ts'

/** OpenAI's models whose cache writes have a price. https://platform.openai.com/docs/pricing (read 2026-11) */
const pricedWrites = /(?:^|\/)gpt-(?:5\.[6-9]|[6-9]|\d\d)/

/** How long the dearest write lasts. @returns undefined where none is billed */
export function cacheWriteOf(
  { endpoint, body, facts }: ReadCall,
  candidates: readonly Candidate[],
): '5m' | '1h' | undefined {
  if (endpoint.operation !== 'chat' && endpoint.operation !== 'responses') return undefined
  const toClaude = candidates.some(({ api }) => api.format.name === 'anthropic' || api.format.name === 'bedrock')
  if (!toClaude) return pricedWrites.test(facts.model) ? '5m' : undefined
  // The gateway marks these itself.
  if (endpoint.format.name !== 'anthropic' && (body.tools || body.prompt_cache_key)) return '5m'
  const marks = marksIn(body)
  return marks.some(({ ttl }) => ttl === '1h') ? '1h' : marks.length ? '5m' : undefined
}

/** Marks of a request in Anthropic's format: of the whole, of tools, instructions, and blocks of messages. */
function marksIn(body: Json): Json[] {
  const marks: Json[] = []
  const add = (one: unknown) => {
    const mark = (one as Json | null)?.cache_control
    if (mark && typeof mark === 'object') marks.push(mark as Json)
  }
  const addAll = (list: unknown, inside?: (one: Json) => unknown) => {
    if (!Array.isArray(list)) return
    for (const one of list) {
      if (typeof one !== 'object' || one === null) continue
      add(one)
      if (inside) addAll(inside(one), block => block.content)
    }
  }
  add(body)
  addAll(body.tools)
  addAll(body.system)
  addAll(body.messages, message => message.content)
  return marks
}
