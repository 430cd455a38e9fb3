/** The formats that are spoken in full. */
import { anthropicDialect } from './anthropic/dialect.ts'
import type { FormatName } from './canonical/chat.ts'
import type { Dialect } from './dialect.ts'
import { geminiDialect } from './gemini/dialect.ts'
import { openAiChatDialect } from './openai-chat/dialect.ts'
import { openAiResponsesDialect } from './openai-responses/dialect.ts'

export const dialects: Record<FormatName, Dialect> = {
  'openai-chat': openAiChatDialect,
  'openai-responses': openAiResponsesDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
}
