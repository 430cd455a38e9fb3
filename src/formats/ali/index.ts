/**
 * DashScope's own generation of texts, upstream only.
 * https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11)
 */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limitOutput } from './limit-output.ts'
import { limits } from './limits.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const ali: TranslatedUpstream = {
  name: 'ali',
  limits,
  writeRequest,
  limitOutput,
  readResponse,
  readStream,
  readError,
}
