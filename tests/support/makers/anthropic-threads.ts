/** Conversations that Anthropic keeps: a turn that continues one sends only what is new. https://docs.claude.com/en/api/beta/messages (read 2026-11) */
import { type Conversation, type Json, listOf, Refused } from './conversation.ts'

/** Requests with their whole history, by the id of the reply. */
const kept = new Map<string, Json>()
const requests = new WeakMap<Conversation, Json>()

/** The request with the history that its thread has. Fields that it leaves out are those of the thread. @throws Refused */
export function withHistory(body: Json): Json {
  if (body.thread?.type !== 'continue') return body
  const before = kept.get(body.thread.previous_message_id)
  if (!before) throw new Refused(`thread: message ${body.thread.previous_message_id} not found`)
  return { ...before, ...body, messages: [...listOf(before.messages), ...listOf(body.messages)] }
}

export const isOf = (conversation: Conversation, body: Json) => void requests.set(conversation, body)

export function keepThread(conversation: Conversation, id: string, content: Json[]) {
  const body = requests.get(conversation)
  if (body?.thread) kept.set(id, { ...body, messages: [...body.messages, { role: 'assistant', content }] })
}
