// @engine sqlite
/** Qianfan: a key of two parts, a search suffix of the model’s name, documents as bare texts. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing } from '../support/upstream/strict-provider.ts'

await testProvider('qianfan', {
  channel: { type: 46, key: 'bce-v3/ALTAK-1/2|app-1' },
  headers: { authorization: 'Bearer bce-v3/ALTAK-1/2', appid: 'app-1' },
  models: models('/v2/models'),
  paths: {
    'POST /v2/chat/completions': [aChat, ({ model }) => (model.endsWith('-search') ? 'no such model' : undefined)],
    'POST /v2/embeddings': [needing('model', 'input')],
    'POST /v2/images/generations': [needing('model', 'prompt')],
    'POST /v2/images/edits': [needing('model', 'prompt', 'image')],
    'POST /v2/rerank': [needing('model', 'query', 'documents')],
  },
})
