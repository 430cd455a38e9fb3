/** OpenAI's completions, older than chats: a prompt, or several, that the model goes on writing. */

import { inputText, inputTokens } from '../embedding-input.ts'
import type { ClientCodec, UpstreamCodec } from '../format.ts'
import { readError, writeErrorFrame } from '../openai-chat/error.ts'
import { meter } from '../openai-chat/usage.ts'
import { CompletionReader, readAnswer } from './answer.ts'
import { forward, readAsk } from './request.ts'

export const openAiCompletions: ClientCodec & UpstreamCodec = {
  readAsk,
  promptTokens: body => inputTokens(body.prompt) + inputTokens(body.suffix ?? ''),
  promptText: body => inputText(body.prompt),
  forward,
  readAnswer,
  readStream: options => new CompletionReader(options),
  meter,
  readError,
  writeErrorFrame,
}
