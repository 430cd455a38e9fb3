/** OpenAI's completions, older than chats: a prompt, or several, that the model goes on writing. */

import { inputText, inputTokens } from '../embedding-input.ts'
import type { ClientFormat, UpstreamFormat } from '../format.ts'
import { readError, writeErrorFrame } from '../openai-chat/error.ts'
import { meter } from '../openai-chat/usage.ts'
import { CompletionReader, readResponse } from './answer.ts'
import { forward, readFacts } from './request.ts'

export const openAiCompletions: ClientFormat & UpstreamFormat = {
  readFacts,
  promptTokens: body => inputTokens(body.prompt) + inputTokens(body.suffix ?? ''),
  promptText: body => inputText(body.prompt),
  forward,
  readResponse,
  readStream: options => new CompletionReader(options),
  meter,
  readError,
  writeErrorFrame,
}
