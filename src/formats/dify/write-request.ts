/**
 * Writes a ChatRequest as the body of POST /v1/chat-messages.
 * https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11)
 */
import type { ChatMessage, ChatRequest, Part } from '../canonical/chat.ts'
import { withoutKept } from '../canonical/conversation.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { userFor } from '../openai-shared.ts'
import { writeFiles } from './files.ts'
import type { DifyBody } from './wire.ts'

/** Stands for a message without text, which the API refuses. */
const NO_TEXT = '...'

/**
 * `message` is the last message alone, where the query holds more: apps without a conversation read their inputs in it.
 * The provider completes `user`, which the API requires.
 */
export function writeRequest(request: ChatRequest): DifyBody {
  const { messages, conversation } = withoutKept(request)
  const message = messages.findLast(({ role }) => role === 'user')
  const query = queryOf(request)
  const text = message ? textIn(message) : ''
  const files = messages.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts.flatMap(writeFiles))
  return {
    inputs: {},
    query,
    message: text && text !== query ? text : undefined,
    response_mode: 'streaming',
    conversation_id: conversation,
    user: userFor(request.user),
    files: files.length ? files : undefined,
    auto_generate_name: false,
  }
}

/** One message of the user stands alone; a conversation is written with the role before each message. */
function queryOf(request: ChatRequest): string {
  const { system, messages, output } = withoutKept(request)
  const instruction = output && output.kind !== 'text' ? [jsonInstruction(output)] : []
  const instructions = [...system.map(({ text }) => text), ...instruction].filter(Boolean)
  const lines = [
    ...(instructions.length ? [lineOf('SYSTEM', instructions.join('\n'))] : []),
    ...messages.flatMap(message => {
      const text = textIn(message)
      return text ? [lineOf(roles[message.role], text)] : []
    }),
  ]
  const [only] = messages
  if (lines.length <= 1 && messages.length <= 1 && !instructions.length) return (only && textIn(only)) || NO_TEXT
  return lines.join('') || NO_TEXT
}

const roles: Record<ChatMessage['role'], string> = { system: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' }

const lineOf = (role: string, text: string) => `${role}: \n${text}\n`

const textIn = ({ parts }: ChatMessage): string => parts.flatMap(textsOf).join('\n')

const textsOf = (part: Part): string[] => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])
