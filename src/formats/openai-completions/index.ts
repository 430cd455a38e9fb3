/**
 * OpenAI's legacy completions: text that continues one or several prompts.
 * https://platform.openai.com/docs/api-reference/completions (read 2026-11)
 */
import { inputText, inputTokens } from '../embedding-input.ts'
import type { ClientFormat, UpstreamFormat } from '../format.ts'
import { readError, writeErrorFrame } from '../openai-chat/error.ts'
import { meter } from '../openai-chat/usage.ts'
import { CompletionReader, readResponse } from './read-response.ts'
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
