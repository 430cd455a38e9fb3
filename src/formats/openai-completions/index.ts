/**
 * OpenAI's legacy completions: text that continues one or several prompts.
 * https://platform.openai.com/docs/api-reference/completions (read 2026-11)
 */
import { bodyParts, bodyTokens, countableInput, inputText, joined } from '../embedding-input.ts'
import type { ClientFormat, PassedUpstream } from '../format.ts'
import { lowered } from '../json/lowered.ts'
import { readError, writeErrorFrame } from '../openai-chat/api-error.ts'
import { forwardWithUsage } from '../openai-chat/request.ts'
import { meter } from '../openai-chat/usage.ts'
import { readFacts } from './request.ts'
import { CompletionReader, responseFacts } from './response.ts'

export const openAiCompletions: ClientFormat & PassedUpstream = {
  name: 'openai-completions',
  readFacts,
  promptTokens: body => bodyTokens(body, 'prompt', 'suffix'),
  promptParts: body => bodyParts(body, 'prompt', 'suffix'),
  countablePrompt: body => joined([countableInput(body.prompt), countableInput(body.suffix ?? '')]),
  promptText: body => inputText(body.prompt),
  forward: forwardWithUsage,
  limitOutput: (body, limit) => ({ ...body, max_tokens: lowered(body.max_tokens, limit) }),
  responseFacts,
  streamReader: options => new CompletionReader(options),
  meter,
  readError,
  writeErrorFrame,
}
