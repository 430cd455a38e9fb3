/** iFlytek Spark over a WebSocket, upstream only. https://www.xfyun.cn/doc/spark/Web.html (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { openAiChat } from '../openai-chat/index.ts'
import { readError } from './api-error.ts'
import { limitOutput } from './limit-output.ts'
import { httpLimits, limits } from './limits.ts'
import { readResponse, readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

export const spark: TranslatedUpstream = {
  name: 'spark',
  limits,
  limitOutput,
  writeRequest,
  readResponse,
  readStream,
  readError,
}

/**
 * Spark over HTTP: OpenAI's chat completions whose streams have no finish reasons. They are always translated, so that
 * clients get these. https://www.xfyun.cn/doc/spark/HTTP调用文档.html (read 2026-11)
 */
export const sparkOverHttp: TranslatedUpstream = {
  name: 'spark',
  limits: httpLimits,
  limitOutput: openAiChat.limitOutput,
  writeRequest: openAiChat.writeRequest,
  readResponse: openAiChat.readResponse,
  readStream: openAiChat.readStream,
  readError: openAiChat.readError,
}
