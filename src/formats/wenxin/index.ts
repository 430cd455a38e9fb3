/** Baidu Wenxin v1 chats, upstream only; the model stands in the URL. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11 (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { limitOutput, writeRequest } from './write-request.ts'

export const wenxin: TranslatedUpstream = {
  name: 'wenxin',
  limits,
  limitOutput,
  writeRequest,
  readResponse,
  readStream,
  readError,
}
