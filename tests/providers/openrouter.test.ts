// @engine sqlite
/** OpenRouter: comments, thoughts under another name, errors inside a stream, a price beside the usage. */
import { setOption } from '../support/app/options.ts'
import { setUp } from '../support/people/person.ts'
import { testProvider } from '../support/upstream/provider-fixtures.ts'
import { aChat, models, needing } from '../support/upstream/strict-provider.ts'

await setUp()
await setOption('ServerAddress', 'https://gate.example')
await testProvider('openrouter', {
  channel: { type: 20, key: 'sk-or-key' },
  base: '/api',
  headers: { authorization: 'Bearer {key}', 'x-title': 'Tollgate', 'http-referer': 'https://gate.example' },
  models: models('/api/v1/models'),
  balance: { answers: { '/api/v1/credits': { data: { total_credits: 20.5, total_usage: 8.25 } } }, found: 12.25 },
  paths: {
    'POST /api/v1/chat/completions': [aChat],
    'POST /api/v1/completions': [needing('model', 'prompt')],
    'POST /api/v1/embeddings': [needing('model', 'input')],
    'POST /api/v1/responses': [needing('model', 'input')],
  },
})
