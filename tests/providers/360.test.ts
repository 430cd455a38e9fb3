// @engine sqlite
/** 360, whose server refuses `stream_options` and `encoding_format`. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('360', {
  channel: { type: 19, key: '360-key' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  paths: {
    'POST /v1/chat/completions': [aChat, refusing('stream_options')],
    'POST /v1/embeddings': [needing('model', 'input'), refusing('encoding_format')],
  },
})
