// @engine sqlite
/** A URL of the operator’s own: every operation goes to it, with the model in it. */
import { billing } from '../support/upstream/openai-billing.ts'
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing, refusing } from '../support/upstream/strict-provider.ts'

const at = (model: string) => `POST /deploy/${model}/chat?tenant=a`

await testProvider('custom', {
  channel: { type: 8, key: 'sk-custom' },
  base: '/deploy/{model}/chat?tenant=a',
  headers: { authorization: 'Bearer {key}' },
  models: { base: '/v1/chat/completions', ...models('/v1/models') },
  balance: { base: '/v1/chat/completions', ...billing() },
  paths: {
    [at('gpt-4o')]: [aChat, refusing('stream_options')],
    [at('gpt-3.5-turbo-instruct')]: [needing('model', 'prompt'), refusing('stream_options')],
    [at('text-embedding-3-small')]: [needing('model', 'input')],
    [at('my-image-model')]: [needing('model')],
    [at('tts-1')]: [needing('model', 'input', 'voice')],
    [at('whisper-1')]: [needing('model', 'file')],
    [at('omni-moderation-latest')]: [needing('input')],
    [at('bge-reranker-v2-m3')]: [needing('model', 'query', 'documents')],
  },
})
