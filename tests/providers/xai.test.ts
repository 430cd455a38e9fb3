// @engine sqlite
/** xAI: thoughts outside the count of output tokens, suffixes of the model’s name, fields that thinking models refuse. */
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing, refusing } from '../support/upstream/strict-provider.ts'

await testProvider('xai', {
  channel: { type: 48, key: 'xai-key' },
  headers: { authorization: 'Bearer {key}' },
  models: models('/v1/models'),
  paths: {
    'POST /v1/chat/completions': [aChat, refusedWhileThinking],
    'POST /v1/completions': [needing('model', 'prompt')],
    'POST /v1/embeddings': [needing('model', 'input')],
    'POST /v1/responses': [needing('model', 'input')],
    'POST /v1/images/edits': [needing('model', 'prompt', 'image'), refusing('size', 'mask', 'image[]'), urls],
    'POST /v1/images/generations': [needing('model', 'prompt'), refusing('size', 'quality', 'style')],
  },
})

function refusedWhileThinking(body: Record<string, any>) {
  if (!/^grok-(4|3-mini)/.test(body.model)) return undefined
  if (body.model.startsWith('grok-4') && 'reasoning_effort' in body) return 'reasoning_effort not supported'
  return refusing('stop', 'presence_penalty', 'frequency_penalty')(body)
}

function urls({ image }: Record<string, any>) {
  const isUrl = ({ type, url }: any) => type === 'image_url' && /^(https|data):/.test(url)
  if (![image].flat().every(isUrl)) return 'image is a URL'
}
