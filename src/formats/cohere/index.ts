/** Cohere's chat, version 2, as upstreams have it. https://docs.cohere.com/reference/chat (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limitOutput } from './limit-output.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const cohereChat: TranslatedUpstream = {
  name: 'cohere',
  limits,
  limitOutput,
  writeRequest,
  readResponse,
  readStream,
  readError,
}
