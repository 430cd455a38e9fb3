/** Lingyi Wanwu, which refuses `stream_options`. */
import { speaks } from '../support/provider.ts'
import { aChat, refusing } from '../support/strict.ts'

await speaks('lingyi', {
  channel: { type: 31, key: 'yi-key' },
  headers: { authorization: 'Bearer {key}' },
  paths: { 'POST /v1/chat/completions': [aChat, refusing('stream_options', 'max_completion_tokens')] },
})
