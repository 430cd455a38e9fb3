/** OpenAI's chat completions, as callers and as upstreams speak them. */
import type { ClientFormat, UpstreamFormat } from '../format.ts'
import { readResponse } from './answer.ts'
import { toStream } from './as-stream.ts'
import { openAiChatDialect } from './dialect.ts'
import { readError, writeErrorFrame } from './error.ts'
import { applyModelSettings } from './model-settings.ts'
import { forward, promptText, promptTokens, readFacts } from './request.ts'
import { ChatStreamReader } from './stream.ts'
import { meter } from './usage.ts'

export const openAiChat: ClientFormat & UpstreamFormat = {
  dialect: openAiChatDialect,
  readFacts,
  promptTokens,
  promptText,
  forward,
  applyModelSettings,
  readResponse,
  readStream: ({ keep_text }) => new ChatStreamReader(keep_text),
  toStream,
  meter,
  readError,
  writeErrorFrame,
}
