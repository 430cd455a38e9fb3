/** Tencent Hunyuan's ChatCompletions, upstream only. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const tencent: TranslatedUpstream = {
  name: 'tencent',
  limits,
  writeRequest,
  readResponse,
  readStream,
  readError,
}
