/** Predictions of language models at Replicate, upstream only. https://replicate.com/docs/reference/http#predictions.create (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream, toStream } from './read-stream.ts'
import { limitOutput, writeRequest } from './write-request.ts'

export const replicate: TranslatedUpstream = {
  name: 'replicate',
  limits,
  limitOutput,
  writeRequest,
  readResponse,
  readStream,
  readError,
  toStream,
}
