/** Zhipu's API v3, upstream only; the model and whether to stream stand in the URL. https://open.bigmodel.cn/dev/api#chatglm_turbo (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const zhipuV3: TranslatedUpstream = {
  name: 'zhipu-v3',
  limits,
  writeRequest,
  readResponse,
  readStream,
  readError,
}
