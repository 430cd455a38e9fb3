// @engine sqlite
/** Lingyi Wanwu, whose server refuses `stream_options`. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('lingyi', {
  channel: { type: 31, key: 'yi-key' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  paths: { 'POST /v1/chat/completions': [aChat, refusing('stream_options', 'max_completion_tokens')] },
})
