/** Coze's bots. https://www.coze.cn/docs/developer_guides/chat_v3 (read 2026-11) */
import type { TranslatedUpstream } from '../format.ts'
import { readError } from './api-error.ts'
import { limits } from './limits.ts'
import { readStream } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

/** Bots are asked for streams alone. */
export const coze: TranslatedUpstream = {
  name: 'coze',
  limits,
  writeRequest,
  readResponse: () => undefined,
  readStream,
  readError,
}
