/** OpenAI's chat completions, as callers and as upstreams speak them. */
import type { ClientCodec, UpstreamCodec } from '../format.ts'
import { readAnswer } from './answer.ts'
import { asStream } from './as-stream.ts'
import { openAiChatDialect } from './dialect.ts'
import { readError, writeErrorFrame } from './error.ts'
import { adapt } from './model-settings.ts'
import { forward, promptText, promptTokens, readAsk } from './request.ts'
import { ChatStreamReader } from './stream.ts'
import { meter } from './usage.ts'

export const openAiChat: ClientCodec & UpstreamCodec = {
  dialect: openAiChatDialect,
  readAsk,
  promptTokens,
  promptText,
  forward,
  adapt,
  readAnswer,
  readStream: ({ keep_text }) => new ChatStreamReader(keep_text),
  asStream,
  meter,
  readError,
  writeErrorFrame,
}
