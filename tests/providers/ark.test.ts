// @engine sqlite
/** Volcengine Ark: bots under their own path, one of the two output limits. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('ark', {
  channel: { type: 45, key: 'ark-key' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/api/v3/models'),
  paths: {
    'POST /api/v3/chat/completions': [aChat, oneLimit],
    'POST /api/v3/bots/chat/completions': [aChat, ({ model }) => (model.startsWith('bot') ? undefined : 'no bot')],
    'POST /api/v3/embeddings': [needing('model', 'input')],
    'POST /api/v3/embeddings/multimodal': [needing('model', 'input'), typedParts],
    'POST /api/v3/images/generations': [needing('model', 'prompt'), refusing('image[]', 'mask')],
    'POST /api/v3/responses': [needing('model', 'input')],
    'POST /api/v3/rerank': [needing('model', 'query', 'documents')],
  },
})

function oneLimit(body: Record<string, any>) {
  if ('max_tokens' in body && 'max_completion_tokens' in body) return 'max_tokens and max_completion_tokens'
}

function typedParts({ input }: Record<string, any>) {
  if (!input.every(({ type }: any) => type === 'text' || type === 'image_url')) return 'input is a list of parts'
}
