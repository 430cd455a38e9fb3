/** AI Proxy's knowledge base, upstream only: one question, one answer with its documents. https://docs.aiproxy.io/dev/library (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const library: TranslatedUpstream = {
  name: 'library',
  limits,
  writeRequest,
  readResponse,
  readStream,
  readError,
}
