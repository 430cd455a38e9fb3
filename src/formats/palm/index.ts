/** PaLM 2 generateMessage, upstream only; the model stands in the URL, and there are no streams. https://ai.google.dev/palm_docs/palm (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream, toStream } from './whole-stream.ts'
import { writeRequest } from './write-request.ts'

export const palm: TranslatedUpstream = {
  name: 'palm',
  limits,
  writeRequest,
  readResponse,
  readStream,
  readError,
  toStream,
}
