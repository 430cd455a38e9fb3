/** OpenAI chat completions. https://platform.openai.com/docs/api-reference/chat (read 2026-11) */
import { passthrough } from '../translate/passthrough.ts'
import { readError, writeError, writeErrorFrame } from './api-error.ts'
import { countablePrompt } from './countable-prompt.ts'
import { limitOutput } from './limit-output.ts'
import { limits } from './limits.ts'
import { applyModelSettings } from './model-settings.ts'
import { plainTexts } from './plain-texts.ts'
import { readRequest } from './read-request.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { forward, readFacts } from './request.ts'
import { madeIn } from './stored-places.ts'
import { toStream } from './to-stream.ts'
import { LAST_EVENT, usageEvent } from './usage.ts'
import { writeRequest } from './write-request.ts'
import { writeResponse } from './write-response.ts'
import { writeStream } from './write-stream.ts'

export const openAiChat = passthrough({
  name: 'openai-chat',
  limits,
  readFacts,
  plainTexts,
  countablePrompt,
  forward,
  applyModelSettings,
  limitOutput,
  toStream,
  stream_end: { last: LAST_EVENT, report: usageEvent },
  readRequest,
  writeRequest,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
  writeErrorFrame,
  madeIn: ({ choices }) => madeIn(choices),
})
