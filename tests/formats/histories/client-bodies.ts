/** Writes a random conversation as the body of each client's format. */
import type { ClientFormatName } from '../../../src/formats/canonical/chat.ts'
import type { Json } from '../../../src/pure/json.ts'
import { anthropicBody } from './anthropic.ts'
import type { Conversation } from './conversation.ts'
import { geminiBody } from './gemini.ts'
import { openAiChatBody } from './openai-chat.ts'
import { openAiResponsesBody } from './openai-responses.ts'

export const clientBodies: Record<ClientFormatName, (conversation: Conversation) => Json> = {
  'openai-chat': openAiChatBody,
  'openai-responses': openAiResponsesBody,
  anthropic: anthropicBody,
  gemini: geminiBody,
}
