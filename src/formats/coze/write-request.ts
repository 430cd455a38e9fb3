/** Writes a ChatRequest as the body of POST /v3/chat. https://www.coze.cn/docs/developer_guides/chat_v3 (read 2026-11) */
import type { ChatMessage, ChatRequest, Part } from '../canonical/chat.ts'
import { withoutKept } from '../canonical/conversation.ts'
import { jsonInstruction } from '../json/json-instruction.ts'
import { dataOf } from '../media/data-url.ts'
import { fileNameFor } from '../media/file-names.ts'
import { userFor } from '../openai-shared.ts'
import type { CozeBody, CozeContent, CozeMessage } from './wire.ts'

/** Stands for a message without text, which the API refuses. */
const NO_TEXT = '...'

/**
 * `conversation_id` belongs into the URL; the provider completes `user_id`, which the API requires. A message with files
 * has a list as `content`, whose inline files are uploaded before it becomes a text.
 */
export function writeRequest(request: ChatRequest): CozeBody {
  const { messages, conversation } = withoutKept(request)
  const instructions = instructionsOf(request)
  const first = messages.findIndex(({ role }) => role === 'user')
  const written = messages.flatMap((message, index) => writeMessage(message, index === first ? instructions : ''))
  return {
    conversation_id: conversation,
    user_id: userFor(request.user),
    additional_messages: first < 0 ? [...written, question(instructions || NO_TEXT)] : written,
    stream: true,
    // Without it, the id of the conversation would lead nowhere.
    auto_save_history: true,
  }
}

/** There is no role for instructions: they stand before the first message of the user. */
function instructionsOf(request: ChatRequest): string {
  const { system, messages, output } = withoutKept(request)
  const later = messages.filter(({ role }) => role === 'system').map(textIn)
  const format = output && output.kind !== 'text' ? [jsonInstruction(output)] : []
  return [...system.map(({ text }) => text), ...later, ...format].filter(Boolean).join('\n\n')
}

const question = (
  content: CozeMessage['content'],
  content_type: CozeMessage['content_type'] = 'text',
): CozeMessage => ({
  role: 'user',
  type: 'question',
  content,
  content_type,
})

function writeMessage(message: ChatMessage, instructions: string): CozeMessage[] {
  const text = [instructions, textIn(message)].filter(Boolean).join('\n\n')
  if (message.role === 'system') return []
  if (message.role === 'assistant')
    return text ? [{ role: 'assistant', type: 'answer', content: text, content_type: 'text' }] : []
  const files = message.parts.flatMap(writeFile)
  if (!files.length) return [question(text || NO_TEXT)]
  const spoken: CozeContent[] = text ? [{ type: 'text', text }] : []
  return [question([...spoken, ...files], 'object_string')]
}

function writeFile(part: Part): CozeContent[] {
  if (part.kind !== 'image' && part.kind !== 'audio' && part.kind !== 'file') return []
  const type = part.kind
  if (part.source.via === 'url') return [{ type, file_url: part.source.url }]
  const inline = dataOf(part.source)
  if (!inline) return []
  const name = fileNameFor(part.kind === 'file' ? part.name : undefined, inline.media_type)
  return [{ type, content: { name, ...inline } }]
}

const textIn = ({ parts }: ChatMessage): string =>
  parts.flatMap(part => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : [])).join('\n')
