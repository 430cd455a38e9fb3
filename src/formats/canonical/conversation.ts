/** Conversations that an upstream keeps: clients continue one with the id of the response header `x-tollgate-conversation`. */
import type { Field } from '../json/strict-json.ts'
import type { ChatRequest } from './chat.ts'

/** @param metadata the object of a request in which clients note what they like; nothing in it is refused */
export function conversationIn(metadata: Field): string | undefined {
  const { value } = metadata.at('conversation_id')
  return typeof value === 'string' && value ? value : undefined
}

/** @returns the request without what the upstream keeps: in a conversation, only the last message is new */
export function withoutKept(request: ChatRequest): ChatRequest {
  if (request.conversation === undefined) return request
  const last = request.messages.findLast(({ role }) => role === 'user') ?? request.messages.at(-1)
  return { ...request, system: [], messages: last ? [last] : [] }
}
