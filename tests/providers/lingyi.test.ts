/** Lingyi Wanwu, which refuses `stream_options`. */
import { aChat, refusing, speaks } from '../support/provider.ts'

await speaks('lingyi', {
  channel: { type: 31, key: 'yi-key' },
  headers: { authorization: 'Bearer {key}' },
  paths: { 'POST /v1/chat/completions': [aChat, refusing('stream_options', 'max_completion_tokens')] },
})
