// @engine sqlite
/** SiliconCloud: image fields under other names, errors of a code and a message. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('siliconcloud', {
  channel: { type: 40, key: 'sk-silicon' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  balance: {
    answers: {
      '/v1/user/info': {
        code: 20000,
        status: true,
        data: { balance: '0.88', chargeBalance: '88.00', totalBalance: '88.88' },
      },
    },
    found: 88.88,
  },
  paths: {
    'POST /v1/chat/completions': [aChat],
    'POST /v1/completions': [needing('model', 'prompt'), withMessages],
    'POST /v1/embeddings': [needing('model', 'input')],
    'POST /v1/images/generations': [needing('model', 'prompt'), refusing('size', 'n')],
    'POST /v1/audio/speech': [needing('model', 'input', 'voice')],
    'POST /v1/audio/transcriptions': [needing('model', 'file')],
    'POST /v1/rerank': [needing('model', 'query', 'documents')],
  },
})

function withMessages({ suffix, messages }: Record<string, any>) {
  if (suffix !== undefined && !messages?.length) return 'messages is empty'
}
