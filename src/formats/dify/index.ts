/** Dify's apps. https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Apps are asked for streams alone. */
export const dify: TranslatedUpstream = {
  name: 'dify',
  limits,
  writeRequest,
  readResponse: () => undefined,
  readStream,
  readError,
}
