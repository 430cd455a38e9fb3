/** Calls in the formats that the stand-in for the old gateway takes. */
import type { Case, Person } from './old-gateway.ts'

export interface Sent {
  person: Person
  model: string
  stream: boolean
  name: Case
  number: number
}

export const formats = {
  'gpt-4o-mini': openAi,
  'free-model': openAi,
  'claude-3-5-haiku-20241022': anthropic,
  'gemini-2.0-flash': gemini,
}

const question = ({ name, number }: Sent) => `case:${name} number:${number} — ¿qué? 好`

export function openAi(sent: Sent) {
  const { model, stream } = sent
  const body = { model, stream, messages: [{ role: 'user', content: question(sent) }], ...(stream && include) }
  return { path: '/v1/chat/completions', body, headers: { authorization: `Bearer sk-${sent.person.key}` } }
}
const include = { stream_options: { include_usage: true } }

function anthropic(sent: Sent) {
  const { model, stream } = sent
  const body = { model, stream, max_tokens: 100, messages: [{ role: 'user', content: question(sent) }] }
  return {
    path: '/v1/messages',
    body,
    headers: { 'x-api-key': `sk-${sent.person.key}`, 'anthropic-version': '2023-06-01' },
  }
}

function gemini(sent: Sent) {
  const body = { contents: [{ role: 'user', parts: [{ text: question(sent) }] }] }
  const verb = sent.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return { path: `/v1beta/models/${sent.model}:${verb}`, body, headers: { 'x-goog-api-key': `sk-${sent.person.key}` } }
}
