// @engine sqlite
/** Xinference: models of the operator’s own, with and without usage. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing } from '../support/upstream/strict-provider.ts'

await testProvider('xinference', {
  channel: { type: 47, key: 'xin-key' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /v1/embeddings': [needing('model', 'input')],
    'POST /v1/images/generations': [needing('model', 'prompt')],
    'POST /v1/audio/speech': [needing('model', 'input', 'voice')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
    'POST /v1/audio/translations': [needing('model', 'file')],
    'POST /v1/rerank': [needing('model', 'query', 'documents')],
  },
})
