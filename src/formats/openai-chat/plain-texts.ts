/**
 * Finds the texts of a request that has nothing but texts, as most have, without reading all of its fields.
 * https://platform.openai.com/docs/api-reference/chat/create (read 2026-11)
 */
import type { Json } from '../../pure/json.ts'

/** Fields that `readFacts` has checked. */
const checked = new Set(['model', 'messages', 'stream', 'max_tokens', 'max_completion_tokens', 'n'])
const numbers = new Set(['temperature', 'top_p', 'seed', 'presence_penalty', 'frequency_penalty'])

const ROLE_MAX = 16

/** @returns undefined for a request with other fields, which may be invalid or contain prose */
export function plainTexts(body: Json): string[] | undefined {
  for (const name in body) if (!checked.has(name) && !(numbers.has(name) && typeof body[name] === 'number')) return
  const texts: string[] = []
  for (const message of body.messages as Json[]) {
    const { role, content } = message
    if (typeof content !== 'string' || typeof role !== 'string' || role.length > ROLE_MAX) return
    for (const name in message) if (name !== 'role' && name !== 'content') return
    texts.push(content)
  }
  return texts
}
